/** The disk of the runs is full while checkpoints are written. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { pause } from "../../testing.js";
import { type FaultKind, NOBODY } from "../kind.js";

const FULL_SECONDS = 1.5;

export const disk: FaultKind = {
	ways: ["local", "ssh", "slurm"],
	open(scene) {
		const small = scene.disks.runs;
		scene.runs = join(small.folder, "runs");
		mkdirSync(scene.runs);
		return {
			named: /^stickslip: .*(ENOSPC|free some)/m,
			mend: () => small.free(),
			async strike({ launched }) {
				small.fill();
				await pause(FULL_SECONDS);
				small.free();
				const lost = launched.log().filter(({ event }) => event === "checkpoint-lost").length;
				return lost === 0 ? NOBODY : `the disk, ${lost} checkpoints lost`;
			},
		};
	},
};
