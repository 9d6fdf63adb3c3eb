/** `launch local`: this machine, with one process per node; several nodes imitate a cluster. */
import { totalmem } from "node:os";
import { cores } from "@stickslip/comm";
import { bytes } from "../../base/format.js";
import { commandLine } from "../../base/quote.js";
import { describeHere, exampleContact, superviseHere } from "../../launch/here.js";
import type { LaunchRequest } from "../../launch/launch-request.js";
import type { Launching } from "../../launch/plan.js";
import { type Placement, WAIT_SECONDS } from "../../placement/placement.js";
import { local as localStarter } from "../../processes/starters/local.js";
import { requireOwn } from "../../protocol/listen-address.js";

export const launchLocal: Launching = {
	describe(request, run) {
		const placement = localPlacement(request);
		const specs = placement.nodes > 1 ? localStarter().spawnSpecs(exampleContact(placement)) : [];
		return describeHere(
			request,
			placement,
			run,
			specs.map(({ command, args }) => commandLine([command, ...args])),
		);
	},
	start(request, terminal) {
		requireMemory(request);
		if (request.listen !== undefined) requireOwn(request.listen, "launch");
		return superviseHere(request, localPlacement(request), terminal);
	},
};

export function localPlacement(
	{ nodes = 1, ranksPerNode, listen, wait }: LaunchRequest,
	coresHere = cores().length,
): Placement {
	return {
		where: "local",
		nodes,
		ranksPerNode: ranksPerNode ?? Math.max(1, Math.floor(coresHere / nodes)),
		between: "zeromq",
		...(listen !== undefined && { listen }),
		waitSeconds: wait ?? WAIT_SECONDS.local,
	};
}

/** Of this machine, for all its nodes. */
export function requireMemory({ nodes = 1, memory, refuse }: LaunchRequest): void {
	if (memory === undefined || nodes * memory <= totalmem()) return;
	refuse("--memory", `${nodes} times ${bytes(memory)} is more than this machine has`, `it has ${bytes(totalmem())}`);
}
