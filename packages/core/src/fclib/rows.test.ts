/** Rows of W that ranks read for themselves are those of the whole matrix, however the file has them, and what is wrong with them is said as it is of the whole. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ready } from "h5wasm/node";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Random } from "../base/random.js";
import { emptyPlan, emptyPlans } from "../parallel/halo-plans.js";
import { ghostPlace, type ShareOutline } from "../parallel/share.js";
import { csrFromBlocks } from "../problem/blocks.js";
import type { BlockMatrix, Problem } from "../problem/problem.js";
import { isUnread } from "../problem/unread-matrix.js";
import { sampleProblem } from "../testing/samples.js";
import { columnsOf, localTree, put, rowsOf, type Tree, tripletsOf, type Value, writeTree } from "../testing/trees.js";
import { type FclibFile, withFclib, withPlainFclib, withSamePlainFclib } from "./fclib-file.js";
import type { Hdf5Module } from "./module.js";
import { readProblem, readUnread, readValuesOfW } from "./read.js";
import { readRows } from "./rows.js";

const folder = mkdtempSync(join(tmpdir(), "stickslip-rows-"));
const path = join(folder, "case.hdf5");
const contacts = 40;
const { equalities: _none, ...sample } = sampleProblem({ seed: 3, contacts, bodies: 12 });
const whole: Problem & { readonly W: BlockMatrix } = { ...sample, W: sample.W! };
const scalar = csrFromBlocks(whole.W);
const storages: Record<string, (matrix: typeof scalar) => Tree> = {
	"compressed rows": (matrix) => rowsOf("/fclib_local/W", matrix),
	"compressed columns": (matrix) => columnsOf("/fclib_local/W", matrix),
};
const origin = { path, bytes: 1, modified: 2, beginning: "3" };
let hdf5: Hdf5Module;

beforeAll(async () => {
	hdf5 = await ready;
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A local file without equality rows. */
function write(matrix: Tree, changes: Record<string, Value | undefined> = {}): void {
	const tree = localTree(
		{ ...whole, equalities: { count: 0, V: scalar, R: scalar, s: new Float64Array(0) } },
		{},
		matrix,
	);
	const kept = Object.entries({ ...tree, ...changes }).filter(([name]) => !/\/(V|R|s)(\/|$)/.test(name));
	writeTree(hdf5, path, Object.fromEntries(kept.filter(([, value]) => value !== undefined)) as Tree);
}

function source() {
	const bytes = new Uint8Array(readFileSync(path));
	return {
		bytes: bytes.length,
		read: (at: number, target: Uint8Array) => target.set(bytes.subarray(at, at + target.length)),
	};
}

function same<Result>(use: (file: FclibFile) => Result): Result {
	return withSamePlainFclib(source(), use, "case");
}

function unread(): Problem | undefined {
	const readValues = () => same(readValuesOfW);
	return withPlainFclib(source(), (file) => readUnread(file, origin, readValues), "case")?.result;
}

/** Of a rank that owns these contacts, in an order of its own. */
function outlineOf(owned: readonly number[], random: Random): ShareOutline {
	const ids = Int32Array.from(owned);
	random.shuffle(ids);
	const { rowStart, column } = whole.W;
	const named = new Set(owned.flatMap((id) => [...column.subarray(rowStart[id]!, rowStart[id + 1]!)]));
	const ghosts = Int32Array.from([...named].filter((id) => !owned.includes(id)));
	random.shuffle(ghosts);
	const ascending = Int32Array.from(owned).sort();
	const known = Int32Array.from([...owned, ...ghosts]).sort();
	const placeOf = (id: number) => (ids.includes(id) ? ids.indexOf(id) : ghostPlace(ids.length) + ghosts.indexOf(id));
	const facts = {
		name: "case",
		rank: 0,
		ranks: 2,
		contacts,
		counted: contacts,
		blocks: contacts,
		equalityRows: 0,
		colours: 1,
		lawsUsed: Int32Array.of(0),
	};
	return {
		...facts,
		ids,
		ownContacts: ids.length,
		ghosts,
		operator: {
			kind: "assembled",
			row: ids.map((id) => ascending.indexOf(id)),
			local: known.map(placeOf),
			interior: 0,
		},
		operatorReason: "",
		coupling: "",
		order: "coloured",
		halo: emptyPlan(3),
		sweep: { steps: 1, start: new Int32Array(3), runs: new Int32Array(0), passed: emptyPlans(1, 3) },
	};
}

/** What a rank of this outline has of the file. */
function rowsFor(outline: ShareOutline) {
	const own = { q: new Float64Array(3 * outline.ids.length), mu: new Float64Array(outline.ids.length), origin };
	const rows = same((file) => readRows(file, outline, own));
	if (rows.operator.kind !== "assembled" || !("values" in rows.operator.matrix)) throw new Error("no rows");
	return { ...rows, matrix: rows.operator.matrix };
}

test.each(Object.keys(storages))(
	"%s: the pattern without values, and all values where they are asked for",
	(storage) => {
		write(storages[storage]!(scalar));
		const problem = unread()!;
		expect(isUnread(problem.W)).toBe(true);
		const { rows, rowStart, column, values } = problem.W!;
		expect({ rows, rowStart, column, values }).toEqual(whole.W);
		const { W: _W, ...others } = problem;
		const { W: _other, ...expected } = withFclib(hdf5, path, readProblem, "case");
		expect(others).toEqual(expected);
	},
);

test.each(Object.keys(storages))("%s: rows of any contacts, with their diagonal blocks", (storage) => {
	write(storages[storage]!(scalar));
	const random = new Random(5);
	for (let round = 0; round < 12; round += 1) {
		const owned = Array.from({ length: contacts }, (_, id) => id).filter(() => random.below(3) === round % 3);
		const outline = outlineOf(owned, random);
		const { matrix, diagonal, singular } = rowsFor(outline);
		const known = [...outline.ids, ...outline.ghosts].sort((a, b) => a - b);
		const ascending = [...owned].sort((a, b) => a - b);
		expect(matrix.rows).toBe(owned.length);
		for (const [i, id] of ascending.entries()) {
			const [from, end] = [whole.W.rowStart[id]!, whole.W.rowStart[id + 1]!];
			const [first, last] = [matrix.rowStart[i]!, matrix.rowStart[i + 1]!];
			expect([...matrix.column.subarray(first, last)].map((c) => known[c])).toEqual([
				...whole.W.column.subarray(from, end),
			]);
			expect(matrix.values.subarray(9 * first, 9 * last)).toEqual(whole.W.values.subarray(9 * from, 9 * end));
			const at = 9 * (from + whole.W.column.subarray(from, end).indexOf(id));
			const place = 9 * outline.ids.indexOf(id);
			expect(diagonal.subarray(place, place + 9)).toEqual(whole.W.values.subarray(at, at + 9));
		}
		expect([...singular]).toEqual([]);
	}
});

test("triplets, bodies, equality rows and the global form are read whole", () => {
	write(tripletsOf("/fclib_local/W", scalar));
	expect(unread()).toBeUndefined();
	const mixed = sampleProblem({ seed: 7, contacts: 8, bodies: 4, equalityRows: 3 });
	writeTree(hdf5, path, localTree(mixed));
	expect(unread()).toBeUndefined();
});

test.each(Object.keys(storages))(
	"%s: what is wrong with values is said by the rank that owns them, in the words of a whole reading",
	(storage) => {
		const complaint = (use: () => unknown): string => {
			try {
				use();
				return "";
			} catch (error) {
				return (error as Error).message;
			}
		};
		const outline = outlineOf([4, 9, 30], new Random(1));
		const other = outlineOf([0, 1, 2], new Random(1));
		const { W } = whole;
		const block = W.rowStart[9]! + W.column.subarray(W.rowStart[9]!, W.rowStart[10]!).indexOf(9);
		for (const [value, pattern] of [
			[Number.NaN, /^case: \/fclib_local\/W\/x\[\d+\]: is NaN; write finite numbers only$/],
			[-1e9, /^case: \/fclib_local\/W, diagonal block 9 \(rows 27 to 29\): is indefinite; check signs/],
		] as const) {
			const spoilt = csrFromBlocks({ ...W, values: put(W.values, 9 * block, value) });
			write(storages[storage]!(spoilt));
			const expected = complaint(() => withFclib(hdf5, path, readProblem, "case"));
			expect(expected).toMatch(pattern);
			expect(complaint(() => rowsFor(outline))).toBe(expected);
			// What is not finite is seen by whoever reads over it.
			if (value === -1e9) expect(complaint(() => rowsFor(other))).toBe("");
		}
	},
);

test("a file with other blocks than it had, or of another kind, is a change", () => {
	write(storages["compressed rows"]!(scalar));
	const outline = outlineOf([4, 9, 30], new Random(1));
	const without = { ...outline, ghosts: outline.ghosts.slice(0, 0) };
	const row = { ...outline.operator, local: Int32Array.of(0, 1, 2) } as ShareOutline["operator"];
	expect(() => rowsFor({ ...without, operator: row })).toThrow(/has other blocks than when the solve began/);
	write(tripletsOf("/fclib_local/W", scalar));
	expect(() => rowsFor(outline)).toThrow(/^case: \/fclib_local\/W: has other blocks than when the solve began/);
	expect(() => withSamePlainFclib({ bytes: 200, read: () => {} }, readValuesOfW, "case")).toThrow(
		/^case: file: is not what it was when the solve began/,
	);
});
