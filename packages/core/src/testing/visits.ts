/** The places that a sweep visits, in its order. */
import type { Share } from "../parallel/share.js";

export function visitsOf({ sweep }: Pick<Share, "sweep">): number[] {
	const visits: number[] = [];
	for (let run = 0; run < sweep.runs.length; run += 2) {
		for (let at = sweep.runs[run]!; at < sweep.runs[run + 1]!; at += 1) visits.push(at);
	}
	return visits;
}
