/**
 * The interface of a launcher: what `stickslip launch` says of it and takes for it, how it starts the processes of its runs, and, loaded for a launch
 * only, what launches them.
 */
import type { MpiLibrary } from "@stickslip/comm";
import type { Placement } from "../placement/placement.js";
import type { LauncherSpec } from "../placement/specs.js";
import type { CommandStarter } from "./spawn-spec.js";

export interface Launcher extends LauncherSpec {
	/** Starts the processes of a run that it has placed; absent where `stickslip node` does. `library` is the MPI that ranks use, if any. */
	starter?(placement: Placement, library: MpiLibrary | undefined): CommandStarter;
	/** A `Launching` (launch/plan.ts): the process of a run has no use for it, and does not load it. */
	load(): Promise<unknown>;
}
