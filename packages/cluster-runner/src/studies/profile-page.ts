/** A study of performance profiles as a page and as lines of text. */
import { basename } from "node:path";
import { exact, three } from "../base/format.js";
import type { Score } from "../requests/study-request.js";
import { tableLines } from "../study/study-files.js";
import type { PageTable, StudyPage } from "../study/study-page.js";
import { type Profile, type ProfileCell, shareWithin } from "./profile.js";
import { profileLines } from "./profile-plot.js";

export interface ProfileResult {
	readonly profiles: readonly Profile[];
	readonly cells: readonly ProfileCell[];
	readonly variants: readonly string[];
	readonly score: Score;
	readonly measure: string;
	/** What differs between the samples. */
	readonly warnings: readonly string[];
}

/** A row per method with its settings: problems solved, problems on which it is the best, and mean ratio to the best. */
function tableOf({ variants, problems }: Profile): PageTable {
	const rows = variants.map((each) => [
		each.variant,
		`${each.solved} of ${problems}`,
		String(each.best),
		each.solved > 0 ? three(each.mean) : "-",
		percent(shareWithin(each, problems, 2)),
		percent(shareWithin(each, problems, 10)),
	]);
	return { titles: ["method", "solved", "best", "mean ratio", "within 2", "within 10"], rows };
}

const percent = (share: number) => `${Math.round(100 * share)} %`;

/** Methods that alone solve a problem, and those that alone do not. */
function remarks({ variants, unsolved }: Profile): string[] {
	const names = (files: readonly string[]) => files.map((file) => basename(file)).join(", ");
	return [
		...variants
			.filter(({ alone }) => alone.length > 0)
			.map(({ variant, alone }) => `${variant} alone solves ${names(alone)}`),
		...variants
			.filter(({ lost }) => lost.length > 0)
			.map(({ variant, lost }) => `${variant} alone does not solve ${names(lost)}`),
		...(unsolved.length > 0 ? [`none solves ${names(unsolved)}`] : []),
	];
}

export function profileText({ profiles, score, measure, warnings }: ProfileResult): string[] {
	const tables = profiles.flatMap((profile, index) => [
		...(index > 0 ? [""] : []),
		`${measure} ${exact(profile.tolerance)}, by ${score}:`,
		...tableLines(tableOf(profile)),
		...remarks(profile),
	]);
	return [...tables, ...warnings.map((warning) => `warning: ${warning}`)];
}

export function profilePage(result: ProfileResult): StudyPage {
	const { profiles, score, measure, cells, warnings } = result;
	const sections = profiles.map((profile) => ({
		title: `${measure} ${exact(profile.tolerance)}`,
		plots: [profileLines(profile, score, measure)],
		tables: [tableOf(profile)],
		text: remarks(profile).map((remark) => `${remark}.`),
		folded: [{ title: `Every problem: ${score}`, ...everyCell(result, profile.tolerance) }],
	}));
	const best = score === "seconds" ? "the best time" : `the least ${score}`;
	const curves = `Each curve: share of problems solved within x times ${best}.`;
	return { title: `Performance profiles by ${score}`, text: [`${curves} ${cells.length} solves.`], warnings, sections };
}

/** One row per problem, one column per method. */
function everyCell({ cells, variants, score }: ProfileResult, tolerance: number): PageTable {
	const own = cells.filter((cell) => cell.tolerance === tolerance);
	const problems = [...new Set(own.map(({ problem }) => problem))];
	const rows = problems.map((problem) => {
		const shown = variants.map((variant) => {
			const cell = own.find((each) => each.problem === problem && each.variant === variant);
			if (cell === undefined) return "";
			return cell.status === "solved" ? three(cell[score]) : cell.status;
		});
		return [problem, ...shown];
	});
	return { titles: ["problem", ...variants], rows };
}
