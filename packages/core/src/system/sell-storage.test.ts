/** Rows that a rank forms of bodies: those of the whole W, to the bit, whichever contacts it owns and wherever they stand. */
import { expect, test } from "vitest";
import { Random } from "../base/random.js";
import { Arena } from "../kernels/arena.js";
import { type AssembledShare, ghostPlace } from "../parallel/share.js";
import { assembleRigid, type UnformedMatrix } from "../problem/assemble-rigid.js";
import type { BlockMatrix, RigidContacts } from "../problem/problem.js";
import { pile } from "../testing/gallery.js";
import { SellStorage } from "./sell-storage.js";

/** Contacts of others in the rows of these. */
function ghostsOf({ rowStart, column }: BlockMatrix, own: ReadonlySet<number>): number[] {
	const rows = [...own].flatMap((a) => [...column.subarray(rowStart[a]!, rowStart[a + 1]!)]);
	return [...new Set(rows)].filter((id) => !own.has(id)).sort((a, b) => a - b);
}

/** Contacts of these ids; bodies that none of the own ones touches become obstacles. */
function part(rigid: RigidContacts, ids: readonly number[], own: ReadonlySet<number>): RigidContacts {
	const pick = (values: Float64Array, width: number) =>
		Float64Array.from(ids.flatMap((id) => [...values.subarray(width * id, width * (id + 1))]));
	const bodiesOf = (id: number) => [...rigid.body.subarray(2 * id, 2 * id + 2)];
	const touched = new Set([...own].flatMap(bodiesOf));
	const body = Int32Array.from(ids.flatMap(bodiesOf), (b) => (touched.has(b) ? b : -1));
	return { ...rigid, body, frame: pick(rigid.frame, 9), arm: pick(rigid.arm, 6) };
}

/** The share of a rank that owns these contacts, in a random order: rows as bodies, and the same rows with values. */
function sharesOf(rigid: RigidContacts, owned: readonly number[], seed: number) {
	const whole = assembleRigid(rigid);
	const own = new Set(owned);
	const ghosts = ghostsOf(whole, own);
	const known = [...owned, ...ghosts].sort((a, b) => a - b);
	const order = Int32Array.from(owned);
	new Random(seed).shuffle(order);
	const first = ghostPlace(owned.length);
	const local = Int32Array.from(known, (id) => (own.has(id) ? order.indexOf(id) : first + ghosts.indexOf(id)));
	const rowOf = (id: number) => owned.indexOf(id);
	const rowsOf = (id: number) => [...whole.column.subarray(whole.rowStart[id]!, whole.rowStart[id + 1]!)];
	const rowStart = Int32Array.from([0, ...owned]);
	for (const [i, id] of owned.entries()) rowStart[i + 1] = rowStart[i]! + rowsOf(id).length;
	const pattern = {
		rows: owned.length,
		rowStart,
		column: Int32Array.from(owned.flatMap(rowsOf), (id) => known.indexOf(id)),
	};
	const values = owned.flatMap((id) => [
		...whole.values.subarray(9 * whole.rowStart[id]!, 9 * whole.rowStart[id + 1]!),
	]);
	const share = (matrix: BlockMatrix | UnformedMatrix): AssembledShare => {
		return { kind: "assembled", matrix, row: Int32Array.from(order, rowOf), local, interior: 0 };
	};
	return {
		ghosts: ghosts.length,
		unformed: share({ ...pattern, rigid: part(rigid, known, own) }),
		formed: share({ ...pattern, values: Float64Array.from(values) }),
		places: first + ghosts.length,
		diagonal: [...order].flatMap((id) => {
			const at = 9 * whole.column.indexOf(id, whole.rowStart[id]);
			return [...whole.values.subarray(at, at + 9)];
		}),
	};
}

/** `diagonal` has nine values per own block, by place. */
function stored(
	engine: "wasm" | "twin",
	share: AssembledShare,
	places: number,
	diagonal: readonly number[],
): Float64Array {
	const arena = new Arena(engine);
	const scale = arena.vector(places);
	const random = new Random(7);
	for (let at = 0; at < places; at += 1) scale.values[at] = 0.5 + random.uniform();
	const w = arena.room(diagonal.length);
	for (let i = 0; i < diagonal.length; i += 1) {
		const s = scale.values[Math.floor(i / 9)]!;
		w.values[i] = s * s * diagonal[i]!;
	}
	const values = new SellStorage(arena, share, scale, w).values.values.slice();
	arena.release();
	return values;
}

test.each(["wasm", "twin"] as const)("%s: rows of bodies are those of W", (engine) => {
	for (const kind of ["spheres", "planks"] as const) {
		const { rigid, contacts } = pile(kind, 90);
		const ids = Array.from({ length: contacts }, (_, id) => id);
		const ranks = [
			ids,
			ids.filter((id) => id < contacts / 2),
			ids.filter((id) => id % 2 === 1),
			ids.filter((id) => id % 5 === 0),
		];
		for (const [seed, owned] of ranks.entries()) {
			const { unformed, formed, places, ghosts, diagonal } = sharesOf(rigid!, owned, seed);
			expect(ghosts > 0).toBe(owned.length < contacts);
			expect(stored(engine, unformed, places, diagonal)).toEqual(stored(engine, formed, places, diagonal));
		}
	}
});
