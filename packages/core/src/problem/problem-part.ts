/** A problem in parts: each process has the rows of some contacts, numbered as in the whole problem, and nobody has to have all of them. */
import { InputError } from "../base/errors.js";
import { type ContactLaws, PARAMETERS } from "./laws.js";
import type { BlockMatrix, Problem, RigidContacts } from "./problem.js";
import { ROLLING } from "./rolling.js";

/** Rows of W, one per contact of the part; columns are contacts of the whole problem. */
export type PartRows = Omit<BlockMatrix, "rows">;

/** Contacts of bodies. `body` has numbers of the whole problem, and the other fields of bodies are those of `ids`. */
export interface PartBodies extends Omit<RigidContacts, "moment"> {
	/** The bodies that contacts of the part touch, ascending, by their numbers in the whole problem. */
	readonly ids: Int32Array;
}

/** Rows of W or bodies, the same in all parts; one without contacts needs neither. */
export interface ProblemPart {
	/** For reports; the name of the first part counts. */
	readonly name?: string;
	/** Of the whole problem. */
	readonly contacts: number;
	/** Numbers of the part's contacts in the whole problem, ascending. All arrays are in this order. */
	readonly ids: Int32Array;
	readonly q: Float64Array;
	readonly mu: Float64Array;
	readonly W?: PartRows;
	readonly rigid?: PartBodies;
	/** Three coordinates per contact, in all parts or in none: they say how contacts are shared out, and from 65,537 contacts on how they are swept. */
	readonly point?: Float64Array;
	/** A reaction to start from, in all parts or in none. */
	readonly start?: Float64Array;
	/** Laws of the part's contacts, in all parts or in none. A rolling contact has both of its blocks in one part. */
	readonly laws?: ContactLaws;
}

/** What all parts of a problem have in common. */
export interface PartFacts {
	readonly contacts: number;
	/** A part without contacts goes with any other. */
	readonly form: "W" | "rigid" | "empty";
	readonly hasPoint: boolean;
	readonly hasStart: boolean;
	readonly hasLaws: boolean;
}

export function factsOf({ contacts, ids, rigid, point, start, laws }: ProblemPart): PartFacts {
	const form = ids.length === 0 ? "empty" : rigid === undefined ? "W" : "rigid";
	const has = { hasPoint: point !== undefined, hasStart: start !== undefined, hasLaws: laws !== undefined };
	return { contacts, form, ...has };
}

/** What messages call a part. */
export function partName(index: number): string {
	return `part ${index}`;
}

/** Throws an InputError that names the first part which is not of the same problem as those before; returns what they have in common. */
export function commonFacts(parts: readonly PartFacts[]): PartFacts {
	const first = parts.find(({ form }) => form !== "empty") ?? parts[0]!;
	const at = parts.indexOf(first);
	const refuse = (index: number, field: string, problem: string, remedy: string) =>
		new InputError(partName(index), field, problem, remedy);
	for (const [index, part] of parts.entries()) {
		if (part.contacts !== first.contacts) {
			const problem = `is ${part.contacts}, and ${first.contacts} in part ${at}`;
			throw refuse(index, "contacts", problem, "give the number of contacts of the whole problem in every part");
		}
		if (part.form === "empty") continue;
		if (part.form !== first.form) {
			const problem = `is missing, and part ${at} has it`;
			throw refuse(index, first.form, problem, "give W in every part, or rigid in every part");
		}
		for (const [field, isThere, isFirst] of [
			["point", part.hasPoint, first.hasPoint],
			["start", part.hasStart, first.hasStart],
			["laws", part.hasLaws, first.hasLaws],
		] as const) {
			if (isThere === isFirst) continue;
			const problem = isThere ? `is there, and part ${at} has none` : `is missing, and part ${at} has it`;
			throw refuse(index, field, problem, "give it in every part, or in none");
		}
	}
	return first;
}

const FEW = 1000;

/** The part that has each contact. Throws an InputError for a contact that is in none, or in two. */
export function holdersOf(contacts: number, ids: readonly Int32Array[]): Int32Array {
	const given = ids.reduce((sum, { length }) => sum + length, 0);
	if (contacts > 2 * given + FEW) {
		// Nothing is made for contacts of which most are not there.
		const problem = `are ${given} numbers in all parts, for ${contacts} contacts`;
		throw new InputError("parts", "ids", problem, `give each contact, 0 to ${contacts - 1}, to one part`);
	}
	const holder = new Int32Array(contacts).fill(-1);
	for (const [index, own] of ids.entries()) {
		for (const id of own) {
			const other = holder[id]!;
			holder[id] = index;
			if (other < 0) continue;
			const problem = `has contact ${id}, which part ${other} has too`;
			throw new InputError(partName(index), "ids", problem, "give each contact to one part only");
		}
	}
	const missing = holder.indexOf(-1);
	if (missing < 0) return holder;
	const problem = `contact ${missing} is in none of the ${ids.length} parts`;
	throw new InputError("parts", "ids", problem, `give each contact, 0 to ${contacts - 1}, to one part`);
}

/** The problem that checked parts are of: for whoever solves on one rank, and has all of it there. */
export function joinParts(parts: readonly ProblemPart[]): Problem & { readonly start?: Float64Array } {
	const { contacts, form, hasPoint, hasStart, hasLaws } = commonFacts(parts.map(factsOf));
	const holder = holdersOf(
		contacts,
		parts.map(({ ids }) => ids),
	);
	const laws = hasLaws ? joinLaws(parts, contacts) : undefined;
	if (laws) checkRollingParts(laws.law, holder);
	const byContact = (width: number, field: "q" | "mu" | "point" | "start") => {
		const whole = new Float64Array(width * contacts);
		for (const part of parts) if (part[field]) scatter(part[field], part.ids, width, whole);
		return whole;
	};
	return {
		name: parts[0]?.name ?? "problem",
		contacts,
		q: byContact(3, "q"),
		mu: byContact(1, "mu"),
		...(laws && { laws }),
		...(form === "W" ? { W: joinRows(parts, contacts) } : { rigid: joinBodies(parts, contacts) }),
		...(hasPoint && { geometry: { point: byContact(3, "point") } }),
		...(hasStart && { start: byContact(3, "start") }),
	};
}

/** Throws an InputError where a rolling contact is cut in two; `law` is of the whole problem, `holder` the part of each contact. */
export function checkRollingParts(law: Uint8Array, holder: Int32Array): void {
	let count = 0;
	for (let a = 0; a < law.length; a += 1) {
		count = law[a] === ROLLING ? count + 1 : 0;
		const isMoment = count > 0 && count % 2 === 0;
		const remedy = "give each rolling contact two adjacent numbers, its force and its moment, both in one part";
		if (isMoment && holder[a] !== holder[a - 1]) {
			const problem = `has contact ${a}, the moment of contact ${a - 1} in part ${holder[a - 1]}`;
			throw new InputError(partName(holder[a]!), "ids", problem, remedy);
		}
		if (count % 2 === 1 && law[a + 1] !== ROLLING) {
			const problem = `makes contact ${a} a rolling one, and there is no moment behind it`;
			throw new InputError(partName(holder[a]!), "laws.law", problem, remedy);
		}
	}
}

function joinLaws(parts: readonly ProblemPart[], contacts: number): ContactLaws {
	const whole = { law: new Uint8Array(contacts), parameters: new Float64Array(PARAMETERS * contacts) };
	for (const { ids, laws } of parts) {
		if (laws === undefined) continue;
		scatter(laws.law, ids, 1, whole.law);
		scatter(laws.parameters, ids, PARAMETERS, whole.parameters);
	}
	return whole;
}

type Numbers = Float64Array | Int32Array | Uint8Array;

/** Puts `width` numbers of each id where the id says. */
function scatter(values: Numbers, ids: Int32Array, width: number, into: Numbers): void {
	for (let i = 0; i < ids.length; i += 1) {
		for (let k = 0; k < width; k += 1) into[width * ids[i]! + k] = values[width * i + k]!;
	}
}

function joinRows(parts: readonly ProblemPart[], contacts: number): BlockMatrix {
	const rowStart = new Int32Array(contacts + 1);
	for (const { ids, W } of parts) {
		for (let i = 0; i < ids.length; i += 1) rowStart[ids[i]! + 1] = W!.rowStart[i + 1]! - W!.rowStart[i]!;
	}
	for (let row = 0; row < contacts; row += 1) rowStart[row + 1]! += rowStart[row]!;
	const column = new Int32Array(rowStart[contacts]!);
	const values = new Float64Array(9 * column.length);
	for (const { ids, W } of parts) {
		for (let i = 0; i < ids.length; i += 1) {
			const [from, end] = [W!.rowStart[i]!, W!.rowStart[i + 1]!];
			column.set(W!.column.subarray(from, end), rowStart[ids[i]!]!);
			values.set(W!.values.subarray(9 * from, 9 * end), 9 * rowStart[ids[i]!]!);
		}
	}
	return { rows: contacts, rowStart, column, values };
}

function joinBodies(parts: readonly ProblemPart[], contacts: number): RigidContacts {
	// Numbers of bodies may be any: only those that are there get one here, in the same order.
	const all = new Int32Array(parts.reduce((sum, { rigid }) => sum + (rigid?.ids.length ?? 0), 0));
	let count = 0;
	for (const { rigid } of parts) {
		if (rigid === undefined) continue;
		all.set(rigid.ids, count);
		count += rigid.ids.length;
	}
	const known = all.sort().filter((id, i) => i === 0 || id !== all[i - 1]);
	const bodies = known.length;
	const body = new Int32Array(2 * contacts);
	const [frame, arm] = [new Float64Array(9 * contacts), new Float64Array(6 * contacts)];
	const [inverseMass, inverseInertia] = [new Float64Array(bodies), new Float64Array(6 * bodies)];
	const from = new Int32Array(bodies).fill(-1);
	for (const [index, { ids, rigid }] of parts.entries()) {
		if (rigid === undefined) continue;
		scatter(numbersIn(known, rigid.body), ids, 2, body);
		scatter(rigid.frame, ids, 9, frame);
		scatter(rigid.arm, ids, 6, arm);
		for (const [i, id] of rigid.ids.entries()) {
			const at = placeIn(known, id);
			const before = from[at]!;
			from[at] = index;
			const own = [rigid.inverseMass[i]!, ...rigid.inverseInertia.subarray(6 * i, 6 * i + 6)];
			const other = [inverseMass[at]!, ...inverseInertia.subarray(6 * at, 6 * at + 6)];
			if (before >= 0 && own.some((value, k) => value !== other[k])) throw otherBody(index, before, id);
			inverseMass[at] = own[0]!;
			inverseInertia.set(own.slice(1), 6 * at);
		}
	}
	return { body, frame, arm, inverseMass, inverseInertia };
}

export function otherBody(index: number, other: number, body: number): InputError {
	const problem = `body ${body} has another mass or inertia than in part ${other}`;
	return new InputError(partName(index), "rigid.inverseMass", problem, "give the same numbers for a body in all parts");
}

/** The place of each value in an ascending list; -1 for an obstacle, and -2 for what is not in it. */
export function numbersIn(ids: Int32Array, values: Int32Array): Int32Array {
	return values.map((value) => (value === -1 ? -1 : placeIn(ids, value)));
}

/** The place of a value in an ascending list, -2 where it is not in it. */
export function placeIn(ids: Int32Array, value: number): number {
	let low = 0;
	let high = ids.length;
	while (low < high) {
		const middle = (low + high) >>> 1;
		if (ids[middle]! < value) low = middle + 1;
		else high = middle;
	}
	return ids[low] === value ? low : -2;
}
