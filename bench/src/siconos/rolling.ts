/**
 * Rolling friction: our sweeps beside Siconos' rolling NSGS, and our ADMM beside its rolling ADMM, on the rolling files of data/ and on generated
 * piles, at natural 1e-4 and 1e-8. Both start from R = 0 with the same blocks, take turns, and are judged by rolling-problem.ts; of Siconos'
 * configurations the fastest that truly reaches the tolerance counts, each with its own tolerance at 1, 0.3 and 0.1 times the wanted one.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { condense, generate, type Problem, rollingBodies, solve } from "@stickslip/core";
import type { Bench } from "../bench.js";
import { dataFiles, dataFolder, readFile } from "../data.js";
import { recordCsv } from "../record.js";
import { readVector } from "./binary.js";
import { buildProgram, pinned } from "./installed.js";
import { fiveBlocks, naturalError, type RollingBlocks, withSpinsApart, writeRolling } from "./rolling-problem.js";

const usage = "npm run bench -- siconos-rolling [--only TEXT] [--tolerance T] [--limit S] [--rounds N]";
const SOURCE = fileURLToPath(new URL("../../src/siconos/rolling.c", import.meta.url));
/** Solvers of one name: ours, and theirs as configurations of rolling.c (whose shuffled sweeps crash, and are left out). */
const PAIRS = [
	{ name: "nsgs", method: "gauss-seidel", configs: ["nsgs-full", "dense-nsgs-full", "nsgs"] },
	{ name: "admm", method: "admm", configs: ["admm"] },
] as const;
type Pair = (typeof PAIRS)[number];
const STRICTNESS = [1, 0.3, 0.1];
const BUDGET = 0.2;
/** Ours is to be so much faster, in the geometric mean. */
const TARGET = 1.5;

/** Generated piles: name, contacts, rolling friction in m (spheres have a radius of about 1.6 cm). */
const PILES = [
	["spheres", 30, 5e-4],
	["spheres", 100, 5e-4],
	["spheres", 200, 2e-3],
	["spheres-layers", 60, 1e-3],
	["spheres-layers", 500, 1e-3],
	["spheres-heavy", 60, 2e-3],
	["spheres-heavy", 200, 2e-3],
	["planks", 50, 2e-3],
	["planks", 200, 2e-3],
	["planks", 1000, 2e-3],
] as const;

interface Subject {
	readonly name: string;
	readonly problem: Problem;
	readonly blocks: RollingBlocks;
}

interface Side {
	readonly seconds: number;
	readonly natural: number;
	readonly by: string;
}

export const siconosRolling: Bench = {
	name: "siconos-rolling",
	what: "rolling friction: ours against Siconos' rolling NSGS and ADMM, problem by problem",
	async run(args) {
		const { values } = parseArgs({
			args: [...args],
			options: {
				only: { type: "string", default: "" },
				tolerance: { type: "string", multiple: true, default: ["1e-4", "1e-8"] },
				limit: { type: "string", default: "10" },
				rounds: { type: "string", default: "2" },
			},
		});
		const [limit, rounds] = [Number(values.limit), Number(values.rounds)];
		const tolerances = values.tolerance.map(Number);
		if (![...tolerances, limit, rounds].every((value) => value > 0)) {
			console.log(usage);
			return 2;
		}
		const folder = mkdtempSync(join(tmpdir(), "stickslip-siconos-rolling-"));
		try {
			const built = buildProgram(SOURCE, join(folder, "rolling"));
			if ("absent" in built) {
				console.log(`skipped: Siconos cannot be measured here: ${built.absent}`);
				return 0;
			}
			const subjects = (await allSubjects()).filter(({ name }) => name.includes(values.only));
			return compareAll(subjects, tolerances, { program: built.program, folder, limit, rounds }, values.only === "");
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
	},
};

async function allSubjects(): Promise<Subject[]> {
	const data = dataFolder();
	const files = data === undefined ? [] : dataFiles(data, ["fclib-rolling"]);
	const read = await Promise.all(files.map(async ({ name, path }) => subject(name, await readFile(path))));
	return [...read, ...PILES.map(([name, contacts, muRolling]) => pile(name, contacts, muRolling))];
}

/** A generated pile whose contacts roll. */
export function pile(name: string, contacts: number, muRolling: number): Subject {
	const made = generate(name, { contacts });
	const count = made.contacts;
	const friction = { muRolling: new Float64Array(count).fill(muRolling), muSpinning: new Float64Array(count) };
	return subject(`${name} ${contacts}, mu_r ${muRolling}`, condense(rollingBodies({ ...made, ...friction })));
}

function subject(name: string, problem: Problem): Subject {
	const { W, q, mu, laws } = problem;
	if (W === undefined || laws === undefined) throw new Error(`${name} has no W, or nothing rolls`);
	const firsts = mu.filter((_, a) => a % 2 === 0);
	const muRolling = firsts.map((_, k) => laws.parameters[16 * k + 1]!);
	const apart = withSpinsApart(W, q);
	const { global: _, ...local } = problem;
	return { name, problem: { ...local, ...apart }, blocks: fiveBlocks(W, q, firsts, muRolling) };
}

interface Means {
	readonly program: string;
	readonly folder: string;
	readonly limit: number;
	readonly rounds: number;
}

interface Row {
	readonly pair: Pair;
	readonly problem: string;
	readonly contacts: number;
	readonly tolerance: number;
	readonly ours: Side | undefined;
	readonly theirs: Side | undefined;
}

function compareAll(
	subjects: readonly Subject[],
	tolerances: readonly number[],
	means: Means,
	isComplete: boolean,
): number {
	console.log(`pair  ${"problem".padEnd(36)} contacts    tol |    ours ms |  theirs ms |   ratio`);
	const rows: Row[] = [];
	for (const each of subjects) {
		for (const pair of PAIRS) {
			for (const tolerance of tolerances) {
				const sides = compare(each, pair, tolerance, means);
				const row = { pair, problem: each.name, contacts: each.blocks.contacts, tolerance, ...sides };
				rows.push(row);
				console.log(line(row));
				// Who does not reach the loose one is spared the strict one.
				if (!sides.ours && !sides.theirs) break;
			}
		}
	}
	const held = PAIRS.map((pair) => summary(pair, rows)).every(Boolean);
	if (isComplete) console.log(`recorded in ${recordCsv("siconos-rolling", rows.map(flat))}`);
	return held ? 0 : 1;
}

/** How many times faster ours is. */
function ratioOf({ ours, theirs }: Row): number | undefined {
	return ours && theirs && theirs.seconds / ours.seconds;
}

function verdictOf(row: Row): string {
	return ratioOf(row)?.toFixed(2) ?? (row.ours ? "only us" : row.theirs ? "lost" : "neither");
}

function line(row: Row): string {
	const { pair, problem, contacts, tolerance, ours, theirs } = row;
	const [mine, other] = [ours, theirs].map((side) =>
		(side ? (1e3 * side.seconds).toPrecision(3) : "unsolved").padStart(10),
	);
	const first = `${pair.name.padEnd(5)} ${problem.padEnd(36)} ${String(contacts).padStart(8)}`;
	return `${first} ${tolerance.toExponential(0).padStart(6)} | ${mine} | ${other} | ${verdictOf(row).padStart(7)}`;
}

function flat(row: Row): Record<string, string | number> {
	const { pair, problem, contacts, tolerance, ours, theirs } = row;
	return {
		pair: pair.name,
		problem,
		tolerance,
		method: pair.method,
		contacts,
		seconds: ours?.seconds.toPrecision(3) ?? "",
		natural: ours?.natural.toPrecision(3) ?? "",
		siconosSeconds: theirs?.seconds.toPrecision(3) ?? "",
		siconosNatural: theirs?.natural.toPrecision(3) ?? "",
		siconosConfig: theirs?.by ?? "",
		ratio: verdictOf(row),
	};
}

/** Whether ours is as fast as it is to be, and has solved what theirs has. */
function summary(pair: Pair, all: readonly Row[]): boolean {
	const rows = all.filter((row) => row.pair === pair);
	const ratios = rows.map(ratioOf).filter((ratio) => ratio !== undefined);
	const mean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
	const [ours, theirs] = [rows.filter((row) => row.ours).length, rows.filter((row) => row.theirs).length];
	const lost = rows.filter((row) => row.theirs && !row.ours).length;
	const fast = `ours is ${mean.toFixed(2)} times as fast in the geometric mean of ${ratios.length} (to be at least ${TARGET})`;
	console.log(`${pair.name}: ${fast}; solved ${ours} and ${theirs} of ${rows.length}, lost ${lost}`);
	return (ratios.length === 0 || mean >= TARGET) && ours >= theirs;
}

/** Both in turns; the fastest configuration of the first round is the one of the others. */
function compare(each: Subject, pair: Pair, tolerance: number, means: Means): Pick<Row, "ours" | "theirs"> {
	const file = join(means.folder, "problem.bin");
	writeRolling(file, each.blocks);
	let [ours, theirs]: (Side | undefined)[] = [];
	let configs: readonly string[] = pair.configs;
	for (let round = 0; round < means.rounds; round += 1) {
		ours = faster(ourSide(each, pair.method, tolerance, means.limit), ours);
		for (const config of configs) theirs = faster(theirSide(each, file, config, tolerance, means), theirs);
		configs = theirs ? [theirs.by] : [];
		if (!ours || !theirs) break;
	}
	return { ours, theirs };
}

function faster(one: Side | undefined, other: Side | undefined): Side | undefined {
	if (one === undefined || other === undefined) return one ?? other;
	return one.seconds <= other.seconds ? one : other;
}

/** Nothing where it is not solved in time. */
export function ourSide(
	{ problem, blocks }: Subject,
	method: string,
	tolerance: number,
	timeLimit: number,
): Side | undefined {
	const wanted = { method, measure: "natural", tolerance, timeLimit } as const;
	const first = solve(problem, wanted);
	if (first.report.status !== "solved") return undefined;
	const repeat = Math.min(1000, Math.max(1, Math.ceil(BUDGET / first.report.seconds)));
	const { reaction, report } = solve(problem, { ...wanted, repeat });
	const five = reaction.filter((_, k) => k % 6 !== 3);
	const natural = naturalError(blocks, five);
	return natural <= tolerance * (1 + 1e-6) ? { seconds: report.seconds, natural, by: report.method } : undefined;
}

function theirSide(
	{ blocks }: Subject,
	file: string,
	config: string,
	tolerance: number,
	means: Means,
): Side | undefined {
	const answer = join(means.folder, "answer.f64");
	for (const strictness of STRICTNESS) {
		const own = [String(strictness * tolerance), String(means.limit), String(BUDGET)];
		const [command, words] = pinned([means.program, file, answer, config, ...own]);
		const env = { ...process.env, OPENBLAS_NUM_THREADS: "1", OMP_NUM_THREADS: "1" };
		const { status, stdout } = spawnSync(command, words, { env, encoding: "utf8" });
		const line = stdout.split("\n").find((each) => each.startsWith("{"));
		if (status !== 0 || line === undefined) return undefined;
		const { seconds } = JSON.parse(line) as { seconds: number };
		const natural = naturalError(blocks, readVector(answer));
		if (natural <= tolerance) return { seconds, natural, by: config };
	}
	return undefined;
}
