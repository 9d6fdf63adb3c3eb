/** What a client has prepared: which contacts couple, and the values that requests omit. It is prepared again for a new session. */
import { fromArrays, type NamedArrays, type NumberArray } from "@stickslip/client/protocol";
import type { NewValues, PreparedPattern, Problem, Session } from "@stickslip/core";
import type { Connection } from "./connection.js";
import { RequestError } from "./request-error.js";

/** The arrays that a request of a pattern may contain. */
const NEW = new Set([
	"q",
	"mu",
	"laws.parameters",
	"W.values",
	"rigid.frame",
	"rigid.arm",
	"rigid.inverseMass",
	"rigid.inverseInertia",
]);

/** A pattern in a session, and the arrays of its last solve there; undefined if that is not known. */
interface Handle {
	readonly session: Session;
	readonly prepared: Promise<PreparedPattern>;
	given: NamedArrays | undefined;
}

export class Pattern {
	/** All arrays, those of the values as the last request left them. */
	#arrays: NamedArrays;
	#handle: Handle | undefined;
	#users = 0;
	#isReleased = false;

	constructor(
		readonly name: string,
		readonly contacts: number,
		arrays: NamedArrays,
		/** The connection it came from: it is released with it. */
		readonly connection: Connection,
	) {
		this.#arrays = arrays;
	}

	get bytes(): number {
		return [...this.#arrays.values()].reduce((bytes, array) => bytes + array.byteLength, 0);
	}

	/** Whether it has everything that a solve needs; values may also come with the first request. */
	get isWhole(): boolean {
		const has = (name: string) => this.#arrays.has(name);
		return has("q") && has("mu") && (!has("W.column") || has("W.values")) && (!has("rigid.body") || has("rigid.frame"));
	}

	/** The arrays of a request, with earlier ones for those it omits. Throws a RequestError if they do not match. */
	merge(contacts: number, arrays: NamedArrays): NamedArrays {
		if (contacts !== this.contacts) {
			const problem = `is ${contacts}, and ${this.contacts} in the pattern ${this.name}`;
			throw new RequestError("other-pattern", "contacts", problem, "prepare the other problem under another name");
		}
		for (const [name, array] of arrays) {
			const known = this.#arrays.get(name);
			if (!NEW.has(name)) {
				const remedy = "leave it out, or prepare the problem with it";
				throw new RequestError("other-pattern", name, "is not new from solve to solve", remedy);
			}
			if (known === undefined || (known.length === array.length && known.constructor === array.constructor)) continue;
			const problem = `has ${array.length} numbers, and ${known.length} in the pattern ${this.name}`;
			throw new RequestError("other-pattern", name, problem, "send as many, or prepare the other problem");
		}
		this.#arrays = new Map([...this.#arrays, ...arrays]);
		return this.#arrays;
	}

	/** A request was refused: its arrays are dropped. */
	undo(arrays: NamedArrays, before: NamedArrays): void {
		const restored = [...this.#arrays].flatMap(([name, array]): [string, NumberArray][] => {
			const last = arrays.get(name) === array ? before.get(name) : array;
			return last === undefined ? [] : [[name, last]];
		});
		this.#arrays = new Map(restored);
		// The arrays of the session are unknown now.
		if (this.#handle !== undefined) this.#handle.given = undefined;
	}

	get arrays(): NamedArrays {
		return this.#arrays;
	}

	/** The pattern in this session; throws an InputError if the arrays are not a problem. */
	async prepare(session: Session, arrays: NamedArrays = this.#arrays): Promise<PreparedPattern> {
		if (this.#handle?.session !== session) {
			const problem: Problem = fromArrays(this.name, this.contacts, arrays);
			const handle: Handle = { session, prepared: session.prepare(problem), given: arrays };
			this.#handle = handle;
			handle.prepared.catch(() => {
				if (this.#handle === handle) this.#handle = undefined;
			});
		}
		return await this.#handle.prepared;
	}

	/** The arrays as values for the session: only those that have changed since its last solve of this pattern. */
	newValues(arrays: NamedArrays, start: Float64Array | undefined): NewValues {
		const given = this.#handle?.given;
		const isNew = (name: string) => NEW.has(name) && given?.get(name) !== arrays.get(name);
		const all = Object.fromEntries([...arrays].filter(([name]) => isNew(name)));
		if (this.#handle !== undefined) this.#handle.given = arrays;
		const { mu, "laws.parameters": parameters, "W.values": values } = all as Record<string, Float64Array>;
		const rigid = Object.entries(all).filter(([name]) => name.startsWith("rigid."));
		return {
			q: arrays.get("q") as Float64Array,
			...(mu && { mu }),
			...(parameters && { parameters }),
			...(values && { values }),
			...(rigid.length > 0 && { rigid: Object.fromEntries(rigid.map(([name, array]) => [name.slice(6), array])) }),
			...(start && { start }),
		};
	}

	use(): void {
		this.#users += 1;
	}

	/** The end of a use. */
	leave(): void {
		this.#users -= 1;
		this.#end();
	}

	/** New requests no longer find it; earlier ones still have it. */
	release(): void {
		this.#isReleased = true;
		this.#end();
	}

	#end(): void {
		if (!this.#isReleased || this.#users > 0) return;
		this.#handle?.prepared.then(
			(prepared) => prepared.release(),
			() => {},
		);
		this.#handle = undefined;
	}
}
