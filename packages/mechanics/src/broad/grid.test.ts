/** Pairs of the grid against all pairs. */
import { Random } from "@stickslip/core";
import { expect, test } from "vitest";
import { Grid } from "./grid.js";

type Box = readonly [low: readonly number[], high: readonly number[]];

function overlap([low, high]: Box, [otherLow, otherHigh]: Box): boolean {
	return low.every((x, d) => x <= otherHigh[d]! && otherLow[d]! <= high[d]!);
}

/** "i j" of all pairs that the grid finds, and of all that overlap and have an active one. */
function pairsOf(grid: Grid, boxes: readonly Box[], isActive = new Uint8Array(boxes.length).fill(1)) {
	grid.search(Float64Array.from(boxes.flatMap(([low, high]) => [...low, ...high])), boxes.length, isActive);
	const found = [];
	for (let k = 0; k < grid.found; k += 1) {
		const [i, j] = [grid.pair[2 * k]!, grid.pair[2 * k + 1]!];
		found.push(`${Math.min(i, j)} ${Math.max(i, j)}`);
	}
	const wanted = [];
	for (let i = 0; i < boxes.length; i += 1) {
		for (let j = i + 1; j < boxes.length; j += 1) {
			if (overlap(boxes[i]!, boxes[j]!) && isActive[i]! + isActive[j]! > 0) wanted.push(`${i} ${j}`);
		}
	}
	return { found: found.sort(), wanted: wanted.sort() };
}

/** Edges up to 1 and down to `1 / ratio`, around points of a block about `origin`. Corners are multiples of 2^-20, so that sums are exact. */
function randomBoxes(
	random: Random,
	count: number,
	block: readonly number[],
	ratio: number,
	origin = [0, 0, 0],
): Box[] {
	const exact = (x: number) => Math.round(x * 2 ** 20) / 2 ** 20;
	return Array.from({ length: count }, () => {
		const size = 1 / (1 + (ratio - 1) * random.uniform() * random.uniform());
		const low = block.map((edge, d) => exact(origin[d]! + edge * random.uniform()));
		return [low, low.map((x) => x + exact(size * (0.3 + 0.7 * random.uniform())))];
	});
}

const grid = new Grid();

test.each([
	["equal sizes", [6, 6, 6], 1],
	["sizes 1 : 1000", [4, 4, 4], 1000],
	["flat", [20, 20, 0], 2],
	["a line", [0, 100, 0], 5],
	["one cell", [0.2, 0.2, 0.2], 1],
	["sparse", [1000, 1000, 1000], 3],
] as const)("%s: all pairs that overlap, each once", (_name, block, ratio) => {
	const random = new Random(7);
	for (let round = 0; round < 12; round += 1) {
		const origin = round % 3 === 0 ? [0, 0, 0] : [-(2 ** 20), 2 ** 18 + 0.5, 1000.25];
		const { found, wanted } = pairsOf(grid, randomBoxes(random, 20 * round, block, ratio, origin));
		expect(found).toEqual(wanted);
	}
});

test("clusters far from each other, and one box that has flown off", () => {
	const random = new Random(3);
	const boxes = [0, 1e9, -3e9].flatMap((x) => randomBoxes(random, 80, [3, 3, 3], 10, [x, 0, x]));
	boxes.push([
		[1e300, -1e300, 0],
		[1e300, -1e300, 1],
	]);
	const { found, wanted } = pairsOf(grid, boxes);
	expect(found).toEqual(wanted);
	expect(wanted.length).toBeGreaterThan(50);
});

test("pairs without an active box are left out", () => {
	const random = new Random(5);
	const boxes = randomBoxes(random, 200, [4, 4, 4], 20);
	const isActive = Uint8Array.from(boxes, () => Number(random.uniform() < 0.3));
	const { found, wanted } = pairsOf(grid, boxes, isActive);
	expect(found).toEqual(wanted);
});

test("what is no box meets nothing", () => {
	const cube: Box = [
		[0, 0, 0],
		[1, 1, 1],
	];
	const none: Box = [
		[Infinity, Infinity, Infinity],
		[-Infinity, -Infinity, -Infinity],
	];
	const unknown: Box = [
		[Number.NaN, 0, 0],
		[1, 1, 1],
	];
	expect(pairsOf(grid, [cube, none, unknown, cube]).found).toEqual(["0 3"]);
	expect(pairsOf(grid, [none]).found).toEqual([]);
	expect(pairsOf(grid, []).found).toEqual([]);
});

test("one large box among many small ones", () => {
	const random = new Random(11);
	const boxes = randomBoxes(random, 300, [300, 300, 0], 2);
	boxes.push([
		[-10, -10, -1],
		[310, 310, 0.01],
	]);
	const { found, wanted } = pairsOf(grid, boxes);
	expect(found).toEqual(wanted);
	expect(wanted.filter((pair) => pair.endsWith(" 300"))).toHaveLength(300);
});
