/**
 * Detects that a pod belongs to another Job than the run had before. A new Job means that the run is to go on, so an earlier request to stop is
 * withdrawn; a replaced pod of the same Job obeys it, also if it was made while no pod ran. Jobs are told apart by their uid, not by a clock.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readSmall } from "../../records/check.js";
import { withdrawStop } from "../../records/stop.js";

/** The Job's uid. */
export const JOB_VARIABLE = "STICKSLIP_JOB";
const FILE = "job";

/** Without the Job's uid, requests stay. */
export function beginJob(folder: string, job: string | undefined): void {
	if (job === undefined || job === "") return;
	const file = join(folder, FILE);
	if (readSmall(file)?.trim() === job) return;
	withdrawStop(folder);
	writeFileSync(file, `${job}\n`);
}
