/** One matrix: this kernel against the best of the C kernels, beside the twin, and matrix-free if bodies are known. */
import { join } from "node:path";
import type { ProductOptions } from "@stickslip/core";
import { type Ours, ours } from "./ours.js";
import { impulses, type Pattern } from "./patterns.js";
import { Rival, writeProblem } from "./rival.js";
import { alternate, compare, type Side, type Times, timesOf } from "./windows.js";

/** How long is measured. */
export interface Effort {
	/** Windows of each side. */
	readonly rounds: number;
	readonly windowMs: number;
	/** How often both sides are set up afresh: where the system puts their pages is worth up to a tenth beyond the caches. */
	readonly placements: number;
}

export interface Row {
	readonly pattern: string;
	readonly place: string;
	readonly contacts: number;
	readonly blocks: number;
	readonly kernel: string;
	readonly bytes: number;
	readonly times: Times;
	/** This kernel's speed over that of the best C kernel: by least times, and by neighbouring windows. */
	readonly ratio?: { readonly byLeast: number; readonly pairs: Times };
}

interface Contest {
	readonly pattern: Pattern;
	readonly place: string;
	/** The compiled kernels.c, and a folder for the problem; undefined where there is no compiler. */
	readonly c: { readonly program: string; readonly folder: string } | undefined;
	readonly effort: Effort;
}

export async function assembled(contest: Contest): Promise<Row[]> {
	const { pattern, c, effort } = contest;
	const x = impulses(pattern.problem.contacts);
	// W is at hand: it is not assembled again for each side.
	const given = { ...pattern.problem, W: pattern.W };
	const twin = ours(given, x, { operator: "assembled", engine: "twin" });
	if (c === undefined) {
		const mine = ours(given, x, { operator: "assembled" });
		return rowsOf(contest, [mine, twin], await alternate([mine.run, twin.run], effort.rounds, effort.windowMs));
	}
	const file = join(c.folder, `${pattern.problem.contacts}.problem`);
	writeProblem(file, pattern.W, x);
	const others = await tournament(c.program, file, effort);
	const best = others.reduce((a, b) => (a.times.least <= b.times.least ? a : b));
	const windows: number[][] = [[], [], []];
	for (let placement = 0; placement < effort.placements; placement += 1) {
		const mine = ours(given, x, { operator: "assembled" });
		const { rival } = await Rival.start(c.program, file);
		try {
			await rival.use(best.kernel);
			await expectSame(mine, rival, pattern.problem.contacts);
			const sides: Side[] = [mine.run, twin.run, async (count) => (await rival.run(count)).nanoseconds];
			const times = await alternate(sides, Math.ceil(effort.rounds / effort.placements), effort.windowMs);
			for (const [side, { all }] of times.entries()) windows[side]?.push(...all);
			if (placement === effort.placements - 1)
				return rowsOf(contest, [mine, twin], windows.map(timesOf), { best, others });
		} finally {
			rival.end();
		}
	}
	throw new Error("no placement was asked for");
}

/** Throws where the two sides did not compute the same product. */
async function expectSame(mine: Ours, rival: Rival, contacts: number): Promise<void> {
	const { sum } = await rival.run(1);
	mine.run(1);
	const off = Math.abs(mine.sum() - sum) / contacts;
	if (!(off < 1e-9)) throw new Error(`the two sides differ: ${mine.sum()} and ${sum}`);
}

/** A C kernel in the tournament. */
interface Entry {
	readonly kernel: string;
	readonly bytes: number;
	readonly times: Times;
}

/** All C kernels, one after another, each with a third of the rounds; the best of them then takes turns with this kernel. */
async function tournament(program: string, file: string, effort: Effort): Promise<Entry[]> {
	const { rival, kernels } = await Rival.start(program, file);
	const entries: Entry[] = [];
	try {
		for (const kernel of kernels) {
			const bytes = await rival.use(kernel);
			const side: Side = async (count) => (await rival.run(count)).nanoseconds;
			const [times] = await alternate([side], Math.ceil(effort.rounds / 3), effort.windowMs);
			if (times !== undefined) entries.push({ kernel, bytes, times });
		}
	} finally {
		rival.end();
	}
	return entries;
}

function rowsOf(
	{ pattern, place }: Contest,
	[mine, twin]: readonly [Ours, Ours],
	times: readonly Times[],
	c?: { readonly best: Entry; readonly others: readonly Entry[] },
): Row[] {
	const { contacts } = pattern.problem;
	const blocks = pattern.W.rowStart[contacts] ?? 0;
	const base = { pattern: pattern.name, place, contacts, blocks };
	const [ofMine, ofTwin, ofC] = times as [Times, Times, Times | undefined];
	const against = (a: Times) => (ofC === undefined ? {} : { ratio: compare(a, ofC) });
	const rows: Row[] = [
		{ ...base, kernel: "ours, wasm", bytes: mine.bytes, times: ofMine, ...against(ofMine) },
		{ ...base, kernel: "ours, twin", bytes: twin.bytes, times: ofTwin, ...against(ofTwin) },
	];
	if (c === undefined || ofC === undefined) return rows;
	rows.push({ ...base, kernel: `C, ${c.best.kernel}`, bytes: c.best.bytes, times: ofC });
	for (const { kernel, bytes, times: mine } of c.others) {
		if (kernel !== c.best.kernel) rows.push({ ...base, kernel: `C, ${kernel}, alone`, bytes, times: mine });
	}
	return rows;
}

/** Matrix-free against assembled products; the ratio is the speed of the matrix-free ones over that of the others. */
export async function matrixFree({ pattern, place, effort }: Contest): Promise<Row[]> {
	const problem = { ...pattern.problem, W: pattern.W };
	const x = impulses(problem.contacts);
	const base = {
		pattern: pattern.name,
		place,
		contacts: problem.contacts,
		blocks: pattern.W.rowStart[problem.contacts] ?? 0,
	};
	const side = (options: ProductOptions) => ours(problem, x, options);
	const [free, rows, twin] = [
		side({ operator: "matrix-free" }),
		side({ operator: "assembled" }),
		side({ operator: "matrix-free", engine: "twin" }),
	];
	const times = await alternate([free.run, rows.run, twin.run], effort.rounds, effort.windowMs);
	const [ofFree, ofRows, ofTwin] = times as [Times, Times, Times];
	return [
		{ ...base, kernel: "matrix-free, wasm", bytes: free.bytes, times: ofFree, ratio: compare(ofFree, ofRows) },
		{ ...base, kernel: "matrix-free, twin", bytes: twin.bytes, times: ofTwin, ratio: compare(ofTwin, ofRows) },
		{ ...base, kernel: "assembled, wasm", bytes: rows.bytes, times: ofRows },
	];
}
