/** `stickslip launch`: runs a command line on many nodes. */
import type { Command } from "../cli/command.js";
import { plannedRun } from "../launch/begin.js";
import { launchRequest } from "../launch/launch-request.js";
import { launchers } from "../launchers/launchers.js";
import { launchNotes, launchSpecs } from "../placement/specs.js";

export const launch: Command = {
	name: "launch",
	usage: "WHERE [options] -- COMMAND",
	what: "runs a command on many nodes: local, ssh, slurm, kubernetes or mpirun",
	options: launchSpecs,
	isFront: true,
	notes: launchNotes,
	async run(args, terminal) {
		const request = launchRequest(args);
		const launcher = launchers[request.where];
		if (!request.dryRun) return await launcher.start(request, terminal);
		terminal.out(launcher.describe(request, plannedRun(request)).trimEnd());
		return 0;
	},
};
