/** The work of requests on the ranks, and the messages with their answers. */
import {
	fromArrays,
	type NamedArrays,
	type NumberArray,
	type SolveMessage,
	toFrames,
} from "@stickslip/client/protocol";
import {
	InputError,
	type Problem,
	type Progress,
	type Session,
	type SessionSolveOptions,
	type Solution,
} from "@stickslip/core";
import type { Frames } from "./connection.js";
import type { Pattern } from "./patterns.js";

/** The service as seen by a request while it is solved. */
export interface WorkContext {
	readonly session: Session;
	readonly signal: AbortSignal;
	readonly onProgress?: ((progress: Progress) => void) | undefined;
	/** Seconds that are left until the answer is wanted. */
	readonly deadline?: number | undefined;
}

export interface Answer {
	readonly frames: Frames;
	/** The status of the report; prepared. */
	readonly outcome: string;
	/** It ended before a rank had begun it. */
	readonly isUnbegun?: boolean;
	/** Of ranks, where they are known. */
	readonly seconds?: number;
}

export type Work = (context: WorkContext) => Promise<Answer>;

/** Of a message: those of solve in core that make sense for one request. */
const OPTIONS = [
	"method",
	"tolerance",
	"measure",
	"maxIterations",
	"timeLimit",
	"history",
	"set",
	"worseStart",
] as const;

/** Encrypted piece by piece, a long array needs no second copy. */
export const PIECE_BYTES = 2 ** 18;

/** Names of warm starts are prefixed by the service: each client has its own series. */
const seriesOf = (client: string, series: string) => `${client} ${series}`;

export interface SolveRules {
	readonly client: string;
	/** The most seconds of one solve. */
	readonly secondsMax: number;
	/** The session remembers this series from now on. */
	readonly remembered: (series: string, contacts: number, session: Session) => void;
}

type Options = Omit<SessionSolveOptions, "signal" | "onProgress" | "deadline">;

/** Throws an InputError that names the option. */
export function optionsOf(
	message: SolveMessage,
	keys: NumberArray | undefined,
	{ client, secondsMax }: SolveRules,
): Options {
	const { options = {}, series } = message;
	const names: readonly string[] = OPTIONS;
	const unknown = Object.keys(options).find((name) => !names.includes(name));
	if (unknown !== undefined) {
		throw new InputError(
			"options",
			`options.${unknown}`,
			"is not an option of a request",
			`choose among ${names.join(", ")}`,
		);
	}
	const given = options as Options;
	const { timeLimit = secondsMax } = given;
	if (series !== undefined && keys === undefined) {
		throw new InputError("options", "keys", "is missing", "send one number per contact with a series");
	}
	const isNumber = typeof timeLimit === "number" && timeLimit <= secondsMax;
	return {
		...given,
		timeLimit: isNumber || typeof timeLimit !== "number" ? timeLimit : secondsMax,
		...(keys && { keys: numbers("keys", keys), series: seriesOf(client, series ?? "") }),
	};
}

function numbers(name: string, array: NumberArray): Float64Array {
	if (array instanceof Float64Array) return array;
	throw new InputError("problem", name, "is not f64", "send it as f64");
}

/** The arrays of the problem, and those that are for this solve only. */
function split(arrays: NamedArrays) {
	const problem = new Map(arrays);
	const take = (name: string) => {
		const array = problem.get(name);
		problem.delete(name);
		return array;
	};
	const [start, keys] = [take("start"), take("keys")];
	return { problem, keys, start: start && numbers("start", start) };
}

/** Throws an InputError if the message is not a problem. */
export function solveWork(message: SolveMessage, arrays: NamedArrays, rules: SolveRules): Work {
	const { problem: own, keys, start } = split(arrays);
	const options = { ...optionsOf(message, keys, rules), ...(start && { start }) };
	const problem: Problem = fromArrays(message.name ?? message.id, message.contacts, own);
	return async ({ session, ...context }) => {
		const solution = await session.solve(problem, { ...options, ...defined(context) });
		if (options.series !== undefined) rules.remembered(options.series, message.contacts, session);
		return answerOf(message.id, solution);
	};
}

/** The same for new values of a pattern. Throws a RequestError if they do not match it. */
export function patternWork(message: SolveMessage, arrays: NamedArrays, pattern: Pattern, rules: SolveRules): Work {
	const { problem: own, keys, start } = split(arrays);
	const options = optionsOf(message, keys, rules);
	const before = pattern.arrays;
	const merged = pattern.merge(message.contacts, own);
	return async ({ session, ...context }) => {
		try {
			const prepared = await pattern.prepare(session, merged);
			const values = pattern.newValues(merged, start);
			const solution = await prepared.solve(values, { ...options, ...defined(context), results: "owned" });
			if (options.series !== undefined) rules.remembered(options.series, message.contacts, session);
			return answerOf(message.id, {
				...solution,
				report: { ...solution.report, problem: message.name ?? pattern.name },
			});
		} catch (error) {
			if (error instanceof InputError) pattern.undo(own, before);
			throw error;
		}
	};
}

export function prepareWork(id: string, pattern: Pattern): Work {
	return async ({ session }) => {
		await pattern.prepare(session);
		return { frames: preparedMessage(id, pattern), outcome: "prepared" };
	};
}

export function preparedMessage(id: string, pattern: Pattern): Frames {
	return toFrames({ type: "prepared", id, pattern: pattern.name });
}

function defined({ signal, onProgress, deadline }: Omit<WorkContext, "session">) {
	return { signal, ...(onProgress && { onProgress }), ...(deadline !== undefined && { deadline }) };
}

function answerOf(id: string, { reaction, velocity, multiplier, report }: Solution): Answer {
	const arrays = new Map<string, NumberArray>([
		["reaction", reaction],
		["velocity", velocity],
	]);
	if (multiplier.length > 0) arrays.set("multiplier", multiplier);
	// The first counts the set-up as well.
	const seconds = Math.max(report.seconds, report.secondsFirst) * report.ranks;
	const isUnbegun = report.iterations === 0 && report.products === 0;
	const frames = toFrames({ type: "result", id, report }, arrays, PIECE_BYTES);
	return { frames, outcome: report.status, isUnbegun, seconds };
}
