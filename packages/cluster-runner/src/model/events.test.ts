/** Simulations whose times can be worked out by hand. */
import { describe, expect, it } from "vitest";
import { type Action, type Cores, type RankProgram, simulate, type Wires } from "./events.js";

const LATENCY = 3e-6;
const PER_BYTE = 1e-9;
const STILL = { mean: 0, seed: 1 };

function wires(ranks: number, hosts: number, gap = 0): Wires {
	const host = Int32Array.from({ length: ranks }, (_, rank) => Math.floor((rank * hosts) / ranks));
	const line = { latency: LATENCY, perByte: PER_BYTE };
	return { host, within: line, between: line, gap };
}

function cores(ranks: number, count = ranks, turn = 0, waking: Cores["waking"] = []): Cores {
	return { core: Int32Array.from({ length: ranks }, (_, rank) => rank % count), turn, waking };
}

type Steps = (rank: number) => Partial<Action>[];
const programOf =
	(steps: Steps): RankProgram =>
	(rank, action) =>
		(function* () {
			for (const step of steps(rank)) {
				Object.assign(action, step);
				yield;
			}
		})();

const send = (peer: number, bytes = 0): Partial<Action> => ({ kind: "send", peer, bytes });
const receive = (peer: number): Partial<Action> => ({ kind: "receive", peer });
const compute = (seconds: number): Partial<Action> => ({ kind: "compute", seconds });
const overhead = (seconds: number): Partial<Action> => ({ kind: "overhead", seconds });

describe("simulations", () => {
	it("of two ranks that play ping-pong take two latencies, four overheads and the bytes of each round", () => {
		const rounds = 7;
		const bytes = 1000;
		const own = 0.25e-6;
		const steps: Steps = (rank) =>
			Array.from({ length: rounds }, () => {
				const out = [overhead(own), send(1 - rank, bytes)];
				const back = [receive(1 - rank), overhead(own)];
				return rank === 0 ? [...out, ...back] : [...back, ...out];
			}).flat();
		for (const hosts of [1, 2]) {
			const { seconds, messages } = simulate(programOf(steps), wires(2, hosts), cores(2), STILL);
			expect(seconds).toBeCloseTo(rounds * (2 * (LATENCY + bytes * PER_BYTE) + 4 * own), 15);
			expect(messages).toBe(2 * rounds);
		}
	});

	it("of a token that goes round a ring take a latency for each rank", () => {
		const ranks = 9;
		const steps: Steps = (rank) => {
			const [before, after] = [(rank + ranks - 1) % ranks, (rank + 1) % ranks];
			return rank === 0 ? [send(after), receive(before)] : [receive(before), send(after)];
		};
		expect(simulate(programOf(steps), wires(ranks, 3), cores(ranks), STILL).seconds).toBeCloseTo(ranks * LATENCY, 15);
	});

	it("of a reduction up a binary tree take its height in latencies after the last leaf", () => {
		const height = 5;
		const ranks = 2 ** height;
		const late = 1e-3;
		const steps: Steps = (rank) => {
			const list = [compute(rank === ranks - 1 ? late : 1e-6)];
			for (let bit = 1; bit < ranks; bit *= 2) {
				if ((rank & bit) !== 0) return [...list, send(rank - bit)];
				list.push(receive(rank + bit));
			}
			return list;
		};
		const { seconds } = simulate(programOf(steps), wires(ranks, ranks), cores(ranks), STILL);
		expect(seconds).toBeCloseTo(late + height * LATENCY, 12);
	});

	it("let messages of one host leave one after another, and enter another host so", () => {
		const bytes = 1e6;
		const pair: Steps = (rank) => (rank < 2 ? [send(2 + rank, bytes)] : [receive(rank - 2)]);
		const apart = simulate(programOf(pair), wires(4, 4), cores(4), STILL).seconds;
		const shared = simulate(programOf(pair), wires(4, 2), cores(4), STILL).seconds;
		expect(apart).toBeCloseTo(LATENCY + bytes * PER_BYTE, 12);
		expect(shared).toBeCloseTo(LATENCY + 2 * bytes * PER_BYTE, 12);
		const many: Steps = (rank) =>
			rank === 0 ? Array.from({ length: 10 }, () => send(1)) : Array.from({ length: 10 }, () => receive(0));
		expect(simulate(programOf(many), wires(2, 2, 1e-6), cores(2), STILL).seconds).toBeCloseTo(9e-6 + LATENCY, 12);
	});

	it("let ranks of one core take turns, and pay for each", () => {
		const work: Steps = () => [compute(1e-3)];
		expect(simulate(programOf(work), wires(4, 1), cores(4, 2), STILL).seconds).toBeCloseTo(2e-3, 12);
		expect(simulate(programOf(work), wires(4, 1), cores(4, 2, 1e-4), STILL).seconds).toBeCloseTo(2.1e-3, 12);
		const meet: Steps = (rank) => [compute(rank * 1e-3), { kind: "meet", peer: 0, members: 3, seconds: 5e-6 }];
		expect(simulate(programOf(meet), wires(3, 1), cores(3), STILL).seconds).toBeCloseTo(2e-3 + 5e-6, 12);
	});

	it("let ranks that have waited long take longer to go on", () => {
		const waking = [
			{ wait: 1e-6, seconds: 0 },
			{ wait: 1e-4, seconds: 10e-6 },
		];
		const seconds = (wait: number) => {
			const steps: Steps = (rank) => (rank === 0 ? [compute(wait - LATENCY), send(1)] : [receive(0)]);
			return simulate(programOf(steps), wires(2, 1), cores(2, 2, 0, waking), STILL).seconds;
		};
		expect(seconds(1e-5)).toBeCloseTo(1e-5 + 5e-6, 12);
		expect(seconds(1e-4)).toBeCloseTo(1e-4 + 10e-6, 12);
		expect(seconds(1e-2)).toBeCloseTo(1e-2 + 10e-6, 12);
	});

	it("are the same for a seed, different for another, and never faster with jitter or latency", () => {
		const ranks = 6;
		const steps: Steps = (rank) =>
			Array.from({ length: 20 }, () => [
				compute(1e-5),
				send((rank + 1) % ranks, 64),
				receive((rank + ranks - 1) % ranks),
			]).flat();
		const seconds = (latency: number, jitter: { mean: number; seed: number }) => {
			const line = { latency, perByte: PER_BYTE };
			const on = { ...wires(ranks, 3), within: line, between: line };
			return simulate(programOf(steps), on, cores(ranks), jitter).seconds;
		};
		const shaken = { mean: 0.1, seed: 5 };
		expect(seconds(1e-6, shaken)).toBe(seconds(1e-6, shaken));
		expect(seconds(1e-6, shaken)).not.toBe(seconds(1e-6, { mean: 0.1, seed: 6 }));
		expect(seconds(1e-6, shaken)).toBeGreaterThan(seconds(1e-6, STILL));
		let before = 0;
		for (const latency of [0, 1e-6, 2e-6, 1e-5, 1e-4]) {
			const now = seconds(latency, shaken);
			expect(now).toBeGreaterThan(before);
			before = now;
		}
	});

	it("scale with the unit of time", () => {
		const scaled = (unit: number) => {
			const steps: Steps = (rank) => [compute((rank + 1) * 1e-5 * unit), send(1 - rank, 100), receive(1 - rank)];
			const line = { latency: unit * LATENCY, perByte: unit * PER_BYTE };
			const on = { ...wires(2, 2), within: line, between: line, gap: unit * 1e-7 };
			return simulate(programOf(steps), on, cores(2), { mean: 0.3, seed: 9 }).seconds;
		};
		expect(scaled(1024) / scaled(1)).toBeCloseTo(1024, 9);
	});

	it("say that ranks wait for ever instead of waiting", () => {
		const steps: Steps = (rank) => (rank === 0 ? [receive(1)] : []);
		expect(() => simulate(programOf(steps), wires(2, 1), cores(2), STILL)).toThrow("1 ranks wait for ever");
	});
});
