import { Random } from "@stickslip/core";
import { SelfCommunicator } from "@stickslip/core/parallel";
import { describe, expect, it } from "vitest";
import { cutRegions, ownerOf } from "./regions.js";
import { curveKeys, makeTiles, tileOf, tilesOf } from "./tiles.js";
import { Totals } from "./totals.js";

const totals = new Totals(new SelfCommunicator());

function cloud(count: number, seed = 3): Float64Array {
	const random = new Random(seed);
	// Most of it in one corner: tiles are small there.
	return Float64Array.from({ length: 3 * count }, () => random.uniform() ** 3);
}

const countsOf = (tile: Int32Array, tiles: number) => {
	const count = new Int32Array(tiles);
	for (const t of tile) count[t]! += 1;
	return count;
};

describe("tiles", () => {
	it("hold no more bodies than wanted, and not many fewer on the mean", () => {
		const position = cloud(5000);
		const tiles = makeTiles(position, 24, totals);
		const count = countsOf(tilesOf(tiles.first, curveKeys(tiles, position)), tiles.first.length);
		expect(Math.max(...count)).toBeLessThanOrEqual(24);
		expect(tiles.first.length).toBeLessThan((2.5 * 5000) / 24);
		expect(tiles.first).toEqual(tiles.first.slice().sort());
		expect(tiles.first[0]).toBe(0);
	});

	it("do not depend on the order of bodies", () => {
		const position = cloud(500);
		const turned = new Float64Array(position.length);
		for (let i = 0; i < 500; i += 1) turned.set(position.subarray(3 * i, 3 * i + 3), 3 * (499 - i));
		expect(makeTiles(turned, 10, totals)).toEqual(makeTiles(position, 10, totals));
	});

	it("are neighbours in space", () => {
		const position = cloud(5000);
		const tiles = makeTiles(position, 24, totals);
		const tile = tilesOf(tiles.first, curveKeys(tiles, position));
		let spread = 0;
		for (let t = 0; t < tiles.first.length; t += 1) {
			const own = [...tile.entries()].filter(([, each]) => each === t).map(([i]) => position[3 * i]!);
			if (own.length > 1) spread += Math.max(...own) - Math.min(...own);
		}
		expect(spread / tiles.first.length).toBeLessThan(0.2);
	});

	it("are there for bodies in one place, for none, and for those that are nowhere", () => {
		expect(makeTiles(new Float64Array(300), 5, totals).first.length).toBeGreaterThanOrEqual(1);
		expect([...makeTiles(new Float64Array(0), 5, totals).first]).toEqual([0]);
		const lost = cloud(100);
		lost[7] = Number.NaN;
		lost[9] = Number.POSITIVE_INFINITY;
		const tiles = makeTiles(lost, 5, totals);
		for (const tile of tilesOf(tiles.first, curveKeys(tiles, lost))) expect(tile).toBeGreaterThanOrEqual(0);
	});

	it("take bodies that leave their cube into the nearest cells", () => {
		const tiles = makeTiles(cloud(1000), 10, totals);
		const outside = Float64Array.of(-5, -5, -5, 1e300, 9, 9);
		const at = Float64Array.of(
			...tiles.low,
			tiles.low[0] + tiles.edge,
			tiles.low[1] + tiles.edge,
			tiles.low[2] + tiles.edge,
		);
		expect(curveKeys(tiles, outside)).toEqual(curveKeys(tiles, at));
	});
});

describe("regions", () => {
	const first = Float64Array.from({ length: 100 }, (_, i) => 1000 * i);

	it("are runs of tiles that weigh about the same", () => {
		const weight = Float64Array.from({ length: 100 }, (_, i) => 1 + (i % 7));
		const total = weight.reduce((sum, each) => sum + each, 0);
		for (const ranks of [1, 2, 3, 8]) {
			const regions = cutRegions(first, weight, ranks);
			const own = new Float64Array(ranks);
			for (let tile = 0; tile < 100; tile += 1) own[ownerOf(regions, tile)]! += weight[tile]!;
			for (const each of own) expect(Math.abs(each - total / ranks)).toBeLessThanOrEqual(7);
		}
	});

	it("stay while the work is balanced, and move little when tiles are others", () => {
		const even = new Float64Array(100).fill(1);
		const before = cutRegions(first, even, 4);
		expect(
			cutRegions(
				first,
				even.map((one, i) => one + (i < 26 ? 0.05 : 0)),
				4,
				before,
			),
		).toEqual(before);
		const heavy = cutRegions(
			first,
			even.map((one, i) => (i < 20 ? 4 : one)),
			4,
			before,
		);
		expect([...heavy.start]).not.toEqual([...before.start]);
		const finer = Float64Array.from({ length: 200 }, (_, i) => 500 * i);
		const kept = cutRegions(finer, new Float64Array(200).fill(1), 4, before);
		expect([...kept.key]).toEqual([...before.key]);
	});

	it("may be empty where there are more ranks than tiles", () => {
		const regions = cutRegions(Float64Array.of(0, 10), Float64Array.of(5, 5), 5);
		const owners = [0, 1].map((tile) => ownerOf(regions, tile));
		expect(owners[0]).toBeLessThan(owners[1]!);
		expect(regions.start[5]).toBe(2);
		expect(tileOf(Float64Array.of(0, 10), 9)).toBe(0);
	});
});
