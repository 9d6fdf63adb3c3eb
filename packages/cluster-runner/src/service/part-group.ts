/**
 * The parts of one problem, as requests of as many clients: each part goes to its rank as it arrives, and when all have arrived they are solved once, for
 * all of them.
 */
import { type NumberArray, toFrames } from "@stickslip/client/protocol";
import {
	InputError,
	type PartsCollection,
	type PartsOptions,
	type PartsSolution,
	type ProblemPart,
	type Progress,
} from "@stickslip/core";
import { letGo } from "../base/let-go.js";
import type { Request } from "./request.js";
import { RequestError } from "./request-error.js";
import type { SessionKeeper } from "./session-keeper.js";
import { type Answer, PIECE_BYTES, type Work } from "./work.js";

export interface PartGroupEvents {
	/** The ranks have all parts: these requests may have their turn. */
	complete(requests: readonly Request[]): void;
	/** These requests are answered with this error. */
	failed(requests: readonly Request[], error: unknown): void;
}

export interface PartGroupOptions {
	readonly of: number;
	readonly options: Omit<PartsOptions, "signal" | "onProgress" | "deadline">;
	readonly keeper: SessionKeeper;
	readonly events: PartGroupEvents;
	/** The deadline for the last part. */
	readonly seconds: number;
}

export class PartGroup {
	readonly #given: PartGroupOptions;
	readonly #members = new Map<number, Request>();
	readonly #collection: Promise<PartsCollection>;
	readonly #timer: NodeJS.Timeout;
	readonly #listeners = new Set<(progress: Progress) => void>();
	readonly #controller = new AbortController();
	/** The number of parts that have reached their ranks. */
	#kept = 0;
	#isOpen = true;
	#solution: Promise<PartsSolution> | undefined;

	constructor(given: PartGroupOptions) {
		this.#given = given;
		this.#collection = collect(given);
		// It may be rejected before a part has arrived.
		this.#collection.catch(() => {});
		this.#timer = setTimeout(() => this.fail(this.#late()), 1000 * given.seconds);
	}

	get isOpen(): boolean {
		return this.#isOpen;
	}

	/** Throws a RequestError if a message does not match the others. */
	check(index: number, of: number, options: PartGroupOptions["options"]): void {
		const refuse = (field: string, problem: string, remedy: string) =>
			new RequestError("incomplete", field, problem, remedy);
		const given = this.#given;
		if (of !== given.of) {
			throw refuse(
				"part.of",
				`is ${of} in part ${index}, and ${given.of} in the first part that came`,
				"give the same number in all parts",
			);
		}
		if (index >= of) throw refuse("part.index", `is ${index} of ${of}`, `give each part, 0 to ${of - 1}, once`);
		if (this.#members.has(index))
			throw refuse("part.index", `part ${index} came twice`, `give each part, 0 to ${of - 1}, once`);
		if (textOf(options) !== textOf(given.options)) {
			throw refuse(
				"options",
				`are others in part ${index} than in the first part that came`,
				"give the same options in all parts",
			);
		}
	}

	/** Its part goes to a rank at once; the service does not keep it. */
	join(index: number, request: Request, part: ProblemPart): void {
		this.#members.set(index, request);
		request.signal.addEventListener("abort", () => this.#controller.abort(), { once: true });
		this.#keep(index, part).then(
			() => {
				// In a later turn: now the part is still in use.
				setImmediate(() => letGo(request.bytes));
				this.#count();
			},
			(error: unknown) => this.fail(inWords(error)),
		);
	}

	async #keep(index: number, part: ProblemPart): Promise<void> {
		const collection = await this.#collection;
		await collection.add(index, part);
	}

	#count(): void {
		this.#kept += 1;
		if (!this.#isOpen || this.#kept < this.#given.of) return;
		this.#isOpen = false;
		clearTimeout(this.#timer);
		this.#given.events.complete([...this.#members.values()]);
	}

	/** A request ends before the group is complete, and ends the group; false if it does not belong to this group, or the group is complete. */
	leave(request: Request): boolean {
		const [found] = [...this.#members].filter(([, each]) => each === request);
		if (found === undefined || !this.#isOpen) return false;
		const [index] = found;
		this.#members.delete(index);
		const remedy = "send all parts again, under other ids and another group";
		this.fail(new RequestError("incomplete", "part", `part ${index} was cancelled, or its client was lost`, remedy));
		return true;
	}

	/** Its parts are forgotten, and all requests have the same error. */
	fail(error: unknown): void {
		if (!this.#isOpen) return;
		this.#isOpen = false;
		clearTimeout(this.#timer);
		// If the ranks are lost there is nothing to forget.
		this.#collection.then((collection) => collection.drop()).catch(() => {});
		this.#given.events.failed([...this.#members.values()], error);
	}

	/** What the request of a part does in its turn: the first one solves for all. */
	work(index: number, id: string): Work {
		return async ({ onProgress }): Promise<Answer> => {
			if (onProgress) this.#listeners.add(onProgress);
			this.#solution ??= this.#solve();
			try {
				const { report, parts } = await this.#solution;
				const { reaction, velocity } = parts[index]!;
				const arrays = new Map<string, NumberArray>([
					["reaction", reaction],
					["velocity", velocity],
				]);
				const frames = toFrames({ type: "result", id, report }, arrays, PIECE_BYTES);
				return { frames, outcome: report.status, seconds: (report.seconds * report.ranks) / this.#given.of };
			} catch (error) {
				throw inWords(error);
			}
		};
	}

	async #solve(): Promise<PartsSolution> {
		const collection = await this.#collection;
		const left = [...this.#members.values()].flatMap((request) => request.left ?? []);
		const onProgress = (progress: Progress) => {
			for (const tell of this.#listeners) tell(progress);
		};
		const deadline = left.length > 0 ? { deadline: Math.min(...left) } : {};
		return await collection.solve({ ...this.#given.options, ...deadline, signal: this.#controller.signal, onProgress });
	}

	#late(): RequestError {
		const missing = Array.from({ length: this.#given.of }, (_, index) => index).find(
			(index) => !this.#members.has(index),
		);
		const { seconds, of } = this.#given;
		const problem = `part ${missing ?? 0} of ${of} did not come within ${seconds} s`;
		return new RequestError("incomplete", "part", problem, "send all parts again, under other ids and another group");
	}
}

async function collect({ keeper, of }: PartGroupOptions): Promise<PartsCollection> {
	const session = await keeper.session();
	const collection = session.collectParts?.(of);
	if (collection !== undefined) return collection;
	throw new RequestError("bad-input", "part", "this service takes no problems in parts", "send the whole problem");
}

/** Options in one order, as text. */
function textOf(options: object): string {
	const entries = Object.entries(options).filter(([, value]) => value !== undefined);
	return JSON.stringify(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Bad input by its part. */
function inWords(error: unknown): unknown {
	if (!(error instanceof InputError) || !error.source.startsWith("part")) return error;
	return new RequestError("bad-input", `${error.source}: ${error.place}`, error.problem, error.remedy);
}
