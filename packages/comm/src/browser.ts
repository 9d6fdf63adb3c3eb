/** @stickslip/comm/browser: the part that does not need Node.js. Ranks are Web Workers of a page that is cross-origin isolated. */
export { Control, type Failure } from "./base/control.js";
export { Patience, type PatienceOptions, spinsFor } from "./base/patience.js";
export {
	shareThreads,
	ThreadsCommunicator,
	type ThreadsCommunicatorOptions,
	type ThreadsShared,
} from "./threads/communicator.js";
