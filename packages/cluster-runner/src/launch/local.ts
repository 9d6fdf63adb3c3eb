/** `launch local`: this machine, a process for each node. With several nodes it is a cluster played by one machine. */
import { totalmem } from "node:os";
import { cores } from "@stickslip/comm";
import { bytes } from "../output/format.js";
import { describeHere, exampleContact, superviseHere } from "./here.js";
import type { LaunchRequest } from "./launch-request.js";
import { type Placement, WAIT_SECONDS } from "./placement.js";
import type { Launcher } from "./plan.js";
import { commandLine } from "./quote.js";
import { requireOwn } from "./rendezvous/listen-address.js";
import { local as localStarter } from "./starters/local.js";

export const local: Launcher = {
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
