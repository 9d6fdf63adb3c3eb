/**
 * What the first rank has to know of all parts to share their problem out: which contacts there are, where, and which of them couple. That is about a
 * twentieth of the numbers, and is released when each rank has its outline.
 */
import { InputError, type Problem, type ProblemPart } from "@stickslip/core";
import {
	type Communicator,
	checkRollingParts,
	commonFacts,
	factsOf,
	holdersOf,
	moveRecords,
	nameOf,
	numbersIn,
	type Outbox,
	type PartFacts,
	type Prepared,
	preparePattern,
	type RunOptions,
	rowIds,
	type ShareOutline,
	validatePart,
} from "@stickslip/core/parallel";
import { cutShares, type PartitionMethod } from "@stickslip/partition";
import { together } from "./agreement.js";
import { type Destinations, destinationsOf, type HeldIds } from "./destinations.js";
import { moveValues } from "./values.js";

/** A part on the rank that it was given to. */
export interface HeldPart {
	readonly index: number;
	readonly ids: Int32Array;
	/** Until it has been sent to the ranks that own its contacts. */
	part: ProblemPart | undefined;
}

/** What a rank is told. */
export interface Assignment {
	readonly outline: ShareOutline;
	/** Where each of its rows of W starts, where W is given. */
	readonly rowStart?: Int32Array;
	readonly hasStart: boolean;
	readonly hasLaws: boolean;
	/** Where the contacts of its parts go, by part. */
	readonly destinations: readonly Destinations[];
}

/** What a rank tells of a part. */
interface PartSummary extends HeldIds {
	readonly facts: PartFacts;
	readonly name: string | undefined;
	/** Blocks of each row. */
	readonly lengths: Int32Array | undefined;
}

export interface SolveOfParts {
	/** Parts of the problem, on all ranks. */
	readonly of: number;
	readonly options: RunOptions;
	readonly partition?: PartitionMethod;
}

/** Collective. Every rank gets its outline, and the destinations of the contacts that it was given. */
export function surveyParts(communicator: Communicator, held: readonly HeldPart[], wanted: SolveOfParts): Assignment {
	together(communicator, () => {
		for (const { index, part } of held) validatePart(part!, index);
	});
	const summaries = gatherSummaries(communicator, held);
	const whole = together(communicator, () => summaries && wholeOf(summaries, wanted.of));
	const pattern = whole && new Pattern(whole.contacts, whole.facts, summaries!);
	moveRecords(communicator, producePattern(held), (records) => pattern!.take(records));
	const shares = together(communicator, () => {
		if (pattern === undefined || whole === undefined) return undefined;
		if (pattern.law) checkRollingParts(pattern.law, whole.holder);
		const prepared: Prepared = preparePattern(pattern.problem(whole.name), wanted.options);
		return cutShares(prepared, communicator.size, { method: wanted.partition ?? "auto" });
	});
	// Rows of W contain all that a product needs of ghosts; contacts of bodies go wherever they are ghosts, so all outlines are made before the first is sent.
	const isOfBodies = whole?.facts.form === "rigid";
	const outlines = isOfBodies ? Array.from({ length: communicator.size }, (_, rank) => shares!.outline(rank)) : [];
	const destinations = shares && destinationsOf(summaries!, whole!.holder, shares.owners?.owner, outlines);
	const own = moveValues(communicator, (to): Assignment | undefined => {
		if (shares === undefined || pattern === undefined) return undefined;
		const outline = outlines[to] ?? shares.outline(to);
		const rowStart = pattern.rowStartOf(outline);
		const { hasStart, hasLaws } = whole!.facts;
		const has = { hasStart, hasLaws };
		return { outline, ...(rowStart && { rowStart }), ...has, destinations: destinations!.get(to) ?? [] };
	});
	return own.get(0) as Assignment;
}

/** Collective. By part, on the first rank alone. */
function gatherSummaries(communicator: Communicator, held: readonly HeldPart[]): PartSummary[] | undefined {
	const own = held.map(({ index, ids, part }) => ({
		index,
		rank: communicator.rank,
		ids,
		facts: factsOf(part!),
		name: part!.name,
		lengths: part!.W && Int32Array.from(ids, (_, i) => part!.W!.rowStart[i + 1]! - part!.W!.rowStart[i]!),
	}));
	const all = moveValues(communicator, (to) => (to === 0 ? own : undefined));
	if (communicator.rank !== 0) return undefined;
	const summaries = ([...all.values()] as PartSummary[][]).flat();
	return summaries.sort((one, other) => one.index - other.index);
}

function wholeOf(summaries: readonly PartSummary[], of: number) {
	const times = new Int32Array(of);
	for (const { index } of summaries) if (index < of) times[index]! += 1;
	const wrong = times.findIndex((found) => found !== 1);
	if (wrong >= 0 || summaries.length !== of) {
		const found = wrong < 0 ? `there are ${summaries.length} parts of ${of}` : timesOf(wrong, times[wrong]!, of);
		throw new InputError("parts", "index", found, `give each part, 0 to ${of - 1}, once`);
	}
	const facts = commonFacts(summaries.map((each) => each.facts));
	const ids = summaries.map((each) => each.ids);
	return { name: nameOf(summaries[0]!), facts, contacts: facts.contacts, holder: holdersOf(facts.contacts, ids) };
}

function timesOf(index: number, times: number, of: number): string {
	return times === 0 ? `part ${index} of ${of} is missing` : `part ${index} is there ${times} times`;
}

/** The record of a contact: its number, its point if there are points, its law if there are laws, and its columns or its two bodies. */
function producePattern(held: readonly HeldPart[]) {
	const contacts = contactsOf(held);
	let next = contacts.next();
	return (outbox: Outbox): boolean => {
		for (; next.done !== true && !outbox.isFull; next = contacts.next()) {
			const { part, i } = next.value;
			const { W, rigid, point, laws } = part;
			const from = W?.rowStart[i] ?? 2 * i;
			const end = W?.rowStart[i + 1] ?? 2 * i + 2;
			const couples = W?.column ?? rigid!.body;
			const first = (point ? 4 : 1) + (laws ? 1 : 0);
			const record = outbox.record(0, first + end - from);
			record[0] = part.ids[i]!;
			if (point) for (let k = 0; k < 3; k += 1) record[1 + k] = point[3 * i + k]!;
			if (laws) record[first - 1] = laws.law[i]!;
			for (let k = from; k < end; k += 1) record[first + k - from] = couples[k]!;
		}
		return next.done !== true;
	};
}

/** All contacts of the parts of a rank, one after another. */
export function* contactsOf(
	held: readonly HeldPart[],
): Generator<{ readonly part: ProblemPart; readonly i: number; readonly index: number }, undefined> {
	for (const { part, index } of held) {
		for (let i = 0; i < part!.ids.length; i += 1) yield { part: part!, i, index };
	}
	return undefined;
}

/** Which contacts of the whole problem couple, their places and their laws. */
class Pattern {
	readonly #contacts: number;
	readonly #rowStart: Int32Array | undefined;
	/** Columns by row, or two bodies per contact. */
	readonly #couples: Int32Array;
	readonly #point: Float64Array | undefined;
	/** Codes of laws, where there are laws. */
	readonly law: Uint8Array | undefined;

	constructor(contacts: number, { form, hasPoint, hasLaws }: PartFacts, summaries: readonly PartSummary[]) {
		this.#contacts = contacts;
		if (form === "W") this.#rowStart = rowStartsOf(contacts, summaries);
		this.#couples = new Int32Array(this.#rowStart?.[contacts] ?? 2 * contacts);
		if (hasPoint) this.#point = new Float64Array(3 * contacts);
		if (hasLaws) this.law = new Uint8Array(contacts);
	}

	take(records: Float64Array): void {
		for (let at = 0; at < records.length; ) {
			const id = records[at]!;
			at += 1;
			if (this.#point) {
				this.#point.set(records.subarray(at, at + 3), 3 * id);
				at += 3;
			}
			if (this.law) {
				this.law[id] = records[at]!;
				at += 1;
			}
			const from = this.#rowStart?.[id] ?? 2 * id;
			const count = (this.#rowStart?.[id + 1] ?? 2 * id + 2) - from;
			for (let k = 0; k < count; k += 1) this.#couples[from + k] = records[at + k]!;
			at += count;
		}
	}

	/** The problem without its numbers. */
	problem(name: string): Problem {
		const none = new Float64Array(0);
		const contacts = this.#contacts;
		const given = {
			...{ name, contacts, q: none, mu: none },
			...(this.law && { laws: { law: this.law, parameters: none } }),
			...(this.#point && { geometry: { point: this.#point } }),
		};
		const rowStart = this.#rowStart;
		const column = this.#couples;
		if (rowStart) return { ...given, W: { rows: contacts, rowStart, column, values: none } };
		const { body, bodies } = denseBodies(this.#couples);
		const inverseMass = new Float64Array(bodies);
		return { ...given, rigid: { body, frame: none, arm: none, inverseMass, inverseInertia: none } };
	}

	/** Of the rows of a rank. */
	rowStartOf(outline: ShareOutline): Int32Array | undefined {
		const rowStart = this.#rowStart;
		if (rowStart === undefined) return undefined;
		const ids = rowIds(outline);
		const start = new Int32Array(ids.length + 1);
		for (let i = 0; i < ids.length; i += 1) start[i + 1] = start[i]! + rowStart[ids[i]! + 1]! - rowStart[ids[i]!]!;
		return start;
	}
}

/** Bodies may have any numbers: if these are sparse, the bodies are renumbered in the same order. */
function denseBodies(body: Int32Array): { readonly body: Int32Array; readonly bodies: number } {
	let bodies = 0;
	for (const b of body) bodies = Math.max(bodies, b + 1);
	if (bodies <= 2 * body.length) return { body, bodies };
	const sorted = body.filter((b) => b >= 0).sort();
	const known = sorted.filter((b, i) => i === 0 || b !== sorted[i - 1]);
	return { body: numbersIn(known, body), bodies: known.length };
}

function rowStartsOf(contacts: number, summaries: readonly PartSummary[]): Int32Array {
	const rowStart = new Int32Array(contacts + 1);
	for (const { ids, lengths } of summaries) {
		for (let i = 0; i < ids.length; i += 1) rowStart[ids[i]! + 1] = lengths![i]!;
	}
	for (let row = 0; row < contacts; row += 1) rowStart[row + 1]! += rowStart[row]!;
	return rowStart;
}
