/**
 * The clock of the run's processes is set back by an hour in the middle of it (libfaketime: the time of day alone, not the clock that only runs
 * forward); in some rounds a rank is lost afterwards, so that the run begins again in what was the past.
 */
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pause } from "../../testing.js";
import type { FaultKind } from "../kind.js";
import { killRank } from "./losses.js";

const MEMORY = "/dev/shm";
const HOUR_SECONDS = 3600;
const SETTLE_SECONDS = 0.5;
const library = [
	"/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1",
	"/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1",
].find((path) => existsSync(path));

/** Why the clock cannot be set back for some processes only. */
const noClock = (): string | undefined => (library === undefined ? "apt install faketime" : undefined);

export const clock: FaultKind = {
	ways: ["local", "ssh", "openmpi", "mpich"],
	lack: noClock,
	open(scene) {
		const file = join(scene.bed.folder, "clock");
		const set = (seconds: number) => {
			writeFileSync(`${file}-next`, `${seconds < 0 ? "" : "+"}${seconds}\n`);
			renameSync(`${file}-next`, file);
		};
		set(0);
		Object.assign(scene.env, {
			LD_PRELOAD: library,
			FAKETIME_TIMESTAMP_FILE: file,
			FAKETIME_NO_CACHE: "1",
			FAKETIME_DONT_FAKE_MONOTONIC: "1",
			DONT_FAKE_MONOTONIC: "1",
			NO_FAKE_STAT: "1",
		});
		const isLost = scene.random.below(2) === 0;
		return {
			mend: sweep,
			async strike(victim) {
				set(-HOUR_SECONDS);
				if (!isLost) return "the clock";
				await pause(SETTLE_SECONDS);
				return `the clock, then ${await killRank(victim)}`;
			},
		};
	},
};

/** libfaketime keeps a little memory for each process, and one that is killed leaves its own behind. */
function sweep(): void {
	for (const name of existsSync(MEMORY) ? readdirSync(MEMORY) : []) {
		const pid = /^(?:sem\.)?faketime_\w+_(\d+)$/.exec(name)?.[1];
		if (pid !== undefined && !existsSync(`/proc/${pid}`)) rmSync(join(MEMORY, name), { force: true });
	}
}
