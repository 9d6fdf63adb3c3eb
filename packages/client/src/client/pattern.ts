/** A pattern that the service has prepared. On a new connection it is prepared again: the service may be another one. */
import type { NewValues, PreparedPattern, Problem, Solution, SolutionView } from "@stickslip/core";
import { withValues } from "@stickslip/core/parallel";
import { ServiceError } from "../base/service-error.js";
import { type NumberArray, toArrays } from "../protocol/index.js";
import { checked, checkProblem, type ServiceSolveOptions } from "./options.js";
import type { Answer, PatternState, RequestOptions } from "./requests.js";

export interface SolveRequest {
	readonly problem: Problem;
	/** Those of the problem that are sent: without a pattern all of them. Asked for whenever it is sent. */
	readonly arrays: () => Map<string, NumberArray>;
	readonly options: ServiceSolveOptions;
	readonly pattern?: PatternState;
}

/** What a pattern needs of its client. */
export interface PatternOwner {
	newId(): string;
	send(request: RequestOptions): Promise<Answer>;
	/** Sends requests that waited for a pattern. */
	pump(): void;
	solve(request: SolveRequest): Promise<Solution>;
	released(): void;
}

export class Pattern implements PreparedPattern, PatternState {
	name: string;
	isReady = false;
	/** With the values that were given last. */
	#problem: Problem;
	readonly #owner: PatternOwner;
	#solves = 0;
	/** Whether the service has the same values: not if one of the last solves may not have arrived. */
	#isKnown = true;
	#isReleased = false;
	#failure: ServiceError | undefined;

	constructor(problem: Problem, owner: PatternOwner) {
		this.#problem = problem;
		this.#owner = owner;
		this.name = owner.newId();
	}

	get contacts(): number {
		return this.#problem.contacts;
	}

	async prepare(): Promise<void> {
		const { name } = this;
		const head = { type: "prepare", id: this.#owner.newId(), pattern: name, contacts: this.contacts };
		await this.#owner.send({ head, arrays: () => toArrays(this.#problem) });
		// A connection may have been lost meanwhile, and the pattern be prepared once more.
		if (this.name === name) this.isReady = true;
	}

	/** On a new connection, under a new name: the service may still have the old one. */
	connected(): void {
		const old = this.name;
		this.name = this.#owner.newId();
		this.#release(old);
		this.prepare()
			.catch((error: ServiceError) => {
				// Solves that wait for it are sent, and the service says of each that there is no such pattern.
				this.#failure = error;
				this.isReady = true;
			})
			.finally(() => this.#owner.pump());
	}

	lost(): void {
		this.isReady = false;
	}

	solve(values: NewValues, options?: ServiceSolveOptions): Promise<Solution>;
	solve(values: NewValues, options: ServiceSolveOptions & { readonly results: "view" }): Promise<SolutionView>;
	async solve(values: NewValues, options: ServiceSolveOptions = {}): Promise<Solution | SolutionView> {
		if (this.#isReleased) {
			throw new ServiceError("unknown-pattern", "pattern", "was released", "prepare it again");
		}
		if (this.#failure !== undefined) throw this.#failure;
		const problem = checked(() => withValues(this.#problem, values));
		checkProblem(problem);
		this.#problem = problem;
		const { start = options.start } = values;
		const { name } = this;
		const isEnough = this.#isKnown && this.#solves === 0;
		const arrays = () =>
			isEnough && this.name === name ? newArrays(problem, values) : withoutPattern(toArrays(problem));
		this.#solves += 1;
		try {
			const given = { ...options, ...(start !== undefined && { start }) };
			const solution = await this.#owner.solve({ problem, arrays, options: given, pattern: this });
			if (problem === this.#problem) this.#isKnown = true;
			return solution;
		} catch (error) {
			this.#isKnown = false;
			throw error;
		} finally {
			this.#solves -= 1;
			this.#releaseWhenIdle();
		}
	}

	/** Takes effect when the solves that are under way have ended. */
	release(): void {
		if (this.#isReleased) return;
		this.#isReleased = true;
		this.#releaseWhenIdle();
	}

	#releaseWhenIdle(): void {
		if (!this.#isReleased || this.#solves > 0) return;
		this.#owner.released();
		this.#release(this.name);
	}

	/** A missing pattern is as good as a released one. */
	#release(name: string): void {
		this.#owner.send({ head: { type: "release", id: this.#owner.newId(), pattern: name } }).catch(() => {});
	}
}

/** What a pattern is of the service already has. */
function withoutPattern(arrays: Map<string, NumberArray>): Map<string, NumberArray> {
	for (const name of ["W.rowStart", "W.column", "rigid.body", "geometry.point", "laws.law"]) arrays.delete(name);
	return arrays;
}

/** The arrays that are given; the others are as they were. */
function newArrays({ W, laws }: Problem, { q, mu, parameters, values, rigid }: NewValues): Map<string, NumberArray> {
	const bodies = rigid as Problem["rigid"] & object;
	return withoutPattern(
		toArrays({
			q,
			...(mu && { mu }),
			...(parameters && laws && { laws: { ...laws, parameters } }),
			...(values && W && { W: { ...W, values } }),
			...(rigid && { rigid: bodies }),
		}),
	);
}
