/** The graph of tiles by its definition, and colours that are kept as long as it stays. */
import { Random } from "@stickslip/core";
import { SelfCommunicator } from "@stickslip/core/parallel";
import { describe, expect, it } from "vitest";
import { orderContacts } from "./contact-order.js";
import { shareTileGraph } from "./tile-graph.js";

const [CONTACTS, BODIES] = [300, 120] as const;

/** Contacts of bodies along a line, each in the tile of its first one. */
function contactsOf(seed: number, tiles: number) {
	const random = new Random(seed);
	const body = new Int32Array(2 * CONTACTS);
	const tile = new Int32Array(CONTACTS);
	for (let a = 0; a < CONTACTS; a += 1) {
		const first = random.below(BODIES - 4);
		body[2 * a] = first;
		body[2 * a + 1] = a % 7 === 0 ? -1 : first + 1 + random.below(3);
		tile[a] = Math.floor((first * tiles) / BODIES);
	}
	return { body, tile, tiles };
}

function graphOf({ body, tile, tiles }: ReturnType<typeof contactsOf>) {
	const degree = new Int32Array(BODIES);
	for (const b of body) if (b >= 0) degree[b]! += 1;
	const owner = { tile, rank: new Int32Array(CONTACTS), own: CONTACTS };
	const order = orderContacts(body, degree, owner, 0, tiles);
	return shareTileGraph(new SelfCommunicator(), order, body, BODIES, owner, tiles, [CONTACTS, 7]);
}

// Few are the bits of a number, more are lists.
describe.each([14, 32, 40])("the graph of %i tiles", (tiles) => {
	it("has tiles that share a body in different colours, and counts their contacts", () => {
		for (let seed = 1; seed <= 20; seed += 1) {
			const contacts = contactsOf(seed, tiles);
			const { start, colour, colours, sums } = graphOf(contacts);
			expect(sums).toEqual([CONTACTS, 7]);
			expect(Math.max(...colour)).toBe(colours - 1);
			for (let t = 0; t < tiles; t += 1) {
				expect(start[t + 1]! - start[t]!).toBe(contacts.tile.filter((each) => each === t).length);
			}
			const tilesAt = Array.from({ length: BODIES }, () => new Set<number>());
			for (const [k, b] of contacts.body.entries()) if (b >= 0) tilesAt[b]!.add(contacts.tile[k >> 1]!);
			let shared = 0;
			for (const touching of tilesAt) {
				expect(new Set([...touching].map((t) => colour[t])).size).toBe(touching.size);
				if (touching.size > 1) shared += 1;
			}
			expect(shared).toBeGreaterThan(5);
		}
	});

	it("keeps the last step's colours where tiles have the same neighbours, and finds others where they have not", () => {
		const contacts = contactsOf(3, tiles);
		const first = graphOf(contacts);
		// Other contacts, of the same bodies the other way round: no tile has other neighbours.
		const turned = { ...contacts, body: contacts.body.slice() };
		for (let a = 0; a < CONTACTS; a += 2) turned.body.subarray(2 * a, 2 * a + 2).reverse();
		expect(graphOf(turned).colour).toBe(first.colour);
		const far = { ...contacts, body: contacts.body.slice() };
		far.body.set([0, BODIES - 3]);
		far.body.set([0, BODIES - 3], 2);
		far.tile = contacts.tile.slice();
		far.tile.set([0, tiles - 1]);
		const other = graphOf(far);
		expect(other.colour).not.toBe(first.colour);
		expect(other.colour[0]).not.toBe(other.colour[tiles - 1]);
	});
});
