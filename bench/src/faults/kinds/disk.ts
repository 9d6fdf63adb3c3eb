/** The disk of the runs is full while checkpoints are written. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openSmallDisk, pause } from "@stickslip/cluster-runner/testing";
import { type FaultKind, NOBODY } from "../kind.js";

const DISK_BYTES = 24 * 2 ** 20;
const FULL_SECONDS = 1.5;

export const disk: FaultKind = {
	ways: ["local", "ssh", "slurm"],
	open(scene) {
		const small = openSmallDisk(scene.bed, DISK_BYTES);
		scene.runs = join(small.folder, "runs");
		mkdirSync(scene.runs);
		return {
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
