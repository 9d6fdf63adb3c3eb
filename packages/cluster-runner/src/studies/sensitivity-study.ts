/** `stickslip study sensitivity`: the options of one method over files or the steps of scenes. */
import type { ExitCode } from "../cli/command.js";
import type { TimedRequest } from "../requests/study-request.js";
import { csvOf, writeFiles } from "../study/study-files.js";
import { studyPage } from "../study/study-page.js";
import { sensitivityOf, sensitivityPage, sensitivityText } from "./sensitivity.js";
import { requireNoTimeLimit, sourcesOf } from "./source.js";
import { endOf, measureCells, openSamples, originOf, type StudySurroundings } from "./surroundings.js";
import { timedCells } from "./timed-cells.js";
import { timedHead } from "./timed-head.js";

export async function sensitivityStudy(study: TimedRequest, surroundings: StudySurroundings): Promise<ExitCode> {
	const { output, variants } = study;
	const { terminal } = surroundings;
	const sources = sourcesOf(study.sources);
	requireNoTimeLimit(sources, study.timeLimit);
	const file = openSamples(study, timedHead(study));
	const plan = timedCells(study, sources, surroundings);
	const samples = await measureCells(plan, file, study, surroundings);
	const found = sensitivityOf(samples, baseOf(variants.map(({ name }) => name)));
	const records = found.rows.map(({ options, ...row }) => ({ ...row, ...options }));
	writeFiles(output, {
		"sensitivity.csv": csvOf(records),
		"sensitivity.json": `${JSON.stringify(records, undefined, "\t")}\n`,
		"sensitivity.html": studyPage(sensitivityPage(found, study.sources.join(", ")), originOf(surroundings)),
	});
	sensitivityText(found).forEach(terminal.out);
	return endOf(plan, file, samples, study, surroundings);
}

/** What the names of all variants begin with, up to the first option that is varied. */
function baseOf(names: readonly string[]): string {
	const [first = ""] = names;
	const words = first.split(":");
	for (let length = words.length; length > 0; length -= 1) {
		const base = words.slice(0, length).join(":");
		if (names.every((name) => name === base || name.startsWith(`${base}:`))) return base;
	}
	return "";
}
