/** @stickslip/comm: communicators between ranks. */
export { SelfCommunicator } from "@stickslip/core/parallel";
export { Control, type Failure } from "./base/control.js";
export { DelayedWire } from "./base/delayed.js";
export { askForLargePages, LARGE_PAGE_BYTES } from "./base/large-pages.js";
export { type Late, Patience, type PatienceOptions, SLICE_MS, sleep, spinsFor } from "./base/patience.js";
export { cores, pin } from "./base/pin.js";
export { runWorkers, type Transfer, type WorkersOptions } from "./base/run-workers.js";
export { ServingPatience } from "./base/serving.js";
export { isUnread } from "./base/unread.js";
export { TAGS, type Wire } from "./base/wire.js";
export { MpiCommunicator, type MpiOptions, openMpi } from "./mpi/communicator.js";
export { type Launched, launched, type MpiKind } from "./mpi/launched.js";
export { findMpi, type MpiLibrary, requireMpi } from "./mpi/library.js";
export { findMpirun, type Mpirun, type MpirunCall, mpirunCall } from "./mpi/mpirun.js";
export { type MpiShared, MpiWire } from "./mpi/wire.js";
export {
	shareThreads,
	ThreadsCommunicator,
	type ThreadsCommunicatorOptions,
	type ThreadsShared,
} from "./threads/communicator.js";
export { JoinedCommunicator, type JoinedOptions } from "./wired/joined.js";
export { WiredCommunicator, type WiredOptions } from "./wired/wired.js";
export { type Binding, type BindOptions, bindZeromq } from "./zeromq/bind.js";
export { fitsSockets } from "./zeromq/endpoints.js";
export type { CurveKeys } from "./zeromq/socket.js";
export type { ZeromqWire } from "./zeromq/wire.js";
