/**
 * What the constants and the phases of `auto` are chosen by: the problems of data/, generated piles and steps of scenes (problem-sets.ts), never by name, to
 * natural 1e-4 and 1e-8. Each variant leaves a phase out or has another constant. Printed is the geometric mean of the variant's work over that of
 * `auto` as it is, and what each solves. Work is counted in sweeps, factors included (core's factor-work.ts): nothing here depends on the machine.
 */
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import type { Problem } from "@stickslip/core";
import { solveWork } from "@stickslip/core/parallel";
import type { Bench } from "../bench.js";
import { dataFiles, dataFolder, readFile } from "../data.js";
import { generatedProblems, sceneProblems, TRAINING_SEED } from "../problem-sets.js";
import { recordCsv } from "../record.js";

const usage = "npm run bench -- auto-train [--only TEXT] [--products N] [--try NAME=VALUE[,NAME=VALUE]]...";
const TOLERANCES = [1e-4, 1e-8];
/** Whoever has fewer contacts is done before there is anything to choose. */
const CONTACTS_MIN = 20;
const FOLDERS = ["fclib", "drum", "cubes"];

type Settings = Readonly<Record<string, string | number>>;

/** Leave one out, and each constant a step up and down. */
const VARIANTS: readonly Settings[] = [
	{},
	{ without: "newton" },
	{ without: "interior-point" },
	{ without: "pqn" },
	{ without: "factors" },
	{ near: 1e-3 },
	{ near: 1e-5 },
	{ share: 0 },
	{ share: 0.3 },
	{ share: 1 },
];

interface Trial {
	readonly problem: string;
	readonly tolerance: number;
	/** Of each variant, in sweeps; infinite where it did not solve it. */
	readonly work: readonly number[];
}

export const autoTrain: Bench = {
	name: "auto-train",
	what: "what each phase and each constant of auto contributes, on problems that are not named",
	async run(args) {
		let plan: { only: string; products: number; variants: Settings[] };
		try {
			plan = planned(args);
		} catch (error) {
			console.log(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
			return 2;
		}
		const trials: Trial[] = [];
		for await (const { name, problem } of trainingProblems(plan.only)) {
			for (const tolerance of TOLERANCES) trials.push(runTrial(name, problem, tolerance, plan));
			const [loose, strict] = trials.slice(-2);
			console.log(`${name.padEnd(40)} ${workOf(loose!)} | ${workOf(strict!)}`);
		}
		const rows = summary(plan.variants, trials);
		for (const row of rows) console.log(Object.values(row).join("  "));
		if (plan.only === "" && rows.length > 0) console.log(`recorded in ${recordCsv("auto-train", rows)}`);
		return 0;
	},
};

function planned(args: readonly string[]) {
	const { values } = parseArgs({
		args: [...args],
		options: {
			only: { type: "string", default: "" },
			products: { type: "string", default: "5000" },
			try: { type: "string", multiple: true },
		},
	});
	const products = Number(values.products);
	if (!(products > 0)) throw new Error("--products is not a positive number");
	const variants = values.try === undefined ? [...VARIANTS] : [{}, ...values.try.map(settingsOf)];
	return { only: values.only, products, variants };
}

function settingsOf(text: string): Settings {
	const pairs = text.split(",").map((pair) => pair.split("="));
	return Object.fromEntries(
		pairs.map(([name = "", value = ""]) => [name, Number.isNaN(Number(value)) ? value : Number(value)]),
	);
}

/** Those of the shared folder by their W, where there are any, and those that the bench makes. */
async function* trainingProblems(only: string): AsyncGenerator<{ name: string; problem: Problem }> {
	const data = dataFolder();
	const files = data === undefined || !existsSync(data) ? [] : dataFiles(data, FOLDERS);
	for (const { name, path } of files) {
		if (!name.includes(only)) continue;
		const { contacts, q, mu, W, equalities } = await readFile(path);
		if (W === undefined || equalities !== undefined || contacts < CONTACTS_MIN) continue;
		yield { name, problem: { name, contacts, q, mu, W } };
	}
	for (const { name, problem } of [...generatedProblems(TRAINING_SEED), ...sceneProblems(TRAINING_SEED)]) {
		if (!name.includes(only)) continue;
		const made = problem();
		if (made.contacts >= CONTACTS_MIN) yield { name, problem: made };
	}
}

/** All variants, each within so many products. */
export function runTrial(
	name: string,
	problem: Problem,
	tolerance: number,
	{ products, variants }: { products: number; variants: readonly Settings[] },
): Trial {
	const work = variants.map((set) => {
		const found = solveWork(problem, { tolerance, measure: "natural", set: { products, ...set } });
		return found.status === "solved" ? found.work : Number.POSITIVE_INFINITY;
	});
	return { problem: name, tolerance, work };
}

function workOf({ work }: Trial): string {
	return work.map((each) => (Number.isFinite(each) ? each.toFixed(0) : "no")).join(" ");
}

/** A line per tolerance and variant: means over those that it and the first variant solve by other ways. */
export function summary(variants: readonly Settings[], trials: readonly Trial[]) {
	return TOLERANCES.flatMap((tolerance) => {
		const mine = trials.filter((trial) => trial.tolerance === tolerance);
		return variants.map((set, k) => {
			const both = mine.filter(({ work }) => Number.isFinite(work[0]) && Number.isFinite(work[k]));
			const others = both.filter(({ work }) => work[0] !== work[k]);
			return {
				variant:
					Object.entries(set)
						.map((pair) => pair.join("="))
						.join(" ") || "as it is",
				tolerance,
				problems: mine.length,
				solved: mine.filter(({ work }) => Number.isFinite(work[k])).length,
				work: mean(both, k).toFixed(3),
				otherwise: others.length,
				workOtherwise: mean(others, k).toFixed(3),
			};
		});
	});
}

function mean(trials: readonly Trial[], k: number): number {
	const sum = trials.reduce((all, { work }) => all + Math.log(work[k]! / work[0]!), 0);
	return trials.length === 0 ? 1 : Math.exp(sum / trials.length);
}
