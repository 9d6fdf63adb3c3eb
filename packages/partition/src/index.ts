/** @stickslip/partition: who owns which contacts. */
export type { HaloPlan } from "@stickslip/core/parallel";
export { BALANCE_MAX, balanceAim } from "./balance.js";
export { checkGraph, checkSymmetric, type Graph, graphOfPattern } from "./graph.js";
export { haloFaults, haloPlans } from "./halo.js";
export { matchLabels } from "./match-labels.js";
export { hasMetis, type MetisOptions, metis } from "./metis.js";
export { type Ownership, ownershipOf, type RankOwnership, type Rows, rowsOfGraph } from "./ownership.js";
export {
	PARTITION_METHODS,
	type Partition,
	type PartitionMethod,
	type PartitionOptions,
	partition,
} from "./partition.js";
export { type PictureOptions, pictureOf } from "./picture.js";
export { graphOfBodies, graphOfProblem } from "./problem-graph.js";
export { type Repartition, type RepartitionOptions, repartition } from "./repartition.js";
export { type PartitionReport, type RankPart, reportLines, reportOf } from "./report.js";
export { describeShares, pictureOfShares } from "./share-report.js";
export { cutShares, type Shares } from "./shares.js";
