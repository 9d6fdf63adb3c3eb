/** What has to be the same for cells of one folder to belong together. */
import type { TimedRequest } from "../requests/study-request.js";
import type { StudyHead } from "../study/sample-file.js";

export function timedHead({
	kind,
	measure,
	tolerance,
	timeLimit,
	maxIterations,
	skip,
	steps,
}: TimedRequest): StudyHead {
	return { study: kind, measure, tolerance, timeLimit, maxIterations, skip, steps };
}
