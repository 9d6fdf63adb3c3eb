/** Checkpoints for tests: made of numbers that depend on the place and the iteration alone, so that any part of them can be checked. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generate, type Report } from "@stickslip/core";
import { cutState, type RunState, type StateSpace, type StateVector } from "@stickslip/core/parallel";
import { type Checkpointer, type CheckpointerOptions, openCheckpointer } from "../checkpoints/checkpointer.js";
import { solveIdentity } from "../checkpoints/identity.js";
import { MANIFEST, type Manifest, manifestText, parseManifest } from "../checkpoints/manifest.js";
import type { Log, LogFields } from "../records/log.js";

export const keptProblem = generate("spheres", { contacts: 12 });
export const keptOptions = { method: "pqn", tolerance: 1e-6, set: { m: 5 } } as const;
export const keptIdentity = solveIdentity(keptProblem, keptOptions);

/** Of each space, how many ids it has: three ranks or more have different numbers of them, and some none. */
const COUNTS = { blocks: 12, bodies: 5, events: 1 } as const;
type Space = keyof typeof COUNTS;
export const spaces = Object.keys(COUNTS) as Space[];

/** Two spaces side by side and a third of a single id, vectors of several widths. Every kind of plain data, signed zeros and NaN among them. */
export function stateAt(iteration: number): RunState {
	const space = (name: Space, vectors: Record<string, readonly [width: number, of: number]>): StateSpace => {
		const count = COUNTS[name];
		const vector = (width: number, of: number): StateVector => {
			return { width, values: Float64Array.from({ length: width * count }, (_, at) => of * (at + 1) + iteration / 7) };
		};
		return {
			count,
			ids: Int32Array.from({ length: count }, (_, id) => id),
			vectors: Object.fromEntries(Object.entries(vectors).map(([each, [width, of]]) => [each, vector(width, of)])),
		};
	};
	const history = Array.from({ length: 100 }, (_, at) => 1 / (at + iteration));
	const odd = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0, 0, 2 ** 60, 5e-324];
	const scalars = { history, odd, method: { name: "pqn", fresh: true, count: -3 }, "": "", empty: {}, none: [] };
	return {
		iteration,
		scalars,
		spaces: {
			blocks: space("blocks", { r: [3, 1], best: [3, -0], "window 0": [3, 1e300] }),
			bodies: space("bodies", { velocity: [6, -1], age: [1, 0.1] }),
			events: space("events", {}),
		},
	};
}

/** In this many parts; only the first has the scalars, as with ranks. */
export function partsOf(state: RunState, ranks: number): RunState[] {
	return Array.from({ length: ranks }, (_, rank) => {
		const owned = Object.entries(state.spaces).map(([space, { ids }]) => {
			return [space, ids.filter((id) => id % ranks === rank)] as const;
		});
		const part = cutState(state, Object.fromEntries(owned));
		return rank === 0 ? part : { ...part, scalars: {} };
	});
}

export interface LogEntry {
	readonly level: string;
	readonly event: string;
	readonly facts: LogFields;
}

/** A log that keeps its entries. */
export function memoryLog(): Log & { readonly lines: LogEntry[] } {
	const lines: LogEntry[] = [];
	return { lines, write: (_source, level, event, facts = {}) => lines.push({ level, event, facts }) };
}

export async function open(folder: string, rest: Partial<CheckpointerOptions> = {}): Promise<Checkpointer> {
	return await openCheckpointer({ folder, interval: 0, identity: keptIdentity, ...rest });
}

/** Writes checkpoints of these iterations, one after another. */
export async function writeCheckpoints(folder: string, iterations: readonly number[], ranks: number): Promise<void> {
	const checkpointer = await open(folder);
	checkpointer.begin(ranks);
	for (const iteration of iterations) {
		await Promise.all(partsOf(stateAt(iteration), ranks).map((part, rank) => checkpointer.take(rank, part)));
		await checkpointer.settle();
	}
	await checkpointer.close();
}

/** A folder for changes by a test, with copies of the given files. */
export class Playground {
	readonly base = mkdtempSync(join(tmpdir(), "stickslip-kept-"));
	#folders = 0;

	folder(): string {
		this.#folders += 1;
		return join(this.base, String(this.#folders));
	}

	copy(of: string): string {
		const to = this.folder();
		cpSync(of, to, { recursive: true });
		return to;
	}

	remove(): void {
		rmSync(this.base, { recursive: true, force: true });
	}
}

/** Names of the checkpoints in a folder. */
export function checkpointsIn(folder: string): string[] {
	return readdirSync(folder).sort();
}

export function change(path: string, how: (bytes: Buffer) => Uint8Array): void {
	writeFileSync(path, how(readFileSync(path)));
}

/** Changes the manifest, with a valid checksum. */
export function forge(path: string, how: (manifest: Manifest) => object): void {
	const file = join(path, MANIFEST);
	writeFileSync(file, manifestText(how(parseManifest(readFileSync(file, "utf8"))) as never));
}

/** The fields that an interrupted run has in common with an uninterrupted one. */
export function essence({ hash, iterations, products, status, energy, natural, merit, history, remedies }: Report) {
	return { hash, iterations, products, status, energy, natural, merit, history, remedies };
}
