/**
 * Scaling on the cores of this machine, by `stickslip study strong` and `study weak` themselves: solves of a large pile, and whole steps of a large drum that
 * has settled. docs/scaling.md is made of what is recorded (`npm run docs:scaling`).
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Bench } from "../bench.js";
import { program } from "../launch/subject.js";
import { filledDrum } from "../mechanics/settled-drum.js";
import { mergeCsv } from "../record.js";
import { takePagePicture } from "./page-picture.js";

export interface ScalingCase {
	readonly name: string;
	/** Words behind `stickslip study`, without the folder. */
	words(sizes: ScalingSizes, folder: string): readonly string[];
	readonly targets: ScalingTargets;
}

/** Shares that cells of two ranks have to reach. */
interface ScalingTargets {
	readonly threads?: number;
	readonly mpi?: number;
	readonly zeromq?: number;
	readonly balance?: number;
	/** Of steps: the efficiency of whole steps, over any transport. */
	readonly all?: number;
}

export interface ScalingSizes {
	readonly contacts: number;
	readonly bodies: number;
	readonly rounds: number;
	readonly skip: number;
	readonly steps: number;
	readonly transports: string;
}

export const fullSizes: ScalingSizes = {
	contacts: 100_000,
	bodies: 20_000,
	rounds: 3,
	skip: 250,
	steps: 100,
	transports: "threads,mpi,zeromq",
};

/** The factors have to multiply to the efficiency that was measured. */
const AGREES_WITHIN = 0.02;
/** Iterations of a solve: what one costs does not change later. */
const ITERATIONS = 100;
const METHODS = "gauss-seidel,pqn-diagonal,auto";
const PILE_TARGETS = { threads: 0.95, mpi: 0.95, zeromq: 0.92, balance: 0.98 };

export const scalingCases: readonly ScalingCase[] = [
	{
		name: "pile",
		words: ({ contacts, rounds, transports }) => [
			...["strong", `spheres:${contacts}:1`, "--methods", METHODS, "--ranks", "1,2", "--transports", transports],
			...["--max-iterations", String(ITERATIONS), "--rounds", String(rounds)],
		],
		targets: PILE_TARGETS,
	},
	{
		name: "pile-weak",
		words: ({ contacts, rounds, transports }) => [
			...["weak", `spheres:${contacts / 2}:1`, "--methods", METHODS, "--ranks", "1,2", "--transports", transports],
			...["--max-iterations", String(ITERATIONS), "--rounds", String(rounds)],
		],
		targets: {},
	},
	{
		name: "drum",
		words: ({ bodies, rounds, skip, steps, transports }, folder) => [
			...["strong", sceneFile(bodies, folder), "--ranks", "1,2", "--transports", transports],
			...["--skip", String(skip), "--steps", String(steps), "--rounds", String(rounds)],
		],
		targets: { all: 0.88 },
	},
];

/** The drum with its particles at the bottom; the steps that are skipped settle them. */
function sceneFile(bodies: number, folder: string): string {
	mkdirSync(folder, { recursive: true });
	const path = join(folder, `drum-${bodies}.json`);
	writeFileSync(path, JSON.stringify(filledDrum({ bodies, shape: "ellipsoids", scheme: "velocity-impulse" })));
	return path;
}

const kept = fileURLToPath(new URL("../../../out/scaling/", import.meta.url));

export type ScalingRecord = Readonly<Record<string, string | number | undefined>>;

/** Runs a case into its folder, where it goes on if it was stopped, and returns its records. */
export function runCase(each: ScalingCase, sizes: ScalingSizes, folder: string): ScalingRecord[] {
	// Relative, as a person writes it: the page shows the line.
	const output = join(relative(process.cwd(), folder), each.name);
	const words = each.words(sizes, relative(process.cwd(), folder));
	const { status } = spawnSync(process.execPath, [program, "study", ...words, "--output", output], {
		stdio: "inherit",
	});
	if (status !== 0 && status !== 2) throw new Error(`stickslip study ended with ${status}`);
	return JSON.parse(readFileSync(join(output, `${words[0]}.json`), "utf8")) as ScalingRecord[];
}

const COLUMNS = [
	...[
		"status",
		"seconds",
		"spread",
		"rounds",
		"speedup",
		"efficiency",
		"solveEfficiency",
		"loadBalance",
		"serialisation",
	],
	...["transfer", "iterationFactor", "computation", "product", "contacts", "iterations", "exchanges", "reductions"],
	...["messages", "bytes", "hash", "others", "verdict"],
];

/** With the columns of all cases, and no more digits than mean something. */
export function rowOf(name: string, record: ScalingRecord): Record<string, string | number> {
	const { problem = "", method = "", transport = "", ranks = 0 } = record;
	// Of a step, as all other numbers; the study has the sums.
	const steps = Number(record.steps ?? 1);
	const cells = COLUMNS.map((column) => {
		const value = record[column];
		const each = column === "messages" || column === "bytes" ? steps : 1;
		return [column, typeof value === "number" ? Number((value / each).toPrecision(4)) : (value ?? "")];
	});
	// Of a file its name: folders are of one machine.
	const shown = String(problem).replace(/^.*[\\/]/, "");
	return { case: name, method, transport, ranks, problem: shown, ...Object.fromEntries(cells) };
}

/** What was not reached. */
export function missed({ name, targets }: ScalingCase, records: readonly ScalingRecord[]): string[] {
	const told: string[] = [];
	for (const record of records) {
		const { transport, ranks, method, efficiency, product, loadBalance, status } = record;
		const cell = `${name}, ${method} on ${ranks} over ${transport}`;
		if (status === "failed") told.push(`${cell}: ${record.reason}`);
		if (ranks === 1 || typeof efficiency !== "number") continue;
		const wanted = targets.all ?? targets[transport as "threads" | "mpi" | "zeromq"];
		const share = (value: unknown) => `${(100 * Number(value)).toFixed(1)} %`;
		if (wanted !== undefined && efficiency < wanted)
			told.push(`${cell}: efficiency ${share(efficiency)} instead of ${share(wanted)}`);
		if (targets.balance !== undefined && Number(loadBalance) < targets.balance)
			told.push(`${cell}: load balance ${share(loadBalance)} instead of ${share(targets.balance)}`);
		if (Math.abs(Number(product) / efficiency - 1) > AGREES_WITHIN)
			told.push(`${cell}: the factors multiply to ${share(product)}, and ${share(efficiency)} was measured`);
	}
	return told.map((line) => `MISSED: ${line}`);
}

async function run(args: readonly string[]): Promise<number> {
	const text = { type: "string" } as const;
	const options = {
		case: text,
		contacts: text,
		bodies: text,
		rounds: text,
		transports: text,
		folder: text,
		picture: text,
	};
	const { values } = parseArgs({ args: [...args], options });
	const number = (name: "contacts" | "bodies" | "rounds") => Number(values[name] ?? fullSizes[name]);
	const sizes = {
		...fullSizes,
		...{ contacts: number("contacts"), bodies: number("bodies"), rounds: number("rounds") },
		transports: values.transports ?? fullSizes.transports,
	};
	const failures: string[] = [];
	for (const each of scalingCases.filter(({ name }) => values.case === undefined || values.case === name)) {
		const records = runCase(each, sizes, values.folder ?? kept);
		const path = mergeCsv(
			"scaling",
			["case", "method", "transport", "ranks"],
			records.map((record) => rowOf(each.name, record)),
		);
		failures.push(...missed(each, records));
		console.log(`recorded in ${path}; npm run docs:scaling makes docs/scaling.md of it`);
	}
	if (values.picture !== undefined)
		await takePagePicture(join(values.folder ?? kept, "pile/strong.html"), values.picture);
	for (const line of failures) console.log(line);
	return failures.length === 0 ? 0 : 1;
}

export const scaling: Bench = {
	name: "scaling",
	what: "strong and weak scaling on two cores, by stickslip study; [--case pile|pile-weak|drum] [--contacts N] [--bodies N] [--rounds N] [--transports LIST] [--folder F] [--picture FILE.png]",
	run,
};
