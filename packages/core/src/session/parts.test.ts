/** Problems in parts on one thread: the bits of the whole, and errors that name the part, the field and the remedy. */
import { describe, expect, it } from "vitest";
import { InputError } from "../base/errors.js";
import { generate } from "../generate/index.js";
import { assembleRigid } from "../problem/assemble-rigid.js";
import type { Problem } from "../problem/problem.js";
import type { ProblemPart } from "../problem/problem-part.js";
import { solve } from "../solve/solve.js";
import { openSession } from "./open.js";

const { rigid, W: _W, global: _global, ...pile } = generate("spheres", { contacts: 90, seed: 4 });
const whole: Problem = { ...pile, W: assembleRigid(rigid!) };
const bodies: Problem = { ...pile, rigid: rigid! };

/** Contacts of which `takes` is true. */
function partOf({ contacts, q, mu, W, rigid }: Problem, takes: (id: number) => boolean): ProblemPart {
	const ids = Int32Array.from({ length: contacts }, (_, id) => id).filter(takes);
	const of = (values: Float64Array | Int32Array, width: number) =>
		[...ids].flatMap((id) => [...values.subarray(width * id, width * (id + 1))]);
	const part = { contacts, ids, q: Float64Array.from(of(q, 3)), mu: Float64Array.from(of(mu, 1)) };
	if (W) {
		const rows = [...ids].map((id) => [W.rowStart[id]!, W.rowStart[id + 1]!] as const);
		const rowStart = new Int32Array(ids.length + 1);
		for (const [i, [from, end]] of rows.entries()) rowStart[i + 1] = rowStart[i]! + end - from;
		const column = Int32Array.from(rows.flatMap(([from, end]) => [...W.column.subarray(from, end)]));
		const values = Float64Array.from(rows.flatMap(([from, end]) => [...W.values.subarray(9 * from, 9 * end)]));
		return { ...part, W: { rowStart, column, values } };
	}
	const { body, frame, arm, inverseMass, inverseInertia } = rigid!;
	return {
		...part,
		// All bodies, also those that no contact of the part touches.
		rigid: {
			ids: Int32Array.from(inverseMass, (_, id) => id),
			body: Int32Array.from(of(body, 2)),
			frame: Float64Array.from(of(frame, 9)),
			arm: Float64Array.from(of(arm, 6)),
			inverseMass,
			inverseInertia,
		},
	};
}

describe("session.solveParts", () => {
	it.each([
		["rows", whole],
		["bodies", bodies],
	])("%s", async (_form, problem) => {
		const session = await openSession();
		const alone = solve(problem);
		const parts = [0, 1, 2].map((third) => partOf(problem, (id) => (id * id) % 3 === third));
		const { report, parts: answers } = await session.solveParts!(parts);
		expect(parts[2]!.ids.length).toBe(0);
		expect(report.hash).toBe(alone.report.hash);
		for (const [index, { ids }] of parts.entries()) {
			for (const [i, id] of ids.entries()) {
				expect([...answers[index]!.reaction.subarray(3 * i, 3 * i + 3)]).toEqual([
					...alone.reaction.subarray(3 * id, 3 * id + 3),
				]);
			}
		}
		await session.close();
	});

	it("parts that come one by one, and are forgotten when they are solved or dropped", async () => {
		const session = await openSession();
		const parts = [1, 0].map((side) => partOf(whole, (id) => id % 2 === side));
		const [group, dropped] = [session.collectParts!(2), session.collectParts!(2)];
		for (const each of [group, dropped]) await each.add(0, parts[0]!);
		await expect(group.add(0, parts[1]!)).rejects.toThrow("part 0 is there already");
		await expect(group.add(2, parts[1]!)).rejects.toThrow("parts: index: is 2; give a number from 0 to 1");
		await group.add(1, parts[1]!);
		expect((await group.solve({ tolerance: 1e-5 })).report.hash).toBe(solve(whole, { tolerance: 1e-5 }).report.hash);
		await dropped.drop();
		for (const each of [group, dropped]) await expect(each.solve()).rejects.toThrow("part 0 of 2 is missing");
		expect(() => session.collectParts!(0)).toThrow("parts: of: is 0");
		await expect(session.solveParts!(parts, { series: "a" } as object)).rejects.toThrow("options: series");
		await session.close();
	});

	const [even, odd] = [partOf(whole, (id) => id % 2 === 0), partOf(whole, (id) => id % 2 === 1)];
	const light = partOf(bodies, (id) => id % 2 === 1);
	const other = { ...light.rigid!, inverseInertia: light.rigid!.inverseInertia.map((each) => 2 * each) };
	const rows = odd.W!;
	it.each([
		[[], "parts: parts: there are none"],
		[[even, null], "part 1: part: is null"],
		[[even, { ...odd, contacts: 0 }], "part 1: contacts: is 0"],
		[[even, { ...odd, ids: [1, 3] }], "part 1: ids: is not an Int32Array; give an Int32Array"],
		[[even, { ...odd, ids: odd.ids.slice().reverse() }], "part 1: ids[1]: is "],
		[[even, { ...odd, mu: odd.mu.map(() => -1) }], "part 1: mu[0]: is -1"],
		[[even, { ...odd, q: odd.q.subarray(3) }], "part 1: q: has "],
		[[even, { ...odd, W: { ...rows, rowStart: rows.rowStart.subarray(1) } }], "part 1: W.rowStart: has "],
		[[even, { ...odd, W: { ...rows, column: rows.column.map(() => 1) } }], "names block column 1 twice in row 0"],
		[[even, { ...odd, W: { ...rows, values: new Float32Array(1) } }], "part 1: W.values: is not a Float64Array"],
		[[even, { ...odd, rigid: light.rigid }], "part 1: rigid: is there beside W"],
		[[even], "parts: ids: contact 1 is in none of the 1 parts"],
		[[even, even], "part 1: ids: has contact 0, which part 0 has too"],
		[[even, light], "part 1: W: is missing, and part 0 has it"],
		[[even, { ...odd, point: new Float64Array(3 * odd.ids.length) }], "part 1: point: is there"],
		[
			[{ ...light, rigid: { ...light.rigid!, ids: light.rigid!.ids.map((id) => 2 * id) } }],
			"neither in rigid.ids nor -1",
		],
		[[partOf(bodies, (id) => id % 2 === 0), { ...light, rigid: other }], "has another mass or inertia than in part 0"],
	])("refuses what makes no sense: %#", async (parts, words) => {
		const session = await openSession();
		const error: unknown = await session.solveParts!(parts as ProblemPart[]).catch((reason: unknown) => reason);
		expect(error).toBeInstanceOf(InputError);
		expect((error as Error).message).toContain(words);
		await session.close();
	});
});
