/** Outlines and rows: what one says of the other, and that neither depends on what was done with the one before. */
import { assembleRigid, generate, type Problem } from "@stickslip/core";
import { columnIds, ghostPlace, prepare, rowIds, type ShareOutline } from "@stickslip/core/parallel";
import { expect, test } from "vitest";
import { cutShares } from "./shares.js";

const ranks = 3;
const spheres = generate("spheres", { contacts: 90 });
/** What a rank takes away when it gets its share. */
function moved<Data>(data: Data): Data {
	const buffers = new Set<ArrayBuffer>();
	const find = (value: unknown): void => {
		if (ArrayBuffer.isView(value)) buffers.add(value.buffer as ArrayBuffer);
		else if (typeof value === "object" && value !== null) for (const each of Object.values(value)) find(each);
	};
	find(data);
	return structuredClone(data, { transfer: [...buffers] });
}

test.each(["assembled", "matrix-free"])("%s: ranks own every block once, and outlines do not need rows", (operator) => {
	const prepared = prepare(spheres, { set: { operator } });
	const shares = cutShares(prepared, ranks);
	const outlines = Array.from({ length: ranks }, (_, rank) => moved(shares.outline(rank)));
	const owned = outlines.flatMap(({ ids }) => [...ids]).sort((a, b) => a - b);
	expect(owned).toEqual(Array.from({ length: spheres.contacts }, (_, id) => id));
	for (const { rank, ghosts, halo } of outlines) {
		expect(ghosts.length).toBeGreaterThan(0);
		expect(halo.receive.length).toBe(ghosts.length);
		// Every ghost is sent by the rank that owns it, in the order in which it is expected.
		for (const [i, source] of halo.sources.entries()) {
			const other = outlines[source]!;
			const at = other.halo.targets.indexOf(rank);
			const sent = other.halo.send.subarray(other.halo.sendStart[at], other.halo.sendStart[at + 1]);
			const expected = halo.receive.subarray(halo.receiveStart[i], halo.receiveStart[i + 1]);
			const first = ghostPlace(outlines[rank]!.ids.length);
			expect([...sent].map((place) => other.ids[place])).toEqual([...expected].map((place) => ghosts[place - first]));
		}
	}
});

test("rows of W are those that the outline names, with the numbers of the problem", () => {
	const { rigid, ...rest } = spheres;
	const W = assembleRigid(rigid!);
	const problem: Problem = { ...rest, W };
	const shares = cutShares(prepare(problem, { set: { operator: "assembled" } }), ranks);
	for (let rank = 0; rank < ranks; rank += 1) {
		// What another process has: the outline as it arrived.
		const outline = moved(shares.outline(rank)) as ShareOutline;
		const rows = shares.rows(outline);
		const [own, columns] = [rowIds(outline), columnIds(outline)];
		expect([...own]).toEqual([...outline.ids].sort((a, b) => a - b));
		expect([...columns]).toEqual([...outline.ids, ...outline.ghosts].sort((a, b) => a - b));
		if (rows.operator.kind !== "assembled" || !("values" in rows.operator.matrix))
			throw new Error("rows without values");
		const { rowStart, column, values } = rows.operator.matrix;
		for (const [i, id] of own.entries()) {
			const [from, end] = [W.rowStart[id]!, W.rowStart[id + 1]!];
			const named = [...column.subarray(rowStart[i], rowStart[i + 1])].map((c) => columns[c]);
			expect(named).toEqual([...W.column.subarray(from, end)]);
			expect([...values.subarray(9 * rowStart[i]!, 9 * rowStart[i + 1]!)]).toEqual([
				...W.values.subarray(9 * from, 9 * end),
			]);
			const at = outline.ids.indexOf(id);
			expect([...rows.q.subarray(3 * at, 3 * at + 3)]).toEqual([...problem.q.subarray(3 * id, 3 * id + 3)]);
			expect(rows.mu[at]).toBe(problem.mu[id]);
		}
		expect(rows.diagonal.length).toBe(9 * own.length);
	}
});
