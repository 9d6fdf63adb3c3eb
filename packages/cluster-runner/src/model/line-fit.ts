/** Constants of a transport, of what was measured between two ranks, and among more ranks than there are cores. */
import type { LineResult, MeasuredExchange } from "../programs/measure-lines.js";
import type { LineCosts } from "./line-costs.js";
import type { ReductionName } from "./reductions.js";

/** Numbers of a block, and bytes of a number, of what was measured. */
const WIDTH = 3;
const NUMBER_BYTES = 8;

/** Of reductions among so many ranks on so many cores. */
export interface CrowdedReduction {
	readonly ranks: number;
	readonly cores: number;
	readonly seconds: number;
}

/** The slope and the value at zero of the line through points, by least squares of relative errors; neither is negative. */
export function lineThrough(points: readonly (readonly [number, number])[]): { at0: number; slope: number } {
	let [weights, x, y, xx, xy] = [0, 0, 0, 0, 0];
	for (const [px, py] of points) {
		const weight = 1 / Math.max(py, 1e-12) ** 2;
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

/** `result` is of two ranks; its first exchange is an empty one. */
export function fitLine(
	{ exchanges, reductions }: LineResult,
	name: ReductionName,
	crowded: CrowdedReduction | undefined,
): LineCosts {
	const empty = exchanges.find(({ blocks }) => blocks === 0)!;
	const full = exchanges.filter(({ blocks }) => blocks > 0);
	const begin = side(empty, full, "begin");
	const finish = side(empty, full, "finish");
	const flight = lineThrough(
		full.map((each) => [NUMBER_BYTES * WIDTH * each.blocks, Math.max(0, each.whole - each.begin - each.finish)]),
	);
	const within = { latency: flight.at0, perByte: flight.slope };
	const reduced = lineThrough(reductions.map(({ numbers, seconds }) => [numbers, seconds]));
	// Of two ranks a reduction is one step there and back at once; a meeting has no messages, and all ranks read the numbers of all.
	const reduction =
		name === "meeting"
			? { name, step: reduced.at0, number: reduced.slope / 2 }
			: {
					name,
					step: Math.max(0, reduced.at0 - within.latency),
					number: Math.max(0, reduced.slope - NUMBER_BYTES * within.perByte),
				};
	return { begin, finish, within, reduction, crowded: { wake: wakeOf(crowded), turn: 0 } };
}

function side(
	empty: MeasuredExchange,
	full: readonly MeasuredExchange[],
	part: "begin" | "finish",
): LineCosts["begin"] {
	const { at0, slope } = lineThrough(full.map((each) => [WIDTH * each.blocks, each[part]]));
	const exchange = Math.min(empty[part], at0);
	return { exchange, message: at0 - exchange, number: slope };
}

/** Ranks of a core wake one after another. */
function wakeOf(crowded: CrowdedReduction | undefined): number {
	return crowded === undefined ? 0 : (crowded.seconds * crowded.cores) / crowded.ranks;
}
