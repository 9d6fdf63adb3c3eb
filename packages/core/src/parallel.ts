/** @stickslip/core/parallel: what packages that spread a solve over ranks build on. */
export { assert, InputError, RankError } from "./base/errors.js";
export { SETUP_PHASES, type SetupPhase, watchSetup } from "./base/setup-phase.js";
export { type LargeMemory, reserveAtMost, whenLarge } from "./kernels/arena.js";
export { operatorOfBodies, rigidBlocks } from "./outline/choose.js";
export { colourBlocks } from "./outline/colouring.js";
export { CURVE_BITS, curvePlaces } from "./outline/hilbert.js";
export { SINGLE_MAX } from "./outline/layout.js";
export { type PatternPlan, type Plan, patternPlanOf } from "./outline/plan.js";
export { tileNeighbours } from "./outline/tiles.js";
export { blockRows, gather, lawsAt, plainWholeRows, unreadRows, wholeFacts, wholeOutline } from "./outline/whole.js";
export {
	type Communicator,
	type Exchange,
	type HaloPlan,
	type Merge,
	REDUCE_MAX,
	type Traffic,
} from "./parallel/communicator.js";
export { arePlans, emptyPlan, type HaloPlans, joinPlans, splitPlans } from "./parallel/halo-plans.js";
export {
	inSlices,
	PROGRESS_NUMBERS_MAX,
	type RankContext,
	type RankProgram,
	REQUEST,
	TimeSlice,
	toTheEnd,
} from "./parallel/program.js";
export { type Consumer, moveRecords, Outbox, type Producer } from "./parallel/records.js";
export { SelfCommunicator } from "./parallel/self.js";
export {
	type AssembledOutline,
	type AssembledRows,
	columnIds,
	ghostPlace,
	type MatrixFreeOutline,
	type MatrixFreeRows,
	type PatternCache,
	rowIds,
	type Share,
	type ShareOutline,
	type ShareRows,
	type SweepPlan,
	shareOf,
	type UnreadRows,
} from "./parallel/share.js";
export { TimedCollectives } from "./parallel/timed-collectives.js";
export { buffersOf, memoryOf } from "./parallel/transfer.js";
export { isUnformed, type RigidRows, rigidRows, type UnformedMatrix } from "./problem/assemble-rigid.js";
export { checkDiagonal, SIGNS_REMEDY } from "./problem/diagonal.js";
export { withRelaxation } from "./problem/laws.js";
export {
	checkRollingParts,
	commonFacts,
	factsOf,
	holdersOf,
	numbersIn,
	otherBody,
	type PartFacts,
	partName,
	placeIn,
} from "./problem/problem-part.js";
export { rigidDiagonal } from "./problem/rigid-diagonal.js";
export { isUnread, type MatrixOrigin } from "./problem/unread-matrix.js";
export { nameOf } from "./problem/validate.js";
export { validatePart } from "./problem/validate-part.js";
export { withValues } from "./session/new-values.js";
export { checkCount, checkIndex, checkPartsOptions } from "./session/parts.js";
export {
	checkPrepareOptions,
	PATTERN_OPTIONS,
	SolveRequest,
	type SplitOptions,
	splitOptions,
} from "./session/request.js";
export { Turns } from "./session/turns.js";
export { type WarmStart, WarmStarts } from "./session/warm-starts.js";
export { requireOptions } from "./solve/check-options.js";
export { type Dots, makeDots } from "./solve/dots.js";
export { efficiencyOf } from "./solve/efficiency.js";
export type { SolveFacts } from "./solve/finish.js";
export { assemble, reportOf } from "./solve/finish.js";
export { PiecewiseHash } from "./solve/hash.js";
export type { Keep, RunOptions } from "./solve/options.js";
export { type Prepared, prepare, preparePattern } from "./solve/prepare.js";
export { PatternSolver } from "./solve/prepared.js";
export {
	type Efficiency,
	isPartOfReport,
	isRankResult,
	isReport,
	type PartOfReport,
	type RankResult,
} from "./solve/report.js";
export type { Watch } from "./solve/requests.js";
export { BLOCK_SPACE } from "./solve/run.js";
export { runShare, runStep } from "./solve/run-share.js";
export { setUp, solveSteps } from "./solve/solve.js";
export { isTiny, solveTinyBodies, type TinyFacts } from "./solve/tiny-bodies.js";
export { type SolveWork, solveWork } from "./solve/work.js";
export { SavedState } from "./state/saved.js";
export {
	cutState,
	gatherStates,
	type Plain,
	type PlainRecord,
	type RunState,
	type StateSpace,
	type StateVector,
} from "./state/state.js";
