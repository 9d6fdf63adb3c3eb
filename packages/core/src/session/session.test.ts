/** The session of one thread: the answers of `solve`, in turn, by new values, from where the last one ended, and until somebody has enough of it. */
import { describe, expect, test } from "vitest";
import { Random } from "../base/random.js";
import { REQUEST } from "../parallel/program.js";
import type { Problem } from "../problem/problem.js";
import type { SolveOptions } from "../solve/options.js";
import { solve } from "../solve/solve.js";
import { gallery, pile } from "../testing/gallery.js";
import { refusal } from "../testing/refusal.js";
import { sampleProblem } from "../testing/samples.js";
import { permuted } from "../testing/transform.js";
import { openSession } from "./open.js";
import { SolveRequest, splitOptions } from "./request.js";
import type { NewValues } from "./session.js";

const spheres = pile("spheres", 150);
const { rigid, W, ...facts } = spheres;
const rows: Problem = { ...facts, W: W! };
const bodies: Problem = { ...facts, rigid: rigid! };
const sample = sampleProblem({ seed: 3, contacts: 11, bodies: 4 });
const { W: _W, rigid: _rigid, ...globalForm } = sample;
const kinds: [string, Problem, SolveOptions][] = [
	...gallery.map((problem): [string, Problem, SolveOptions] => [problem.name, problem, {}]),
	["W alone", rows, {}],
	["bodies, assembled", bodies, { set: { operator: "assembled" } }],
	["bodies, matrix-free", bodies, { set: { operator: "matrix-free" } }],
	["global form", globalForm, { set: { operator: "global" } }],
	["equality rows", sampleProblem({ seed: 3, contacts: 11, bodies: 4, equalityRows: 2 }), {}],
];
const keysOf = ({ contacts }: Problem) => Float64Array.from({ length: contacts }, (_, a) => 1000 + a);

/** A solve that lasts until somebody ends it. */
const endless: SolveOptions = {
	tolerance: 0,
	maxIterations: Number.POSITIVE_INFINITY,
	method: "pqn",
	set: { products: 1e9 },
};

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe.each(kinds)("%s", (_, problem, options) => {
	const limits = { ...options, tolerance: 1e-5, maxIterations: 100 };

	test("the bits of solve", async () => {
		const session = await openSession();
		const plain = solve(problem, limits);
		const { reaction, velocity, multiplier, report } = await session.solve(problem, limits);
		expect([reaction, velocity, multiplier]).toEqual([plain.reaction, plain.velocity, plain.multiplier]);
		expect(report.hash).toBe(plain.report.hash);
		await session.close();
	});

	test("prepared: the bits of solve for new values, those that are left out as they were", async () => {
		const session = await openSession();
		const pattern = await session.prepare(problem, limits);
		expect(pattern.contacts).toBe(problem.contacts);
		let now = problem;
		const random = new Random(3);
		const times = (values: Float64Array) => values.map((value) => value * random.between(0.5, 1.5));
		for (let round = 0; round < 4; round += 1) {
			const q = times(problem.q);
			const mu = round > 1 ? times(problem.mu) : undefined;
			const values = round === 1 && now.W ? now.W.values.map((value) => 1.5 * value) : undefined;
			const inverseMass = round === 2 && now.rigid ? times(now.rigid.inverseMass) : undefined;
			now = {
				...now,
				q,
				...(mu && { mu }),
				...(values && { W: { ...now.W!, values } }),
				...(inverseMass && { rigid: { ...now.rigid!, inverseMass } }),
			};
			const given: NewValues = {
				q,
				...(mu && { mu }),
				...(values && { values }),
				...(inverseMass && { rigid: { inverseMass } }),
			};
			const { velocity, report } = await pattern.solve(given);
			const plain = solve(now, limits);
			expect(velocity).toEqual(plain.velocity);
			expect(report.hash).toBe(plain.report.hash);
		}
		pattern.release();
		expect((await refusal(pattern.solve({ q: problem.q }))).message).toMatch(/released; prepare it again/);
		await session.close();
	});
});

test("options of a solve go beside those of the preparation, but for those of the pattern", async () => {
	const session = await openSession();
	const pattern = await session.prepare(rows, { tolerance: 1e-4 });
	const { q } = rows;
	const { report } = await pattern.solve({ q }, { method: "gauss-seidel", measure: "natural" });
	expect(report.hash).toBe(solve(rows, { tolerance: 1e-4, method: "gauss-seidel", measure: "natural" }).report.hash);
	const error = await refusal(pattern.solve({ q }, { set: { order: "file" } }));
	expect(error.message).toBe("options: set.order: is not as it was prepared; prepare a solver with this option");
});

describe("warm starts", () => {
	const limits = { tolerance: 1e-4 };

	test("contacts in another order with their keys: solved by the start", async () => {
		const session = await openSession();
		const keys = keysOf(rows);
		const first = await session.solve(rows, { ...limits, keys });
		expect(first.report.iterations).toBeGreaterThan(0);
		const { problem, order } = permuted(rows, 4);
		const moved = Float64Array.from(order, (a) => keys[a]!);
		const again = await session.solve(problem, { tolerance: 1.001e-4, keys: moved });
		expect(again.report).toMatchObject({ status: "solved", iterations: 0 });
		const other = await session.solve(problem, { tolerance: 1.001e-4, keys: moved, series: "another scene" });
		expect(other.report.iterations).toBeGreaterThan(0);
	});

	test("a start that is worse than zero is dropped: the bits of a cold solve", async () => {
		const session = await openSession();
		const keys = keysOf(rows);
		await session.solve({ ...rows, q: rows.q.map((value) => 100 * value) }, { ...limits, keys });
		const { report } = await session.solve(rows, { ...limits, keys });
		expect(report.hash).toBe(solve(rows, limits).report.hash);
	});

	test("the same with prepared patterns; a start of the caller's goes before what is remembered", async () => {
		const session = await openSession();
		const keys = keysOf(rows);
		const pattern = await session.prepare(rows, limits);
		await pattern.solve({ q: rows.q }, { keys });
		const warm = await pattern.solve({ q: rows.q }, { keys });
		expect(warm.report.iterations).toBe(0);
		const start = new Float64Array(3 * rows.contacts);
		const cold = await pattern.solve({ q: rows.q, start }, { keys });
		expect(cold.report.hash).toBe(solve(rows, { ...limits, start }).report.hash);
	});
});

describe("in turn", () => {
	test("requests are answered in the order in which they came", async () => {
		const session = await openSession();
		const order: number[] = [];
		const work = [300, 5, 100, 1].map(async (contacts, i) => {
			const problem = contacts < 100 ? gallery[contacts - 1]! : pile("spheres", contacts);
			const { report } = await session.solve(problem, { tolerance: 1e-8, maxIterations: 300 });
			order.push(i);
			expect(report.hash).toBe(solve(problem, { tolerance: 1e-8, maxIterations: 300 }).report.hash);
		});
		await Promise.all(work);
		expect(order).toEqual([0, 1, 2, 3]);
	});

	test("timers have their turn, however many short solves follow one another", async () => {
		const session = await openSession();
		let isOver = false;
		setTimeout(() => {
			isOver = true;
		}, 1);
		let solves = 0;
		for (; !isOver && solves < 100_000; solves += 1) await session.solve(gallery[0]!);
		expect(solves).toBeLessThan(100_000);
	});

	test("after an error the next one begins", async () => {
		const session = await openSession();
		const bad = session.solve({ ...rows, q: new Float64Array(1) });
		const good = session.solve(rows);
		await refusal(bad);
		expect((await good).report.hash).toBe(solve(rows).report.hash);
	});
});

describe("ended before it is solved", () => {
	test("a signal ends the solve under way and those that wait, with the best iterate", async () => {
		const session = await openSession();
		const controller = new AbortController();
		const { signal } = controller;
		const first = session.solve(rows, { ...endless, signal, onProgress: () => controller.abort() });
		const second = session.solve(rows, { ...endless, signal });
		const [one, two] = await Promise.all([first, second]);
		expect([one.report.status, two.report.status]).toEqual(["cancelled", "cancelled"]);
		expect(one.report.iterations).toBeGreaterThan(0);
		expect(two.report.iterations).toBe(0);
	});

	test("a deadline counts the waiting: what has not begun by then has its start as answer, at once", async () => {
		const session = await openSession();
		const controller = new AbortController();
		const first = session.solve(rows, { ...endless, signal: controller.signal });
		const start = solve(rows, { tolerance: 1e-2 }).reaction;
		const [late, warm] = await Promise.all([
			session.solve(rows, { deadline: 0.02 }),
			session.solve(rows, { deadline: 0.02, start, tolerance: 1e-9 }),
		]);
		controller.abort();
		expect(late.report).toMatchObject({ status: "time-limit", iterations: 0 });
		expect(late.reaction.every((value) => value === 0)).toBe(true);
		expect(warm.report).toMatchObject({ status: "time-limit", iterations: 0 });
		expect(warm.report.energy).toBeLessThan(0.01 * (1 + 1e-9));
		expect((await first).report.status).toBe("cancelled");
	});

	test("who is told of a deadline finds it over, although timers come early", async () => {
		const { signal } = new AbortController();
		const told = Array.from({ length: 200 }, async (_, i) => {
			const request = new SolveRequest(splitOptions({ deadline: 0.002 + 0.000137 * i }), signal);
			await new Promise<void>((resolve) => request.whenOver(resolve));
			return request.request;
		});
		expect(new Set(await Promise.all(told))).toEqual(new Set([REQUEST.timeLimit]));
	});

	test("a deadline ends what has begun, with the best iterate", async () => {
		const session = await openSession();
		const { report } = await session.solve(rows, { ...endless, deadline: 0.05 });
		expect(report.status).toBe("time-limit");
		expect(report.iterations).toBeGreaterThan(0);
		expect(report.energy).toBeLessThan(1);
		const none = await session.solve(gallery[0]!, { deadline: 0 });
		expect(none.report).toMatchObject({ status: "time-limit", iterations: 0 });
		// Further away than timers reach.
		const controller = new AbortController();
		const busy = session.solve(rows, { ...endless, signal: controller.signal });
		const far = session.solve(rows, { deadline: 1e9 });
		await later(5);
		controller.abort();
		await busy;
		expect((await far).report.status).toBe("solved");
	});

	test("many that wait, for the session and for one signal, are no leak to Node.js, and all of them are told", async () => {
		const warnings: Error[] = [];
		const warn = (warning: Error) => warnings.push(warning);
		process.on("warning", warn);
		try {
			const session = await openSession();
			const controller = new AbortController();
			const { signal } = controller;
			const busy = session.solve(rows, endless);
			const aborted = Array.from({ length: 15 }, () => session.solve(rows, { ...endless, signal }));
			const closed = Array.from({ length: 15 }, () => session.solve(rows, endless));
			await later(5);
			controller.abort();
			for (const { report } of await Promise.all(aborted)) expect(report.status).toBe("cancelled");
			await session.close();
			for (const { report } of await Promise.all([busy, ...closed])) expect(report.status).toBe("cancelled");
			await later(5);
			expect(warnings).toEqual([]);
		} finally {
			process.off("warning", warn);
		}
	});

	test("close cancels what is under way and what waits, and resolves when nothing runs", async () => {
		const session = await openSession();
		const pattern = await session.prepare(rows, endless);
		const work = [session.solve(rows, endless), pattern.solve({ q: rows.q }), session.solve(bodies, endless)];
		await later(20);
		let answered = 0;
		for (const one of work) void one.then(() => (answered += 1));
		await Promise.all([session.close(), session.close()]);
		expect(answered).toBe(3);
		for (const { report } of await Promise.all(work)) expect(report.status).toBe("cancelled");
		for (const more of [session.solve(rows), pattern.solve({ q: rows.q }), session.prepare(rows)]) {
			expect((await refusal(more)).message).toBe("session: solve: it is closed; open another one");
		}
		await session.close();
	});
});

test("shared memory goes in as it is", async () => {
	const shared = (values: Float64Array) => {
		const copy = new Float64Array(new SharedArrayBuffer(8 * values.length));
		copy.set(values);
		return copy;
	};
	const session = await openSession();
	const pattern = await session.prepare({ ...rows, W: { ...W!, values: shared(W!.values) } });
	const q = shared(rows.q);
	const keys = shared(keysOf(rows));
	const values = shared(W!.values);
	expect((await pattern.solve({ q, values, mu: shared(rows.mu), start: shared(rows.q) }, { keys })).report.status).toBe(
		"solved",
	);
	const { report } = await pattern.solve({ q, start: shared(rows.q.map(() => 0)) });
	expect(report.hash).toBe(solve(rows).report.hash);
});
