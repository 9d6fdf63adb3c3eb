/** `launch local`: this machine, a process for each node. With several nodes it is a cluster played by one machine. */
import { totalmem } from "node:os";
import { cores } from "@stickslip/comm";
import { bytes } from "../output/format.js";
import { type Gang, WAIT_SECONDS } from "./gang.js";
import { describeHere, exampleOf, superviseHere } from "./here.js";
import type { LaunchRequest } from "./launch-request.js";
import type { Launcher } from "./plan.js";
import { commandLine } from "./quote.js";
import { requireOwn } from "./rendezvous/addresses.js";
import { local as localWay } from "./starters/local.js";

export const local: Launcher = {
	describe(request, run) {
		const gang = localGang(request);
		const calls = gang.nodes > 1 ? localWay().calls(exampleOf(gang)) : [];
		return describeHere(
			request,
			gang,
			run,
			calls.map(({ command, args }) => commandLine([command, ...args])),
		);
	},
	start(request, terminal) {
		requireMemory(request);
		if (request.listen !== undefined) requireOwn(request.listen, "launch");
		return superviseHere(request, localGang(request), terminal);
	},
};

export function localGang({ nodes = 1, ranksPerNode, listen, wait }: LaunchRequest, coresHere = cores().length): Gang {
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
