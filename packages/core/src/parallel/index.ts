/** @stickslip/core/parallel: what packages that spread a solve over ranks build on. */
export { RankError } from "../errors.js";
export {
	type Communicator,
	type Exchange,
	type HaloPlan,
	type Merge,
	REDUCE_MAX,
	type Traffic,
} from "./communicator.js";
export { SelfCommunicator } from "./self.js";
