/** One rank of a session, as the program of a Web Worker: solves whole problems in the session of core, and its part of those that are cut. */
import {
	openSession,
	type PreparedPattern,
	type Problem,
	type Progress,
	type Session,
	type SessionSolveOptions,
	type Solution,
} from "@stickslip/core";
import { buffersOf, withValues } from "@stickslip/core/parallel";
import { messageOf, plainError } from "../messages/errors.js";
import type { FromRank, PlainOptions, SolveMode, ToRank } from "../messages/messages.js";
import { Cutter } from "./cutter.js";
import { joinTeam, type Member } from "./member.js";
import { scope, send } from "./scope.js";

/** A pattern that was prepared here: by core's session, or kept to be cut with new values. */
type Pattern = { readonly prepared: PreparedPattern } | { problem: Problem; readonly options: PlainOptions };

class Rank {
	readonly #session: Session;
	readonly #cutter: Cutter | undefined;
	readonly #patterns = new Map<number, Pattern>();
	readonly #underWay = new Map<number, AbortController>();

	constructor(session: Session, member: Member | undefined) {
		this.#session = session;
		this.#cutter = member && new Cutter(member);
	}

	async handle(message: ToRank): Promise<void> {
		if (message.kind === "abort") this.#underWay.get(message.id)?.abort();
		else if (message.kind === "release") this.#release(message.pattern);
		else if (message.kind !== "start") await this.#answer(message);
	}

	async #answer(message: Extract<ToRank, { kind: "solve" | "prepare" }>): Promise<void> {
		const { id } = message;
		const controller = new AbortController();
		this.#underWay.set(id, controller);
		try {
			if (message.kind === "prepare") {
				await this.#prepare(message);
				send({ kind: "answer", id });
				return;
			}
			if (message.isAborted) controller.abort();
			const solution = await this.#solve(message, controller.signal);
			send({ kind: "answer", id, solution }, buffersOf(solution));
		} catch (error) {
			send({ kind: "refusal", id, error: plainError(error) });
		} finally {
			this.#underWay.delete(id);
		}
	}

	async #prepare({ pattern, problem, options, how }: Extract<ToRank, { kind: "prepare" }>): Promise<void> {
		// Wrong input is refused here also where the problem will be cut anew for each solve.
		const prepared = await this.#session.prepare(problem, options);
		if (how === "alone") this.#patterns.set(pattern, { prepared });
		else {
			prepared.release();
			this.#patterns.set(pattern, { problem, options });
		}
	}

	async #solve(message: Extract<ToRank, { kind: "solve" }>, signal: AbortSignal): Promise<Solution> {
		const { id, how, deadline, hasProgress } = message;
		const onProgress = (progress: Progress) => send({ kind: "progress", id, progress });
		const options: SessionSolveOptions = { ...message.options, deadline, signal, ...(hasProgress && { onProgress }) };
		if ("problem" in message) return await this.#solveProblem(message.problem, options, how);
		const pattern = this.#patterns.get(message.pattern);
		if (pattern === undefined) throw new Error("assertion failed: a pattern is prepared before it is solved");
		if ("prepared" in pattern) return await pattern.prepared.solve(message.values, options);
		pattern.problem = withValues(pattern.problem, message.values);
		const { start } = message.values;
		return await this.#solveProblem(pattern.problem, { ...pattern.options, ...options, ...(start && { start }) }, how);
	}

	async #solveProblem(problem: Problem, options: SessionSolveOptions, how: SolveMode): Promise<Solution> {
		const cut = how === "cut" ? await this.#cutter?.solve(problem, options) : undefined;
		return cut ?? (await this.#session.solve(problem, options));
	}

	#release(pattern: number): void {
		const known = this.#patterns.get(pattern);
		if (known && "prepared" in known) known.prepared.release();
		this.#patterns.delete(pattern);
	}
}

async function start({ rank, team }: Extract<ToRank, { kind: "start" }>): Promise<void> {
	const member = team && joinTeam(rank, team);
	const own = new Rank(await openSession(), member);
	scope.onmessage = ({ data }: MessageEvent<ToRank>) => void own.handle(data);
	send({ kind: "ready" } satisfies FromRank);
}

scope.onmessage = ({ data }: MessageEvent<ToRank>) => {
	if (data.kind !== "start") return;
	start(data).catch((error: unknown) =>
		send({ kind: "failure", rank: data.rank, reason: `did not start: ${messageOf(error)}` }),
	);
};
