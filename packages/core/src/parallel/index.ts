/** @stickslip/core/parallel: what packages that spread a solve over ranks build on. */
export { assert, InputError, RankError } from "../errors.js";
export { reserveAtMost } from "../kernels/arena.js";
export { isUnformed, type UnformedMatrix } from "../problem/assemble-rigid.js";
export { SETUP_PHASES, type SetupPhase, watchSetup } from "../setup-phase.js";
export { type Dots, makeDots } from "../solve/dots.js";
export type { Efficiency } from "../solve/efficiency.js";
export { assemble, type Outcome } from "../solve/finish.js";
export type { Keep, RunOptions } from "../solve/options.js";
export { type Prepared, prepare } from "../solve/prepare.js";
export { STOP, type Watch } from "../solve/requests.js";
export { runShare } from "../solve/run-share.js";
export { setUp } from "../solve/solve.js";
export { cutState, gatherStates, type Plain, type PlainRecord, type RunState } from "../solve/state.js";
export { tileNeighbours } from "../system/tiles.js";
export {
	type Communicator,
	type Exchange,
	type HaloPlan,
	type Merge,
	REDUCE_MAX,
	type Traffic,
} from "./communicator.js";
export { arePlans, emptyPlan, type HaloPlans, joinPlans, splitPlans } from "./halo-plans.js";
export type { Plan } from "./plan.js";
export { SelfCommunicator } from "./self.js";
export {
	type AssembledShare,
	ghostPlace,
	type MatrixFreeShare,
	type Share,
	type SweepPlan,
} from "./share.js";
export { blockData, gather, plainWholeShare } from "./whole.js";
