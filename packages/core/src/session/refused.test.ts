/** What a session refuses: sizes, values and options that make no sense, by the field and the remedy; the next solve is sound. */
import { expect, test } from "vitest";
import type { Problem } from "../problem/problem.js";
import { solve } from "../solve/solve.js";
import { pile } from "../testing/gallery.js";
import { refusal } from "../testing/refusal.js";
import { openSession } from "./open.js";
import type { NewValues, SessionSolveOptions } from "./session.js";

const { rigid, W, ...facts } = pile("spheres", 150);
const rows: Problem = { ...facts, W: W! };
const bodies: Problem = { ...facts, rigid: rigid! };
const keysOf = ({ contacts }: Problem) => Float64Array.from({ length: contacts }, (_, a) => 1000 + a);

const { q, mu } = rows;
const nan = (values: Float64Array) => values.map((value, i) => (i === 4 ? Number.NaN : value));
const short = new Float64Array(4);
const ofRows: [unknown, RegExp][] = [
	[undefined, /^values: values: is not an object; give at least \{ q \}$/],
	[{}, /^values: q: is not a Float64Array; give 453 numbers/],
	[{ q: [...q] }, /^values: q: is not a Float64Array/],
	[{ q: short }, /^values: q: has 4 numbers instead of 453; make the sizes agree, or prepare/],
	[{ q: nan(q) }, /q\[4\]: is NaN; give finite numbers only/],
	[{ q, mu: short }, /^values: mu: has 4 numbers instead of 151/],
	[{ q, mu: mu.map(() => -1) }, /mu\[0\]: is -1; give friction/],
	[{ q, values: short }, /^values: values: has 4 numbers instead of/],
	[{ q, values: null }, /^values: values: is not a Float64Array/],
	[{ q, mu: null }, /^values: mu: is not a Float64Array; give 151 numbers/],
	[{ q, values: nan(W!.values) }, /W\.values\[4\]: is NaN/],
	[{ q, start: short }, /^values: start: has 4 numbers/],
	[{ q, start: nan(q) }, /start: is not finite/],
	[{ q, rigid: { arm: short } }, /^values: rigid: the pattern has no bodies; give values of W/],
	[{ q, W }, /^values: W: is not a value of a prepared pattern; give q, mu, parameters, values, rigid, start/],
];
const ofBodies: [unknown, RegExp][] = [
	[{ q, values: W!.values }, /^values: values: the pattern has no W/],
	[{ q, rigid: null }, /^values: rigid: is null; give an object with the values that change/],
	[{ q, rigid: { arm: null } }, /^values: rigid\.arm: is not a Float64Array; give 906 numbers/],
	[{ q, rigid: { arm: short } }, /^values: rigid\.arm: has 4 numbers instead of 906/],
	[{ q, rigid: { body: rigid!.body } }, /^values: rigid\.body: is not a value of a prepared pattern/],
	[{ q, rigid: { inverseMass: rigid!.inverseMass.map(() => 0) } }, /inverseMass\[0\]: is zero/],
];

test.each([...ofRows.map((one) => [rows, ...one] as const), ...ofBodies.map((one) => [bodies, ...one] as const)])(
	"values, case %#",
	async (problem, values, text) => {
		const session = await openSession();
		const pattern = await session.prepare(problem);
		expect((await refusal(pattern.solve(values as NewValues))).message).toMatch(text);
		const { body: _body, ...moving } = rigid!;
		const { report } = await pattern.solve({
			...{ q: problem.q, mu: problem.mu },
			...(problem.W ? { values: problem.W.values } : { rigid: moving }),
		});
		expect(report.hash).toBe(solve(problem).report.hash);
	},
);

test.each([
	[{ deadline: -1 }, /^options: deadline: -1 is not at least 0/],
	[{ deadline: Number.NaN }, /deadline/],
	[{ series: "a" }, /^options: series: has no keys beside it; give the keys/],
	[{ series: 3, keys: keysOf(rows) }, /^options: series: is not a text/],
	[{ keys: Float64Array.of(1) }, /^options: keys: has 1 numbers; give 151, one per contact/],
	[{ keep: undefined }, /^options: keep: is not an option of sessions/],
	[{ results: "mine" }, /^options: results: mine is not one of its values; give owned or view/],
	[{ worseStart: "maybe" }, /^options: worseStart: maybe is not one of its values; give use or drop/],
	[{ tolerence: 1 }, /^options: tolerence: unknown option/],
	[null, /^options: options: is null; give an object, or leave it out$/],
	[5, /^options: options: is 5; give an object/],
])("options %j", async (options, text) => {
	const session = await openSession();
	expect((await refusal(session.solve(rows, options as SessionSolveOptions))).message).toMatch(text);
	const pattern = await session.prepare(rows);
	expect((await refusal(pattern.solve({ q }, options as SessionSolveOptions))).message).toMatch(text);
});
test("a session, and a preparation", async () => {
	expect((await refusal(openSession({ ranks: 2 } as never))).message).toMatch(/^options: ranks: 2 are more/);
	expect((await refusal(openSession({ rank: 2 } as never))).message).toMatch(/^options: rank: unknown option/);
	const session = await openSession({ ranks: 1 });
	expect((await refusal(session.solve(undefined as never))).message).toMatch(/^problem: problem: is undefined/);
	expect((await refusal(session.prepare({ ...rows, contacts: 2 }))).message).toMatch(/make the sizes agree/);
	expect((await refusal(session.prepare(rows, { start: "zero" } as never))).message).toMatch(/give it to the solves/);
	expect((await refusal(session.prepare(rows, { tolerance: -1 }))).message).toMatch(/tolerance/);
});

test("an unknown option: those that may be used where it was given", async () => {
	const session = await openSession();
	const pattern = await session.prepare(rows);
	const unknown = { tolerence: 1 } as never;
	const ofSolve = "method, tolerance, measure, start, worseStart, maxIterations, timeLimit, repeat, history, set";
	const usable = (names: string) =>
		`options: tolerence: unknown option; use one of ${names}; those of a method go in set`;
	const inTurn = `${ofSolve}, signal, onProgress, keys, series, deadline`;
	expect((await refusal(session.solve(rows, unknown))).message).toBe(usable(inTurn));
	expect((await refusal(pattern.solve({ q }, unknown))).message).toBe(usable(`${inTurn}, results`));
	expect((await refusal(session.prepare(rows, unknown))).message).toBe(usable(ofSolve.replace("start, ", "")));
	const inParts = usable(`${ofSolve.replace("start, ", "")}, signal, onProgress, deadline`);
	const part = { ...{ contacts: rows.contacts, q, mu }, W: W!, ids: Int32Array.from(mu, (_, id) => id) };
	expect((await refusal(session.solveParts!([part], unknown))).message).toBe(inParts);
	expect((await session.solveParts!([part], { deadline: 60 })).report.hash).toBe(solve(rows).report.hash);
});

test("null or nothing where an object has to be", async () => {
	const text = "options: options: is null; give an object, or leave it out";
	const nothing = null as never;
	expect((await refusal(openSession(nothing))).message).toBe(text);
	const session = await openSession();
	expect((await refusal(session.prepare(rows, nothing))).message).toBe(text);
	expect((await refusal(session.solveParts!([], nothing))).message).toBe(text);
	const pattern = await session.prepare(rows);
	const noValues = undefined as never;
	expect((await refusal(pattern.solve(noValues))).message).toBe(
		"values: values: is not an object; give at least { q }",
	);
});
