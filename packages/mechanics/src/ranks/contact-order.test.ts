import { Random } from "@stickslip/core";
import { describe, expect, it } from "vitest";
import { orderContacts } from "./contact-order.js";

/** Contacts between random bodies, each in the tile of its first one. */
function randomContacts(contacts: number, bodies: number, tiles: number, seed = 5) {
	const random = new Random(seed);
	const body = Int32Array.from({ length: 2 * contacts }, (_, k) => (k % 5 === 0 ? -1 : random.below(bodies)));
	const tile = Int32Array.from({ length: contacts }, (_, a) => Math.max(0, body[2 * a + 1]!) % tiles);
	const degree = new Int32Array(bodies);
	for (const b of body) if (b >= 0) degree[b]! += 1;
	return { body, degree, tile };
}

describe("orderContacts", () => {
	it("has each own contact once, tile after tile, and neighbours that share no body where colours do", () => {
		const { body, degree, tile } = randomContacts(3000, 900, 20);
		const rank = tile.map((each) => (each < 10 ? 1 : 0));
		const own = rank.filter((each) => each === 1).length;
		const { order, tiles, start } = orderContacts(body, degree, { tile, rank, own }, 1, 20);
		expect([...order].sort((a, b) => a - b)).toEqual([...rank.keys()].filter((a) => rank[a] === 1));
		expect([...tiles]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
		let coupled = 0;
		for (let t = 0; t < tiles.length; t += 1) {
			for (let i = start[t]!; i < start[t + 1]!; i += 1) expect(tile[order[i]!]).toBe(tiles[t]);
			for (let i = start[t]!; i + 1 < start[t + 1]!; i += 2) {
				const pair = [order[i]!, order[i + 1]!].map((a) => [...body.subarray(2 * a, 2 * a + 2)].filter((b) => b >= 0));
				if (pair[0]!.some((b) => pair[1]!.includes(b))) coupled += 1;
			}
		}
		// Pairs that straddle two colours may share one.
		expect(coupled / own).toBeLessThan(0.05);
	});

	it("keeps contacts of a law together in each tile, and those of one law in the order without laws", () => {
		const { body, degree, tile } = randomContacts(600, 200, 3);
		const owner = { tile, rank: new Int32Array(600), own: 600 };
		const law = Uint8Array.from({ length: 600 }, (_, a) => a % 3);
		const { order, start } = orderContacts(body, degree, owner, 0, 3, law);
		for (let t = 0; t < 3; t += 1) {
			const laws = [...order.subarray(start[t]!, start[t + 1]!)].map((a) => law[a]!);
			expect(laws).toEqual([...laws].sort());
		}
		const plain = orderContacts(body, degree, owner, 0, 3);
		expect(orderContacts(body, degree, owner, 0, 3, new Uint8Array(600)).order).toEqual(plain.order);
	});

	it("orders a tile by its own contacts alone", () => {
		const { body, degree, tile } = randomContacts(400, 100, 4);
		const all = orderContacts(body, degree, { tile, rank: new Int32Array(400), own: 400 }, 0, 4);
		const rank = tile.map((each) => (each === 2 ? 0 : 1));
		const one = orderContacts(body, degree, { tile, rank, own: rank.filter((each) => each === 0).length }, 0, 4);
		expect(one.order).toEqual(all.order.subarray(all.start[2]!, all.start[3]!));
	});

	it("gives contacts the last colour where a body has more than there are colours", () => {
		const contacts = 100;
		const body = Int32Array.from({ length: 2 * contacts }, (_, k) => (k % 2 === 0 ? 0 : 1 + (k >> 1)));
		const degree = Int32Array.from({ length: contacts + 1 }, (_, b) => (b === 0 ? contacts : 1));
		const owner = { tile: new Int32Array(contacts), rank: new Int32Array(contacts), own: contacts };
		const { order } = orderContacts(body, degree, owner, 0, 1);
		expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: contacts }, (_, a) => a));
	});
});
