/** `stickslip study strong` and `study weak`: all cells, then tables, plots and the page. */
import { InputError } from "@stickslip/core";
import type { ExitCode } from "../cli/command.js";
import type { TimedRequest } from "../requests/study-request.js";
import { csvOf, writeFiles } from "../study/study-files.js";
import { studyPage } from "../study/study-page.js";
import { usableCores } from "../study/usable-cores.js";
import { scalingOf } from "./scaling.js";
import { scalingPage, scalingRecords, scalingText } from "./scaling-page.js";
import { requireNoTimeLimit, type Source, sourcesOf } from "./source.js";
import { endOf, measureCells, openSamples, originOf, type StudySurroundings } from "./surroundings.js";
import { timedCells } from "./timed-cells.js";
import { timedHead } from "./timed-head.js";

export async function scalingStudy(study: TimedRequest, surroundings: StudySurroundings): Promise<ExitCode> {
	const { output } = study;
	const kind = study.kind === "weak" ? "weak" : "strong";
	const { terminal, placementFor } = surroundings;
	const sources = sourcesOf(study.sources);
	requireNoTimeLimit(sources, study.timeLimit);
	if (kind === "weak") requireGrowing(sources);
	const file = openSamples(study, timedHead(study));
	const plan = timedCells(study, sources, surroundings);
	const samples = await measureCells(plan, file, study, surroundings);
	const groups = scalingOf(samples);
	const around = { kind, cores: placementFor === undefined ? usableCores() : undefined } as const;
	const records = scalingRecords(groups, around);
	writeFiles(output, {
		[`${kind}.csv`]: csvOf(records),
		[`${kind}.json`]: `${JSON.stringify(records, undefined, "\t")}\n`,
		[`${kind}.html`]: studyPage(scalingPage(groups, around), originOf(surroundings)),
	});
	scalingText(groups, around).forEach(terminal.out);
	return endOf(plan, file, samples, study, surroundings);
}

function requireGrowing(sources: readonly Source[]): void {
	const fixed = sources.find(({ size }) => size === undefined);
	if (fixed === undefined) return;
	const remedy = "name a generated problem (spheres:1000), or a scene by name with bodies";
	throw new InputError("study", fixed.name, "does not grow with the ranks", remedy);
}
