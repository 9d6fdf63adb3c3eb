/** A problem in parts on one rank: the parts are joined, and the answer is cut into theirs. */
import { InputError } from "../base/errors.js";
import type { Problem } from "../problem/problem.js";
import { joinParts, type ProblemPart } from "../problem/problem-part.js";
import { validatePart } from "../problem/validate-part.js";
import { requireOptions } from "../solve/check-options.js";
import type { SolveOptions } from "../solve/options.js";
import type { Report, Solution } from "../solve/report.js";
import type { PartsCollection, PartsOptions } from "./session.js";

/** What comes back for a part: three numbers per contact, in the order of its ids. */
export interface PartSolution {
	readonly reaction: Float64Array;
	readonly velocity: Float64Array;
}

export interface PartsSolution {
	readonly report: Report;
	/** By part. */
	readonly parts: readonly PartSolution[];
}

type Solve = (problem: Problem, start: SolveOptions["start"]) => Promise<Solution>;

/** Parts that stay in this thread until they are solved. */
export class JoinedParts implements PartsCollection {
	readonly of: number;
	readonly #solve: (options: PartsOptions) => Solve;
	readonly #parts = new Map<number, ProblemPart>();

	constructor(of: number, solve: (options: PartsOptions) => Solve) {
		this.of = checkCount(of);
		this.#solve = solve;
	}

	async add(index: number, part: ProblemPart): Promise<void> {
		checkIndex(index, this.of);
		if (this.#parts.has(index)) throw new InputError("parts", "index", `part ${index} is there already`, ONCE);
		this.#parts.set(index, part);
	}

	async solve(options: PartsOptions = {}): Promise<PartsSolution> {
		const parts = Array.from({ length: this.of }, (_, index) => this.#parts.get(index));
		this.#parts.clear();
		const missing = parts.indexOf(undefined);
		if (missing >= 0) throw new InputError("parts", "index", `part ${missing} of ${this.of} is missing`, ONCE);
		return await solveJoined(parts as ProblemPart[], this.#solve(options));
	}

	async drop(): Promise<void> {
		this.#parts.clear();
	}
}

const PARTS_MAX = 65_536;
const ONCE = "give each part once";

export function checkCount(of: number): number {
	if (Number.isInteger(of) && of >= 1 && of <= PARTS_MAX) return of;
	throw new InputError("parts", "of", `is ${of}`, `give the number of parts, 1 to ${PARTS_MAX}`);
}

export function checkIndex(index: number, of: number): void {
	if (Number.isInteger(index) && index >= 0 && index < of) return;
	throw new InputError("parts", "index", `is ${index}`, `give a number from 0 to ${of - 1}`);
}

/** Refuses what is in the parts, or what only a whole problem has. */
export function checkPartsOptions(options: object): void {
	requireOptions(options);
	for (const name of ["start", "keep", "keys", "series"]) {
		if (!(name in options)) continue;
		const remedy = name === "start" ? "give it in the parts" : "solve the whole problem for it";
		throw new InputError("options", name, "is not an option of a solve in parts", remedy);
	}
}

/** Throws an InputError that names the part and the field which are wrong. */
export async function solveJoined(parts: readonly ProblemPart[], solve: Solve): Promise<PartsSolution> {
	if (!Array.isArray(parts) || parts.length === 0) {
		throw new InputError(
			"parts",
			"parts",
			"there are none",
			"give a list of parts that have all contacts between them",
		);
	}
	for (const [index, part] of parts.entries()) validatePart(part, index);
	const { start, ...problem } = joinParts(parts);
	const { report, reaction, velocity } = await solve(problem, start ?? "zero");
	return {
		report,
		parts: parts.map(({ ids }) => ({ reaction: ofIds(reaction, ids), velocity: ofIds(velocity, ids) })),
	};
}

function ofIds(values: Float64Array, ids: Int32Array): Float64Array {
	const own = new Float64Array(3 * ids.length);
	for (let i = 0; i < ids.length; i += 1) {
		for (let k = 0; k < 3; k += 1) own[3 * i + k] = values[3 * ids[i]! + k]!;
	}
	return own;
}
