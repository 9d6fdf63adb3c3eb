/** A session of ranks gives the bits of `solve` for all requests, on one rank or on all, prepared or not, and no caller affects another. */
import {
	assembleRigid,
	generate,
	InputError,
	LAWS,
	PARAMETERS,
	type Problem,
	type Session,
	solve,
} from "@stickslip/core";
import { RankError } from "@stickslip/core/parallel";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { noProc, rankProcesses, soon } from "../../testing/processes.js";
import { isThorough } from "../../testing/thorough.js";
import type { Transport } from "../base/transports.js";
import { splitProblem } from "../testing/split-problem.js";
import { openSession } from "./open-session.js";

const options = { tolerance: 1e-6 };
const small = Array.from({ length: 6 }, (_, at) =>
	generate(at % 2 === 0 ? "spheres" : "planks", { contacts: 60 + at, seed: at }),
);
const large = generate("spheres", { contacts: 350, seed: 3 });
const rows: Problem = (({ rigid: _rigid, ...rest }) => rest)(withRows(large));
const endless = { tolerance: 1e-300, method: "pqn-diagonal", maxIterations: 1e9 };

function withRows(problem: Problem): Problem {
	return { ...problem, W: assembleRigid(problem.rigid!) };
}

const hashes = new Map<Problem, string>();

/** Of one rank; solved once for each problem. */
function hashOf(problem: Problem): string {
	const hash = hashes.get(problem) ?? solve(problem, options).report.hash;
	hashes.set(problem, hash);
	return hash;
}

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const ways: [Transport, number][] = [
	["threads", 2],
	...(isThorough ? [["threads", 3] as [Transport, number]] : []),
	["zeromq", 2],
];

describe.each(ways)("a session over %s on %i ranks", (transport, ranks) => {
	let session: Session;
	beforeAll(async () => {
		session = await openSession({ ranks, transport, cutFrom: 300 });
	});
	afterAll(() => session.close());

	it("solves small problems side by side and large ones on all ranks, in any mixture", async () => {
		const problems = [...small, large, ...small, rows, ...small];
		const solutions = await Promise.all(problems.map((problem) => session.solve(problem, options)));
		expect(solutions.map(({ report }) => report.hash)).toEqual(problems.map(hashOf));
		expect(solutions.map(({ report }) => report.ranks)).toEqual(
			problems.map(({ contacts }) => (contacts < 300 ? 1 : ranks)),
		);
		expect(session.ranks).toBe(ranks);
	});

	it("takes laws of contact, of small problems and of large ones", async () => {
		for (const problem of [small[0]!, large]) {
			const law = new Uint8Array(problem.contacts).fill(LAWS.indexOf("cohesive"));
			const parameters = Float64Array.from({ length: PARAMETERS * problem.contacts }, (_, i) =>
				i % PARAMETERS === 1 ? 1e-3 : 0,
			);
			const cohesive = { ...problem, laws: { law, parameters } };
			// A bit that differs stays different, and these are slow to end.
			const few = { ...options, maxIterations: 40 };
			const { report } = await session.solve(cohesive, few);
			expect(report.hash).toBe(solve(cohesive, few).report.hash);
			expect(report.hash).not.toBe(solve(problem, few).report.hash);
		}
	});

	it.each([small[0]!, large, rows].map((problem) => [problem.contacts, problem] as const))(
		"keeps a pattern (%i contacts): new values, friction, a start, warm starts",
		async (_, problem) => {
			const pattern = await session.prepare(problem, options);
			for (const scale of [1, 0.25]) {
				const q = problem.q.map((value) => scale * value);
				const mu = problem.mu.map((value) => scale * value);
				const { report } = await pattern.solve({ q, mu });
				expect(report.hash).toBe(solve({ ...problem, q, mu }, options).report.hash);
			}
			const { W, rigid } = problem;
			const values = W && { ...W, values: W.values.map((value) => 2 * value) };
			const heavy = rigid && { ...rigid, inverseMass: rigid.inverseMass.map((value) => 2 * value) };
			const next = { ...problem, ...(values && { W: values }), ...(heavy && { rigid: heavy }) };
			const given = {
				...(values && { values: values.values }),
				...(heavy && { rigid: { inverseMass: heavy.inverseMass } }),
			};
			const solution = await pattern.solve({ q: problem.q, mu: problem.mu, ...given });
			expect(solution.report.hash).toBe(hashOf(next));
			const again = await pattern.solve({ q: problem.q, start: solution.reaction });
			expect(again.report.iterations).toBeLessThan(solution.report.iterations);
			const keys = Float64Array.from({ length: problem.contacts }, (__, at) => 5 * at + 2);
			const first = await pattern.solve({ q: problem.q }, { keys, series: `of ${problem.contacts}` });
			const second = await pattern.solve({ q: problem.q }, { keys, series: `of ${problem.contacts}` });
			expect(first.report.iterations).toBeGreaterThan(second.report.iterations);
			pattern.release();
			await expect(pattern.solve({ q: problem.q })).rejects.toThrow(
				"pattern: solve: it was released; prepare it again",
			);
		},
	);

	it("refuses bad input by its field, and goes on", async () => {
		const nan = (problem: Problem) => ({
			...problem,
			q: problem.q.map((value, at) => (at === 4 ? Number.NaN : value)),
		});
		for (const problem of [small[0]!, large]) {
			await expect(session.solve(nan(problem))).rejects.toThrow(/q\[4\]: is NaN; give finite numbers only/);
			const { rigid } = problem;
			const body = rigid!.body.map((id, at) => (at === 3 ? 99_999 : id));
			await expect(session.solve({ ...problem, rigid: { ...rigid!, body } })).rejects.toThrow(
				/rigid\.body\[3\]: is 99999, out of range/,
			);
			await expect(session.solve({ ...problem, mu: new Float64Array(3) })).rejects.toThrow(/mu: has 3 values/);
			await expect(session.solve(problem, { method: "x" })).rejects.toThrow(InputError);
			await expect(session.solve(problem, { series: "a" })).rejects.toThrow(/series: has no keys/);
			const pattern = await session.prepare(problem);
			await expect(pattern.solve({ q: new Float64Array(3) })).rejects.toThrow(/q: has 3 numbers instead of/);
			await expect(pattern.solve(nan(problem))).rejects.toThrow(InputError);
			await expect(pattern.solve({ q: problem.q, mu: problem.mu.map(() => -1) })).rejects.toThrow(/mu\[0\]: is -1/);
			expect((await pattern.solve({ q: problem.q, mu: problem.mu }, options)).report.hash).toBe(hashOf(problem));
		}
		const { W, ...others } = rows;
		const wrong: unknown[] = [
			{ ...small[0]!, q: Float32Array.from(small[0]!.q) },
			{ ...small[0]!, mu: new BigInt64Array(3) },
			{ ...small[0]!, q: undefined },
			{ ...small[0]!, rigid: {} },
			{ ...others, W: { ...W!, column: [...W!.column] } },
			{ ...others, W: { ...W!, values: Float32Array.from(W!.values) } },
		];
		for (const problem of wrong) {
			await expect(session.solve(problem as Problem)).rejects.toThrow(InputError);
			await expect(session.prepare(problem as Problem)).rejects.toThrow(InputError);
		}
		await expect(session.solve(small[0]!, { set: { m: (() => 3) as never } })).rejects.toThrow(InputError);
		await expect(session.solve(small[0]!, { start: new Float32Array(3) as never })).rejects.toThrow(InputError);
		const [part] = splitProblem(rows, () => 0, 1, "W");
		const bad = { ...part!, q: Float32Array.from(part!.q) } as never;
		await expect(session.solveParts!([bad])).rejects.toThrow(InputError);
		await expect(session.collectParts!(1).add(0, bad)).rejects.toThrow(InputError);
		await expect(session.solve(undefined as never)).rejects.toThrow(/^problem: problem: is undefined/);
		await expect(session.prepare({ ...small[0]!, contacts: 2 })).rejects.toThrow(/make the sizes agree/);
		await expect(session.prepare(large, { tolerance: -1 })).rejects.toThrow(/tolerance/);
	});

	it("cancels what is under way and what waits, and ends what is late, each alone", async () => {
		const stop = new AbortController();
		const busy = Array.from({ length: ranks }, () => session.solve(small[0]!, { ...endless, signal: stop.signal }));
		const queue = Array.from({ length: 40 }, () => session.solve(small[1]!, { ...endless, signal: stop.signal }));
		const late = await session.solve(small[2]!, { ...endless, deadline: 0.05 });
		expect(late.report.status).toBe("time-limit");
		await later(20);
		stop.abort();
		for (const { report } of await Promise.all([...busy, ...queue])) expect(report.status).toBe("cancelled");
		const all = new AbortController();
		const whole = session.solve(large, { ...endless, signal: all.signal, onProgress: () => all.abort() });
		const next = session.solve(small[3]!, options);
		expect((await whole).report.status).toBe("cancelled");
		expect((await next).report.hash).toBe(hashOf(small[3]!));
		expect((await session.solve(large, { ...endless, deadline: 0.1 })).report.status).toBe("time-limit");
		expect((await session.solve(small[4]!, { ...endless, timeLimit: 0.05 })).report.status).toBe("time-limit");
	});

	it("takes problems in parts, all at once or one by one, among other solves", async () => {
		const partsOf = (of: number) => splitProblem(rows, (id) => id % of, of, "W");
		const expected = solve(rows, options);
		const others = small.map((problem) => session.solve(problem, options));
		const { report } = await session.solveParts!(partsOf(3), options);
		expect(report.hash).toBe(expected.report.hash);
		const collection = session.collectParts!(4);
		const parts = partsOf(4);
		await Promise.all(parts.map((part, index) => collection.add(index, part)));
		const answer = await collection.solve(options);
		expect(answer.report.hash).toBe(expected.report.hash);
		expect(answer.parts[1]!.reaction[0]).toBe(expected.reaction[3 * parts[1]!.ids[0]!]);
		const incomplete = session.collectParts!(2);
		await incomplete.add(0, partsOf(2)[0]!);
		await expect(incomplete.solve(options)).rejects.toThrow(InputError);
		expect((await Promise.all(others)).map((each) => each.report.hash)).toEqual(small.map(hashOf));
	});

	it("gives what waits behind a long task to a rank that is idle", async () => {
		const stop = new AbortController();
		const long = session.solve(small[0]!, { ...endless, signal: stop.signal });
		const others = Array.from({ length: 12 * ranks }, () => session.solve(small[1]!, options));
		for (const { report } of await Promise.all(others)) expect(report.hash).toBe(hashOf(small[1]!));
		stop.abort();
		expect((await long).report.status).toBe("cancelled");
	});

	it("ends a solve whose onProgress throws with that error, and nothing else", async () => {
		for (const problem of [small[0]!, large]) {
			const onProgress = () => {
				throw new Error("mine");
			};
			await expect(session.solve(problem, { ...endless, onProgress })).rejects.toThrow("mine");
			expect((await session.solve(problem, options)).report.hash).toBe(hashOf(problem));
		}
	});

	it("tells of progress of a rank that works alone", async () => {
		const stop = new AbortController();
		const seen: number[] = [];
		await session.solve(small[0]!, {
			...endless,
			signal: stop.signal,
			onProgress: ({ iterations }) => {
				seen.push(iterations);
				if (seen.length === 2) stop.abort();
			},
		});
		expect(seen[1]).toBeGreaterThan(seen[0]!);
	});
});

it("close cancels what is under way and what waits, and resolves when nothing is left", async () => {
	const session = await openSession({ ranks: 2, transport: "threads", cutFrom: 300 });
	const work = [...small, large, rows].map((problem) => session.solve(problem, endless));
	await later(50);
	await Promise.all([session.close(), session.close()]);
	for (const { report } of await Promise.all(work)) expect(report.status).toBe("cancelled");
	await expect(session.solve(large)).rejects.toThrow("session: solve: it is closed; open another one");
});

it.skipIf(noProc)("a rank that is lost ends the session, by name (needs /proc)", async () => {
	process.env.STICKSLIP_TEST_SESSION = `${process.pid}.session`;
	const session = await openSession({ ranks: 2, transport: "zeromq" });
	try {
		await session.solve(small[0]!);
		const work = Promise.allSettled([session.solve(small[0]!, endless), session.solve(small[1]!, endless)]);
		await later(50);
		const [victim] = rankProcesses(`STICKSLIP_TEST_SESSION=${process.env.STICKSLIP_TEST_SESSION}`);
		process.kill(victim!, "SIGKILL");
		for (const { status } of await work) expect(status).toBe("rejected");
		await soon(() => session.failure !== undefined);
		expect(session.failure).toBeInstanceOf(RankError);
		await expect(session.solve(small[0]!)).rejects.toThrow(/was lost/);
	} finally {
		await session.close();
	}
});

it("one rank is the calling thread; options that make no sense are refused", async () => {
	const session = await openSession({ ranks: 1 });
	expect((await session.solve(large, options)).report.hash).toBe(hashOf(large));
	await session.close();
	await expect(openSession({ rank: 2 } as never)).rejects.toThrow(/^options: rank: unknown option; use ranks/);
	await expect(openSession({ ranks: 2, cutFrom: -1 })).rejects.toThrow(/cutFrom/);
	await expect(openSession({ ranks: 0 })).rejects.toThrow(/ranks/);
});
