/** What ranks are told of how their run was launched: its placement, with what starts processes there. */
import type { MpiLibrary } from "@stickslip/comm";
import type { Placement } from "../placement/placement.js";
import type { Starter } from "../processes/starter.js";
import type { LaunchedPlacement } from "../ranks/choose.js";
import type { Recorder } from "./recorder.js";

/** The starter of a placement. Launchers know it, and whoever has the run done hands it in: ranks know no launcher. */
export type StarterOf = (placement: Placement, library: MpiLibrary | undefined) => Promise<Starter>;

/** Undefined for a run without a launcher. */
export function launchedPlacement(
	recorder: Recorder | undefined,
	{ starterOf }: { readonly starterOf?: StarterOf | undefined },
): LaunchedPlacement | undefined {
	const placement = recorder?.placement;
	if (placement === undefined || starterOf === undefined) return undefined;
	return { ...placement, starter: (library) => starterOf(placement, library) };
}
