/** The bench of performance at tiny sizes: its loops compute what they say, and parts of a solve's time are all of it. */
import { expect, test } from "vitest";
import { FLOPS_PER_TURN, makeRooflineKernels } from "./loops.js";
import { peakOf, rowOf, runInNewProcess, streamOf } from "./main.js";
import type { Profile, ProfiledProblem, SolveFacts } from "./profile.js";

test("a = b + 1.5 c over as many bytes as asked for", () => {
	const { memory, triad } = makeRooflineKernels(3 * 256);
	const numbers = new Float64Array(memory.buffer);
	for (let i = 0; i < 32; i += 1) {
		numbers[32 + i] = i;
		numbers[64 + i] = 10 * i;
	}
	triad(0, 256, 512, 128);
	expect([...numbers.subarray(0, 32)]).toEqual(Array.from({ length: 32 }, (_, i) => (i < 16 ? 16 * i : 0)));
	// Addresses and turns beyond one and two bytes of code.
	triad(256 * 5, 256, 512, 256);
	expect(numbers[32 * 5 + 31]).toBe(16 * 31);
});

test("x = x / 2 + 1 in all sums, from zero", () => {
	const { compute } = makeRooflineKernels(1);
	const sums = FLOPS_PER_TURN / 4;
	expect([1, 2, 3].map(compute)).toEqual([sums, 1.5 * sums, 1.75 * sums]);
	expect(compute(1000)).toBe(2 * sums);
	expect(peakOf(0.01)).toBeGreaterThan(0);
	expect(streamOf(1000, 0.01)).toBeGreaterThan(0);
});

test.each(["planks", "spheres"] as const)("%s: shares add up, and sweeps are counted", (kind) => {
	const subject: ProfiledProblem = { kind, contacts: 100, tolerance: 1e-2, seconds: 0 };
	const facts = runInNewProcess("facts", subject) as SolveFacts;
	const profile = runInNewProcess("profile", subject) as Profile;
	expect(profile.sweeps).toBe(facts.iterations);
	const limits = { peak: 10, stream: () => 100 };
	const row = rowOf(subject, facts, profile, limits);
	const shares = Object.entries(row).filter(([name]) => name.endsWith("Share"));
	expect(shares.reduce((sum, [, share]) => sum + Number(share), 0)).toBeCloseTo(1, 1);
	expect(Number(row.sweepsShare)).toBeGreaterThan(0);
	expect(row).toMatchObject({ status: "solved", operator: "assembled", peakGflops: 10, streamGbps: 100 });
	// As much is read in half the time.
	const kernels = Object.fromEntries(Object.entries(profile.kernels).map(([name, time]) => [name, time / 2]));
	const faster = rowOf(subject, facts, { ...profile, kernels }, limits);
	expect(Number(faster.gbps) / Number(row.gbps)).toBeCloseTo(2, 1);
});

test("without W a sweep reads the operator twice", () => {
	const setup = { validate: 1, form: 0, diagonal: 0, colours: 0, order: 0, share: 0, scale: 0, fill: 0 };
	const profile: Profile = {
		total: 20,
		processor: 10,
		setup: { ...setup, allocate: 0, measures: 0, done: 0 },
		kernels: { rigidSweep: 6, gatherImpulses: 4, sellApply: 1, unheardOf: 2 },
		sweeps: 5,
	};
	const facts = { contacts: 10, iterations: 5, products: 5, status: "solved", bytes: 1600, blocks: 100, processor: 9 };
	const subject: ProfiledProblem = { kind: "planks", contacts: 10, tolerance: 1e-4, seconds: 0 };
	const limits = { peak: 20, stream: () => 50 };
	const row = (operator: string) => rowOf(subject, { ...facts, operator }, profile, limits);
	// 3,200 bytes of the operator and 1,280 of vectors in 2 us of a sweep, half of which the processor worked on it.
	const free = { gbps: 4.48, gflops: 2.16, nsPerSweepAndContact: 100, sweepsShare: 0.5, scriptShare: 0.3, totalUs: 9 };
	expect(row("matrix-free (bodies)")).toMatchObject(free);
	expect(row("assembled (given)")).toMatchObject({ gbps: 2.88, gflops: 1.8, otherKernelsShare: 0.1 });
});
