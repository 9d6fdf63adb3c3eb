/** Problems in parts have the bits of the whole, in any parts and on any ranks; errors in a part are named, and the ranks continue. */
import { join } from "node:path";
import { requireMpi } from "@stickslip/comm";
import {
	assembleRigid,
	generate,
	generateRolling,
	InputError,
	type Problem,
	type ProblemPart,
	Random,
	ROLLING,
	type SolveOptions,
	solve,
} from "@stickslip/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isThorough } from "../../testing/thorough.js";
import { packageFolder } from "../base/own.js";
import type { PartsModule } from "../programs/own-parts.js";
import { choose } from "../ranks/choose.js";
import type { Ranks } from "../ranks/ranks.js";
import { startRanks } from "../ranks/start-ranks.js";
import ownRows, { answer } from "../testing/own-rows.js";
import { partOfProblem, splitProblem } from "../testing/split-problem.js";
import { PartsGroup, solveOwnParts } from "./solve-parts.js";

function withW(problem: Problem): Problem {
	const { rigid: _rigid, global: _global, ...rest } = problem;
	return { ...rest, W: problem.W ?? assembleRigid(problem.rigid!) };
}

function withBodies(problem: Problem): Problem {
	const { W: _W, global: _global, ...rest } = problem;
	return rest;
}

const spheres = generate("spheres", { contacts: 300, seed: 5 });
const planks = generate("planks", { contacts: 260, seed: 2 });
const glued = generate("planks", { contacts: 120, seed: 2, law: "coulomb+cohesive:cohesion=1e-4+capped:cap=5e-4" });
const rolling = generateRolling("spheres", { contacts: 80, law: "rolling:mu_r=1e-3,mu_s=1e-3" });

const problems = [
	["rows", withW(spheres), "W", {}],
	["rows in tiles", withW(spheres), "W", { set: { tile: 16 } }],
	["rows of which some lack what others have", unsymmetric(withW(spheres)), "W", { maxIterations: 20 }],
	["rows without points", withoutPoints(withW(planks)), "W", {}],
	["bodies of which rows are made", withBodies(spheres), "rigid", { set: { operator: "assembled" } }],
	["bodies", withBodies(planks), "rigid", { set: { operator: "matrix-free" } }],
	["bodies in tiles", withBodies(spheres), "rigid", { set: { operator: "matrix-free", tile: 16 } }],
	["rows of several laws", withW(glued), "W", {}],
	["rolling rows in tiles", withW(rolling), "W", { set: { tile: 16 } }],
	["rolling bodies of which rows are made", withBodies(rolling), "rigid", { set: { operator: "assembled" } }],
	["rolling bodies", withBodies(rolling), "rigid", { set: { operator: "matrix-free", tile: 16 } }],
] as const satisfies readonly (readonly [string, Problem, "W" | "rigid", SolveOptions])[];

/** Every third row loses its first block beside the diagonal. */
function unsymmetric(problem: Problem): Problem {
	const { rows, rowStart, column, values } = problem.W!;
	const lost = Int32Array.from({ length: rows }, (_, row) => {
		const [from, end] = [rowStart[row]!, rowStart[row + 1]!];
		const at = column.subarray(from, end).findIndex((other) => other !== row);
		return row % 3 === 0 && at >= 0 ? from + at : -1;
	});
	const isKept = (k: number) => !lost.includes(k);
	const start = rowStart.map((from, row) => from - lost.subarray(0, row).filter((k) => k >= 0).length);
	const kept = { rowStart: start, column: column.filter((_, k) => isKept(k)) };
	return { ...problem, W: { rows, ...kept, values: values.filter((_, k) => isKept(Math.floor(k / 9))) } };
}

function withoutPoints({ geometry: _geometry, ...problem }: Problem): Problem {
	return problem;
}

/** Between processes bytes travel another way, not other problems. */
function problemsOver(transport: string | undefined): (typeof problems)[number][] {
	const isFew = transport?.includes("zeromq") === true && !isThorough;
	return problems.filter((_, index) => !isFew || index % 3 === 1);
}

const wholes = new Map<Problem, ReturnType<typeof solve>>();

/** Solved once for all ranks. */
function wholeOf(problem: Problem, options: SolveOptions): ReturnType<typeof solve> {
	const whole = wholes.get(problem) ?? solve(problem, options);
	wholes.set(problem, whole);
	return whole;
}

function idsOf({ contacts }: Problem): Int32Array {
	return Int32Array.from({ length: contacts }, (_, id) => id);
}

/** Contiguous, interleaved, all in one of several, one by one for a while, at random. Both blocks of a rolling contact go together. */
function splitsOf({ contacts, laws }: Problem, random: Random): readonly (readonly [number, (id: number) => number])[] {
	const of = 2 + random.below(7);
	const draw = Int32Array.from({ length: contacts }, () => random.below(of));
	const unit = (id: number) => (laws?.law.includes(ROLLING) ? id >> 1 : id);
	return [
		[4, (id) => Math.floor((4 * unit(id)) / contacts)],
		[3, (id) => unit(id) % 3],
		[3, () => 1],
		[of, (id) => draw[unit(id)]!],
	];
}

function expectSame(
	parts: readonly ProblemPart[],
	answers: readonly { reaction: Float64Array; velocity: Float64Array }[],
	whole: ReturnType<typeof solve>,
) {
	for (const [index, { ids }] of parts.entries()) {
		const { reaction, velocity } = answers[index]!;
		const of = (values: Float64Array) =>
			Float64Array.from(reaction, (_, k) => values[3 * ids[Math.floor(k / 3)]! + (k % 3)]!);
		expect(reaction).toEqual(of(whole.reaction));
		expect(velocity).toEqual(of(whole.velocity));
	}
}

describe.each([
	["self", 1, undefined],
	["threads", 2, "threads"],
	["threads", 3, "threads"],
	["zeromq", 2, "zeromq"],
	["threads+zeromq", 4, "threads+zeromq"],
] as const)("%s with %i ranks", (_name, count, transport) => {
	let ranks: Ranks;
	beforeAll(async () => {
		ranks = await startRanks("solve", choose(1e9, { ranks: count, ...(transport && { transport }) }));
	});
	afterAll(async () => {
		await ranks.close();
	});

	it.each(problemsOver(transport))("%s, whoever brings them", async (_form, problem, form, options) => {
		const whole = wholeOf(problem, options);
		// All of them on one rank and on three; four ranks on two cores take their time.
		for (const [of, partOf] of splitsOf(problem, new Random(count)).slice(count % 2 === 1 || isThorough ? 0 : 2)) {
			const parts = splitProblem(problem, partOf, of, form);
			const { report, parts: answers } = await new PartsGroup(ranks, of).solveAll(parts, options);
			expect(report.hash).toBe(whole.report.hash);
			expect([report.ranks, report.iterations, report.contacts]).toEqual([
				count,
				whole.report.iterations,
				whole.report.contacts,
			]);
			expectSame(parts, answers, whole);
		}
	});

	it("parts that come one by one, with a start, and beside others that are dropped", async () => {
		const problem = withW(spheres);
		const start = solve(problem, { tolerance: 1e-2 }).reaction;
		const whole = solve(problem, { start, tolerance: 1e-6 });
		const parts = [1, 0].map((side) =>
			partOfProblem(problem, Int32Array.from(idsOf(problem).filter((id) => id % 2 === side)), "W", start),
		);
		const [group, dropped] = [new PartsGroup(ranks, 2), new PartsGroup(ranks, 2)];
		await dropped.add(1, parts[0]!);
		await group.add(1, parts[0]!);
		await group.add(0, parts[1]!);
		await dropped.drop();
		const { report, parts: answers } = await group.solve({ tolerance: 1e-6 });
		expect(report.hash).toBe(whole.report.hash);
		expectSame([parts[1]!, parts[0]!], answers, whole);
		await expect(group.solve()).rejects.toThrow("part 0 of 2 is missing");
		await expect(dropped.solve()).rejects.toThrow("part 0 of 2 is missing");
	});

	it("a part that makes no sense is named, and the ranks stay up", async () => {
		const [one, other] = splitProblem(withW(spheres), (id) => id % 2, 2, "W");
		const bodies = splitProblem(withBodies(spheres), (id) => id % 2, 2, "rigid");
		const heavy = { ...bodies[1]!.rigid!, inverseMass: bodies[1]!.rigid!.inverseMass.map((mass) => 2 * mass) };
		const damaged = (change: (part: ProblemPart) => object): ProblemPart => ({
			...other!,
			...change(structuredClone(other!)),
		});
		for (const [wrong, words, options] of [
			[damaged(() => ({ contacts: 302 })), "part 1: contacts: is 302, and 301 in part 0"],
			[damaged(({ ids }) => ({ ids: ids.fill(301, 149) })), "part 1: ids[149]: is 301, out of range"],
			[damaged(({ ids }) => ({ ids: ids.fill(298, 149, 150) })), "part 1: ids: has contact 298, which part 0 has too"],
			[damaged(({ q }) => ({ q: q.fill(Number.NaN, 5) })), "part 1: q[5]: is NaN"],
			[damaged(({ W }) => ({ W: { ...W!, column: W!.column.fill(-3, 7, 8) } })), "part 1: W.column[7]: is -3"],
			[damaged(({ W }) => ({ W: { ...W!, values: W!.values.fill(0) } })), "part 1: W, diagonal block "],
			[damaged(() => ({ W: undefined })), "part 1: W: is missing"],
			[damaged(() => ({ start: new Float64Array(450) })), "part 1: start: is there, and part 0 has none"],
			[bodies[1]!, "part 1: W: is missing, and part 0 has it"],
			[partOfProblem(withW(spheres), Int32Array.of(1, 3, 5), "W"), "contact 7 is in none of the 2 parts"],
			[other!, "options: tolerance", { tolerance: -1 }],
			[other!, "operator: matrix-free needs bodies", { set: { operator: "matrix-free" } }],
		] as const) {
			const solving = new PartsGroup(ranks, 2).solveAll([one!, wrong], options ?? {});
			const error: unknown = await solving.catch((reason: unknown) => reason);
			expect(error).toBeInstanceOf(InputError);
			expect((error as Error).message).toContain(words);
		}
		await expect(new PartsGroup(ranks, 2).solveAll([bodies[0]!, { ...bodies[1]!, rigid: heavy }], {})).rejects.toThrow(
			/part [01]: rigid.inverseMass: body \d+ has another mass or inertia than in part [01]/,
		);
		const { report } = await new PartsGroup(ranks, 2).solveAll([one!, other!], {});
		expect(report.hash).toBe(solve(withW(spheres)).report.hash);
	});
});

function lackingMpi(): string | undefined {
	try {
		requireMpi(process.env);
		return undefined;
	} catch (error) {
		return (error as Error).message;
	}
}

describe("ranks that make their own parts", () => {
	({ default: ownRows, answer }) satisfies PartsModule;
	const module = new URL(`file://${join(packageFolder, "dist/testing/own-rows.js")}`);
	const whole = solve(withBodies(spheres));

	it.for([
		["self", 1, undefined],
		["threads", 3, "threads"],
		["zeromq", 2, "zeromq"],
		["mpi", 2, "mpi"],
	] as const)("%s: answers stay there", async ([, ranks, transport], { skip }) => {
		const why = transport === "mpi" ? lackingMpi() : undefined;
		skip(why !== undefined, why);
		const options = { ranks, ...(transport && { transport }), argument: { contacts: spheres.contacts } };
		const { report, returned, parts } = await solveOwnParts(module, options);
		expect(report.hash).toBe(whole.report.hash);
		expect(parts).toEqual([]);
		const told = returned as { rank: number; contacts: number; largest: number; hash: string }[];
		expect(told.map(({ rank }) => rank)).toEqual(Array.from({ length: ranks }, (_, rank) => rank));
		expect(told.reduce((sum, { contacts }) => sum + contacts, 0)).toBe(spheres.contacts);
		expect(Math.max(...told.map(({ largest }) => largest))).toBe(
			whole.reaction.reduce((most, each) => Math.max(most, each), 0),
		);
		expect(told.every(({ hash }) => hash === whole.report.hash)).toBe(true);
	});

	it("bad input of one is that of all, and a module without a part is named", async () => {
		const argument = { contacts: spheres.contacts, refuses: 1 };
		for (const transport of ["threads", "zeromq"] as const) {
			const wrong = await solveOwnParts(module, { ranks: 2, transport, argument }).catch((error: unknown) => error);
			expect(wrong).toBeInstanceOf(InputError);
			expect((wrong as Error).message).toBe("own-rows: contacts: are not there; ask another rank");
		}
		const none = new URL(`file://${join(packageFolder, "dist/testing/bed.js")}`);
		await expect(solveOwnParts(none, { ranks: 2, transport: "threads" })).rejects.toThrow("has no default export");
	});
});

describe("damaged parts, by seed", () => {
	const sources = [
		splitProblem(withW(spheres), (id) => id % 3, 3, "W"),
		splitProblem(withBodies(spheres), (id) => id % 3, 3, "rigid"),
	];

	/** Changes a number, a length or a type somewhere in a part. */
	function damage(part: ProblemPart, random: Random): void {
		const fields = part as unknown as Record<string, unknown>;
		const inner = (part.W ?? part.rigid) as unknown as Record<string, unknown>;
		const places = [fields, inner].flatMap((owner) => Object.keys(owner).map((name) => [owner, name] as const));
		const [owner, name] = places[random.below(places.length)]!;
		const value = owner[name];
		const odd = [-1, 0, 1, 1e9, 2 ** 31 - 1, Number.NaN, Number.POSITIVE_INFINITY, 1e300][random.below(8)]!;
		if (typeof value === "number" || typeof value === "string") owner[name] = odd;
		if (!(value instanceof Float64Array || value instanceof Int32Array)) return;
		const way = random.below(4);
		if (way === 0) owner[name] = value.subarray(0, random.below(value.length + 1));
		else if (way === 1) owner[name] = [undefined, null, "text", new Float32Array(3)][random.below(4)];
		else value[random.below(value.length)] = odd;
	}

	it.each([1, 2])("%i ranks refuse them, or solve what they are, and stay up", async (count) => {
		const ranks = await startRanks("solve", choose(1e9, { ranks: count }));
		const random = new Random(20 + count);
		let refused = 0;
		for (let round = 0; round < (isThorough ? 400 : 80); round += 1) {
			const parts = structuredClone(sources[random.below(2)]!);
			damage(parts[random.below(3)]!, random);
			const solving = new PartsGroup(ranks, 3).solveAll(parts, { maxIterations: 2 });
			const error: unknown = await solving.then(() => undefined).catch((reason: unknown) => reason);
			if (error !== undefined) refused += 1;
			expect(error === undefined || error instanceof InputError, `round ${round}: ${String(error)}`).toBe(true);
		}
		expect(refused).toBeGreaterThan(30);
		const { report } = await new PartsGroup(ranks, 3).solveAll(sources[0]!, {});
		expect(report.hash).toBe(solve(withW(spheres)).report.hash);
		await ranks.close();
	});
});
