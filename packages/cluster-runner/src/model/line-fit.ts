/** Constants of a transport, of what was measured between two ranks; use-fit.ts has those of solves. */
import { atLeast, type Checked, integer, list, record } from "@stickslip/core/schema";
import { isLineResult, type LineResult, type MeasuredExchange, type MeasuredLoop } from "../programs/measure-lines.js";
import type { EndCosts, LineCosts, WakeUpCost } from "./line-costs.js";
import type { ReductionName } from "./reductions.js";

/** Numbers of a block, and bytes of a number, of what was measured. */
const WIDTH = 3;
const NUMBER_BYTES = 8;
const SOLVES_MAX = 10;
/** A wait after which nobody has gone to sleep. */
const SHORT_SECONDS = 1e-6;

/** Between two ranks; and solves on so many ranks. */
export const isMeasuredLine = record({
	pair: isLineResult,
	solves: list(record({ ranks: integer(1), seconds: atLeast(0) }), SOLVES_MAX),
});
export type MeasuredLine = Checked<typeof isMeasuredLine>;

/** The slope and the value at zero of the line through points x, y, by least squares of errors relative to a third number, or else to y; neither is negative. */
export function leastSquaresLine(points: readonly (readonly [number, number, number?])[]): {
	at0: number;
	slope: number;
} {
	let [weights, x, y, xx, xy] = [0, 0, 0, 0, 0];
	for (const [px, py, scale = py] of points) {
		const weight = 1 / Math.max(scale, 1e-12) ** 2;
		weights += weight;
		x += weight * px;
		y += weight * py;
		xx += weight * px * px;
		xy += weight * px * py;
	}
	const determinant = weights * xx - x * x;
	const slope = determinant > 0 ? Math.max(0, (weights * xy - x * y) / determinant) : 0;
	const at0 = weights > 0 ? (y - slope * x) / weights : 0;
	if (at0 >= 0) return { at0, slope };
	return { at0: 0, slope: xx > 0 ? Math.max(0, xy / xx) : 0 };
}

/** Of two ranks; the first exchange is an empty one. */
export function fitLine({ exchanges, several, reductions, loops }: LineResult, name: ReductionName): LineCosts {
	const empty = exchanges.find(({ blocks }) => blocks === 0)!;
	const full = exchanges.filter(({ blocks }) => blocks > 0);
	const begin = endOf(empty, full, several, ({ begin: at }) => at);
	// What a transport takes of the cores meanwhile counts where the message is received.
	const finish = endOf(empty, full, several, ({ finish: at, stolen }) => at + stolen);
	const flight = leastSquaresLine(
		full.map((each) => [NUMBER_BYTES * WIDTH * each.blocks, Math.max(0, each.whole - busyOf(each)), each.whole]),
	);
	const within = { latency: flight.at0, perByte: flight.slope };
	const reduced = leastSquaresLine(reductions.map(({ numbers, seconds }) => [numbers, seconds]));
	// Of two ranks a reduction is one step there and back at once; a meeting has no messages, and all ranks read the numbers of all.
	const reduction =
		name === "meeting"
			? { name, step: reduced.at0, number: reduced.slope / 2 }
			: {
					name,
					step: Math.max(0, reduced.at0 - within.latency),
					number: Math.max(0, reduced.slope - NUMBER_BYTES * within.perByte),
				};
	const waking = wakingsOf(full[0], loops);
	return { begin, finish, within, reduction, waking, crowded: { wake: 0, turn: 0 } };
}

/** What an exchange takes of a core that has other work meanwhile. */
function busyOf({ begin, finish, stolen }: MeasuredExchange): number {
	return begin + finish + stolen;
}

/** A longer message takes no less than a shorter one: one that seemed to was disturbed less. */
function endOf(
	empty: MeasuredExchange,
	full: readonly MeasuredExchange[],
	several: LineResult["several"],
	secondsOf: (exchange: MeasuredExchange) => number,
): EndCosts {
	const sorted = [...full].sort((one, other) => one.blocks - other.blocks);
	const exchange = Math.min(secondsOf(empty), ...sorted.map(secondsOf));
	let least = 0;
	const messages = sorted.map((each) => {
		least = Math.max(least, secondsOf(each) - exchange);
		return { numbers: WIDTH * each.blocks, seconds: least };
	});
	const first = messages[0];
	const furthers = several.map((each) => (secondsOf(each) - exchange - (first?.seconds ?? 0)) / (each.messages - 1));
	// Of the most messages, where what one alone takes counts least.
	const further = Math.max(0, furthers.at(-1) ?? Number.POSITIVE_INFINITY);
	const less = Math.max(0, (first?.seconds ?? 0) - further);
	return { exchange, messages, less };
}

/** One rank works, begins its exchange and goes on; the other has waited, and goes on when the message is there and it is awake. */
function wakingsOf(block: MeasuredExchange | undefined, loops: readonly MeasuredLoop[]): WakeUpCost[] {
	if (block === undefined) return [];
	const found = loops
		.filter(({ work }) => work > SHORT_SECONDS)
		.map(({ alone, seconds }) => ({ wait: alone, seconds: Math.max(0, seconds - alone - block.whole) }))
		.sort((one, other) => one.wait - other.wait);
	return found.length === 0 ? [] : [{ wait: SHORT_SECONDS, seconds: 0 }, ...found];
}
