/**
 * The identity of a checkpoint: the program, the numbers of its problem, and the options that decide the bits. The number of ranks, the
 * transport, the partition, time limits and names of files are not part of it.
 */
import { createHash, type Hash } from "node:crypto";
import { InputError, type Problem, type SolveOptions } from "@stickslip/core";
import type { SceneDescription } from "@stickslip/mechanics";

export interface Identity {
	/** The name of the program whose state it is. */
	readonly program: string;
	/** SHA-256 of the problem's numbers. */
	readonly problem: string;
	/** By name, as text; options that were not given are absent. */
	readonly options: Readonly<Record<string, string>>;
}

/** The identity of a solve. Throws an InputError if it cannot be continued. */
export function solveIdentity(problem: Problem, options: SolveOptions): Identity {
	if ((options.repeat ?? 1) > 1) {
		const remedy = "leave out one of the two";
		throw new InputError("options", "repeat", "a repeated solve has no checkpoints", remedy);
	}
	return { program: "solve", problem: problemDigest(problem), options: optionTexts(problem, options) };
}

/** The identity of a simulation: its whole scene except for its end, so that a run can be extended. */
export function simulationIdentity({ until: _until, ...scene }: SceneDescription): Identity {
	const hash = createHash("sha256");
	add(hash, scene);
	return { program: "simulate", problem: hash.digest("hex"), options: {} };
}

/** The first option that differs, in words; undefined if all are equal. */
export function otherOption(theirs: Identity["options"], ours: Identity["options"]): string | undefined {
	const names = [...new Set([...Object.keys(theirs), ...Object.keys(ours)])].sort();
	const name = names.find((each) => theirs[each] !== ours[each]);
	return name === undefined
		? undefined
		: `${name} ${theirs[name] ?? "not given"} instead of ${ours[name] ?? "not given"}`;
}

function problemDigest({ contacts, q, mu, laws, W, rigid, global, equalities, geometry }: Problem): string {
	const hash = createHash("sha256");
	// The values of an unread W are not an own property.
	const all = W && { rows: W.rows, rowStart: W.rowStart, column: W.column, values: W.values };
	add(hash, { contacts, q, mu, laws, W: all, rigid, global, equalities, geometry });
	return hash.digest("hex");
}

/** Plain data sorted by name, so that the order of its fields does not matter. */
function add(hash: Hash, value: unknown): void {
	if (ArrayBuffer.isView(value)) {
		hash.update(`[${value.constructor.name} ${value.byteLength}]`);
		hash.update(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
	} else if (Array.isArray(value)) {
		hash.update(`[list ${value.length}]`);
		for (const each of value) add(hash, each);
	} else if (typeof value === "object" && value !== null) {
		const entries = Object.entries(value).filter(([, each]) => each !== undefined);
		hash.update(`[record ${entries.length}]`);
		for (const [name, each] of entries.sort(([one], [other]) => (one < other ? -1 : 1))) {
			hash.update(`[${name}]`);
			add(hash, each);
		}
	} else hash.update(`[${typeof value} ${String(value)}]`);
}

function optionTexts({ guesses }: Problem, options: SolveOptions): Record<string, string> {
	const { method, tolerance, measure, maxIterations, set = {}, start, history } = options;
	const from = start === "guess" ? `guess ${shortDigest(guesses?.[0])}` : digestOfStart(start);
	const all = {
		method: method ?? "auto",
		tolerance,
		measure,
		maxIterations,
		start: from,
		// No bits depend on it, but a history cannot be continued if it was not saved.
		history: history === true ? history : undefined,
		...Object.fromEntries(Object.entries(set).map(([name, value]) => [`set ${name}`, value])),
	};
	const given = Object.entries(all).filter(([, value]) => value !== undefined);
	return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

function digestOfStart(start: SolveOptions["start"]): string {
	return start instanceof Float64Array ? `numbers ${shortDigest(start)}` : (start ?? "zero");
}

function shortDigest(value: unknown): string {
	const hash = createHash("sha256");
	add(hash, value);
	return hash.digest("hex").slice(0, 16);
}
