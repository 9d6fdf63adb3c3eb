/** @stickslip/comm: communicators between ranks. */
export { SelfCommunicator } from "@stickslip/core/parallel";
export { Control, type Failure } from "./control.js";
export { DelayedWire } from "./delayed.js";
export { type GangOptions, runGang, type Transfer } from "./gang.js";
export { JoinedCommunicator, type JoinedOptions } from "./joined.js";
export { MpiCommunicator, type MpiOptions, openMpi } from "./mpi/communicator.js";
export { type Launched, launched, type MpiKind } from "./mpi/launched.js";
export { findMpi, type MpiLibrary, requireMpi } from "./mpi/library.js";
export { findMpirun, type Mpirun, type MpirunCall, mpirunCall } from "./mpi/mpirun.js";
export { type MpiShared, MpiWire } from "./mpi/wire.js";
export { type Late, Patience, type PatienceOptions, SLICE_MS, sleep, spinsFor } from "./patience.js";
export { cores, pin } from "./pin.js";
export { ServingPatience } from "./serving.js";
export { shareThreads, ThreadsCommunicator, type ThreadsCommunicatorOptions, type ThreadsShared } from "./threads.js";
export { TAGS, type Wire } from "./wire.js";
export { WiredCommunicator, type WiredOptions } from "./wired.js";
export { type Binding, type BindOptions, bindZeromq } from "./zeromq/bind.js";
export type { ZeromqWire } from "./zeromq/wire.js";
