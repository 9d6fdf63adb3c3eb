/** The starter for a run: that of the launcher which placed it. */
import type { MpiLibrary } from "@stickslip/comm";
import { InputError } from "@stickslip/core";
import type { Placement } from "../placement/placement.js";
import type { Starter } from "../processes/starter.js";
import { SpawningStarter } from "../processes/starters/command-starter.js";
import { RegistryStarter } from "../processes/starters/registry-starter.js";
import { FILES } from "../records/files.js";
import { launcherNamed, launchers } from "./launchers.js";

/** `library` is the hub's MPI, if ranks communicate over it. */
export function starterOf(placement: Placement, library: MpiLibrary | undefined): Starter {
	const { where } = placement;
	if (where === "node") return new RegistryStarter();
	const commands = launcherNamed(where)?.starter?.(placement, library);
	if (commands !== undefined) return new SpawningStarter(commands);
	const names = Object.keys(launchers).filter((name) => launcherNamed(name)?.starter !== undefined);
	const problem = `is not one of ${[...names, "node"].join(", ")}`;
	throw new InputError(FILES.placement, "where", problem, "launch the run again");
}
