/**
 * Whether a pod belongs to another Job than the one that had the run before. To make a Job for a run is to say that it goes on, so a request to stop
 * from before is withdrawn; a pod that comes again in the same Job obeys it, also when it was made while no pod was there. Told by the Job's own
 * name for itself, and by no clock.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readSmall } from "../../runs/check.js";
import { withdrawStop } from "../../runs/stop.js";

/** The Job's uid. */
export const JOB_VARIABLE = "STICKSLIP_JOB";
const FILE = "job";

/** Where nothing tells which Job it is, requests stay. */
export function beginJob(folder: string, job: string | undefined): void {
	if (job === undefined || job === "") return;
	const file = join(folder, FILE);
	if (readSmall(file)?.trim() === job) return;
	withdrawStop(folder);
	writeFileSync(file, `${job}\n`);
}
