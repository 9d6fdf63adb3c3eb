/** Into how many parts a study can be divided: cells of one group are compared with each other, and so belong to one machine. */
import { expand } from "../cli/expand.js";
import type { StudyRequest } from "../requests/study-request.js";
import { sourcesOf } from "./source.js";

export function groupCount(study: StudyRequest): number {
	if (study.kind === "profile") return expand(study.files).length;
	const sources = sourcesOf(study.sources).length;
	return study.kind === "sensitivity" ? sources : sources * study.variants.length;
}
