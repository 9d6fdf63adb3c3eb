/** Incomplete groups of parts, by client and by the name on which its connections agree among themselves. */
import { fromPartArrays, type NamedArrays, type SolveMessage } from "@stickslip/client/protocol";
import { PartGroup, type PartGroupEvents } from "./part-group.js";
import type { Request } from "./request.js";
import { RequestError } from "./request-error.js";
import type { SessionKeeper } from "./session-keeper.js";
import { optionsOf, type SolveRules, type Work } from "./work.js";

/** How many seconds the parts of a problem wait for each other. */
const SECONDS = 60;

/** A part that may join its group. */
export interface Entry {
	readonly work: Work;
	/** Passes its part on. */
	join(request: Request): void;
}

export class PartGroups {
	readonly #groups = new Map<string, PartGroup>();
	readonly #keeper: SessionKeeper;
	readonly #events: PartGroupEvents;
	readonly #seconds: number;

	constructor(keeper: SessionKeeper, events: PartGroupEvents, seconds = SECONDS) {
		this.#keeper = keeper;
		this.#events = events;
		this.#seconds = seconds;
	}

	/** Takes a message with a part. An error in it is an error of the whole group, and is thrown as well. */
	enter(message: SolveMessage, arrays: NamedArrays, rules: SolveRules): Entry {
		const { group, index, of } = message.part!;
		// Names of clients have no spaces.
		const name = `${rules.client} ${group}`;
		this.#sweep();
		const before = this.#groups.get(name);
		try {
			if (message.pattern !== undefined || message.series !== undefined) {
				const field = message.pattern === undefined ? "series" : "pattern";
				throw new RequestError("bad-input", field, `is not for part ${index}, as for any part`, "leave it out");
			}
			const options = optionsOf(message, undefined, rules);
			const part = fromPartArrays(message.name ?? group, message.contacts, arrays);
			const joined = before ?? this.#open(name, of, options);
			joined.check(index, of, options);
			return { work: joined.work(index, message.id), join: (request) => joined.join(index, request, part) };
		} catch (error) {
			before?.fail(error);
			throw error;
		}
	}

	/** A request ends before its turn; false if no group waits for it. */
	leave(request: Request): boolean {
		return [...this.#groups.values()].some((group) => group.leave(request));
	}

	/** No more parts are accepted. */
	end(error: unknown): void {
		for (const group of this.#groups.values()) group.fail(error);
		this.#groups.clear();
	}

	#open(name: string, of: number, options: ReturnType<typeof optionsOf>): PartGroup {
		const given = { of, options, keeper: this.#keeper, events: this.#events, seconds: this.#seconds };
		const group = new PartGroup(given);
		this.#groups.set(name, group);
		return group;
	}

	/** Names of complete or failed groups may be reused. */
	#sweep(): void {
		for (const [name, group] of this.#groups) if (!group.isOpen) this.#groups.delete(name);
	}
}
