/** `stickslip study profile`: all cells, then tables, plots and page. */
import type { Session } from "@stickslip/core";
import type { ExitCode } from "../cli/command.js";
import { expand } from "../cli/expand.js";
import type { ProfileRequest } from "../requests/study-request.js";
import { openSession } from "../session/open-session.js";
import { differencesOf } from "../study/differences.js";
import type { Sample } from "../study/sample.js";
import { csvOf, writeFiles } from "../study/study-files.js";
import { studyPage } from "../study/study-page.js";
import { profileCell, profileOf } from "./profile.js";
import { profileCells } from "./profile-cells.js";
import { type ProfileResult, profilePage, profileText } from "./profile-page.js";
import { profilePlot } from "./profile-plot.js";
import { endOf, measureCells, openSamples, originOf, type StudySurroundings } from "./surroundings.js";

export async function profileStudy(study: ProfileRequest, surroundings: StudySurroundings): Promise<ExitCode> {
	const { measure, timeLimit, maxIterations, repeat, output, jobs } = study;
	const { signal, placement, log, terminal } = surroundings;
	const request = { ...study, files: expand(study.files) };
	const file = openSamples(study, { study: "profile", measure, timeLimit, maxIterations, repeat });
	let opening: Promise<Session> | undefined;
	// All ranks of a launcher solve, unless fewer jobs are wanted.
	const ranks = placement === undefined ? (jobs ?? 1) : placement.nodes * placement.ranksPerNode;
	const session = () => {
		const started = placement === undefined ? { ranks } : { placement, log };
		opening ??= openSession({ ...started, cutFrom: Number.POSITIVE_INFINITY });
		return opening;
	};
	const plan = profileCells(request, session, signal);
	let samples: Sample[];
	try {
		samples = await measureCells(plan, file, study, surroundings, Math.min(ranks, jobs ?? ranks));
	} finally {
		await (await opening)?.close();
	}
	const result = resultOf(study, samples);
	save(output, result, samples, surroundings);
	profileText(result).forEach(terminal.out);
	return endOf(plan, file, samples, study, surroundings);
}

function resultOf({ variants: all, tolerances, score, measure }: ProfileRequest, samples: readonly Sample[]) {
	const variants = all.map(({ name }) => name);
	const cells = samples.map(profileCell);
	const profiles = tolerances.map((tolerance) => profileOf(cells, variants, tolerance, score));
	// Variants take problems to different answers, and solves at once disturb each other: both as it should be.
	return { profiles, cells, variants, score, measure, warnings: differencesOf(samples) };
}

function save(
	folder: string,
	result: ProfileResult,
	samples: readonly Sample[],
	surroundings: StudySurroundings,
): void {
	const records = samples.map(({ axes, status, values, hash }) => ({ ...axes, status, ...values, hash }));
	const plots = result.profiles.map((profile): [string, string] => [
		`profile-${profile.tolerance}.svg`,
		profilePlot(profile, result.score, result.measure),
	]);
	writeFiles(folder, {
		"profile.csv": csvOf(records),
		"profile.json": `${JSON.stringify(records, undefined, "\t")}\n`,
		"profile.html": studyPage(profilePage(result), originOf(surroundings)),
		...Object.fromEntries(plots),
	});
}
