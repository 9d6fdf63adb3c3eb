/** Sends contacts from the parts that they came in to the ranks that own them: the head of their records, and what every owner keeps of it. */
import { type ContactLaws, PARAMETERS, type ProblemPart } from "@stickslip/core";
import { assert, checkDiagonal, type Outbox, type PartFacts, partName, type ShareRows } from "@stickslip/core/parallel";

/** Numbers at the beginning of each record: contact, part, place in the part, friction, q, and the start, zeros where there is none. */
const HEAD = 10;

/** The same with what follows where parts have laws: the law of the contact, and its numbers. */
export function headLength(hasLaws: boolean): number {
	return hasLaws ? HEAD + 1 + PARAMETERS : HEAD;
}

/** Makes a record with this many numbers after its head, which the caller writes. */
export function writeHead(outbox: Outbox, to: number, { part, i, index }: PartContact, more: number): Float64Array {
	const { ids, mu, q, start, laws } = part;
	const head = headLength(laws !== undefined);
	const record = outbox.record(to, head + more);
	record[0] = ids[i]!;
	record[1] = index;
	record[2] = i;
	record[3] = mu[i]!;
	for (let k = 0; k < 3; k += 1) {
		record[4 + k] = q[3 * i + k]!;
		record[7 + k] = start?.[3 * i + k] ?? 0;
	}
	if (laws) {
		record[HEAD] = laws.law[i]!;
		record.set(laws.parameters.subarray(PARAMETERS * i, PARAMETERS * (i + 1)), HEAD + 1);
	}
	return record.subarray(head);
}

/** The code of the law in the record at `at`. */
export function lawCodeIn(records: Float64Array, at: number): number {
	return records[at + HEAD]!;
}

/** Contact `i` of a part, and the part's number. */
export interface PartContact {
	readonly part: ProblemPart;
	readonly i: number;
	readonly index: number;
}

/** What parts may have beside what they have to. */
export type OptionalFields = Pick<PartFacts, "hasStart" | "hasLaws">;

/** What the receiving rank makes of records. */
export interface ArrivingRows {
	readonly own: OwnContacts;
	/** Takes all records of a round that came from one rank. */
	take(records: Float64Array, from: number): void;
	/** Throws an InputError for invalid numbers. */
	rows(): ShareRows;
}

/** What an owner keeps of its contacts by place, for any form of W, and where their answers go. */
export class OwnContacts {
	/** The rank and the part that each came from, and its place in the part. */
	readonly from: Int32Array;
	readonly part: Int32Array;
	readonly place: Int32Array;
	readonly #q: Float64Array;
	readonly #mu: Float64Array;
	readonly #start: Float64Array | undefined;
	readonly #laws: ContactLaws | undefined;
	#arrived = 0;

	constructor(own: number, { hasStart, hasLaws }: OptionalFields) {
		this.from = new Int32Array(own);
		this.part = new Int32Array(own);
		this.place = new Int32Array(own);
		this.#q = new Float64Array(3 * own);
		this.#mu = new Float64Array(own);
		this.#start = hasStart ? new Float64Array(3 * own) : undefined;
		if (hasLaws) this.#laws = { law: new Uint8Array(own), parameters: new Float64Array(PARAMETERS * own) };
	}

	/** The head of the record at `at`, of the contact at this place. */
	take(place: number, records: Float64Array, at: number, from: number): void {
		this.from[place] = from;
		this.part[place] = records[at + 1]!;
		this.place[place] = records[at + 2]!;
		this.#mu[place] = records[at + 3]!;
		for (let k = 0; k < 3; k += 1) {
			this.#q[3 * place + k] = records[at + 4 + k]!;
			if (this.#start) this.#start[3 * place + k] = records[at + 7 + k]!;
		}
		if (this.#laws) {
			this.#laws.law[place] = lawCodeIn(records, at);
			const from = at + HEAD + 1;
			this.#laws.parameters.set(records.subarray(from, from + PARAMETERS), PARAMETERS * place);
		}
		this.#arrived += 1;
	}

	/** The rows of these contacts, except for what depends on the form of W. Throws an InputError that names the part of an invalid diagonal block. */
	rows(ids: Int32Array, diagonal: Float64Array, field: string, remedy: string): Omit<ShareRows, "operator"> {
		assert(this.#arrived === this.from.length, "each contact arrives at its owner once");
		const singular = Int32Array.from(this.#singular(ids, diagonal, field, remedy));
		const start = this.#start && { start: this.#start };
		return { q: this.#q, mu: this.#mu, diagonal, singular, ...start, ...(this.#laws && { laws: this.#laws }) };
	}

	#singular(ids: Int32Array, diagonal: Float64Array, field: string, remedy: string): number[] {
		try {
			return checkDiagonal(diagonal, "parts", field, remedy, ids);
		} catch (error) {
			for (const [place, part] of this.part.entries()) {
				const own = diagonal.subarray(9 * place, 9 * place + 9);
				checkDiagonal(own, partName(part), field, remedy, ids.subarray(place, place + 1));
			}
			throw error;
		}
	}
}
