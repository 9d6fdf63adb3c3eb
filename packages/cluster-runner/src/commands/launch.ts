/** `stickslip launch`: the line that worked on the laptop, on many nodes. */
import type { Command } from "../command.js";
import { askedOf } from "../launch/asked.js";
import { wouldBe } from "../launch/begin.js";
import { launchers } from "../launch/launchers.js";
import { launchNotes, launchSpecs } from "../launch/specs.js";

export const launch: Command = {
	name: "launch",
	usage: "WHERE [options] -- LINE",
	what: "runs a line on many nodes: local, ssh, slurm, kubernetes or mpirun",
	options: launchSpecs,
	isFront: true,
	notes: launchNotes,
	async run(given, terminal) {
		const asked = askedOf(given);
		const launcher = launchers[asked.where];
		if (!asked.dryRun) return await launcher.start(asked, terminal);
		terminal.out(launcher.describe(asked, wouldBe(asked)).trimEnd());
		return 0;
	},
};
