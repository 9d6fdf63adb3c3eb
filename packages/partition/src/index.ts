/** @stickslip/partition: who owns which contacts. */
export type { HaloPlan } from "@stickslip/core/parallel";
export { BALANCE_MAX, balanceAim } from "./graph/balance.js";
export { checkGraph, checkSymmetric, type Graph, graphOfPattern } from "./graph/graph.js";
export { type Ownership, ownershipOf, type RankOwnership, type Rows, rowsOfGraph } from "./graph/ownership.js";
export { graphOfBodies, graphOfProblem } from "./graph/problem-graph.js";
export { matchLabels } from "./partition/match-labels.js";
export { hasMetis, type MetisOptions, metis } from "./partition/metis.js";
export {
	PARTITION_METHODS,
	type Partition,
	type PartitionMethod,
	type PartitionOptions,
	partition,
} from "./partition/partition.js";
export { type PointCut, type PointOwners, pointCutOf, pointOwners } from "./partition/point-owners.js";
export { type Repartition, type RepartitionOptions, repartition } from "./partition/repartition.js";
export { type PictureOptions, pictureOf } from "./report/picture.js";
export { type PartitionReport, type RankPart, reportLines, reportOf } from "./report/report.js";
export { describeShares, pictureOfShares } from "./report/share-report.js";
export { haloFaults, haloPlans } from "./shares/halo.js";
export { MatrixFreeCutter } from "./shares/matrix-free-cut.js";
export { type PatternShare, PatternShares, type ShareValues, shareOfValues } from "./shares/pattern-shares.js";
export { cutShares, cutterOf, isShareable, outlineOf, type Shares } from "./shares/shares.js";
