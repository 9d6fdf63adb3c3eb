/** The bootstrap of a process, from the environment and from standard input, and the cores it then runs on. */
import { Readable } from "node:stream";
import { Random } from "@stickslip/core";
import { describe, expect, it } from "vitest";
import { assignCores } from "../ranks/core-assignment.js";
import { bootstrapOf, readBootstrap } from "./bootstrap.js";
import type { ProcessLocation } from "./messages.js";
import { locationHere } from "./process-location.js";

const variables = { STICKSLIP_HUB: "tcp://127.0.0.1:1", STICKSLIP_HUB_PID: "", STICKSLIP_KEY: "ab".repeat(32) };

describe("a process learns its number", () => {
	it.each<[string, Record<string, string>, number | undefined]>([
		["its own", { STICKSLIP_PROCESS: "3" }, 3],
		["from Slurm", { STICKSLIP_PROCESS: "SLURM_PROCID", SLURM_PROCID: "2", PMI_RANK: "7", PMI_SIZE: "9" }, 2],
		["from Open MPI's mpirun", { STICKSLIP_PROCESS: "", OMPI_COMM_WORLD_RANK: "1", OMPI_COMM_WORLD_SIZE: "2" }, 1],
		["from MPICH's", { STICKSLIP_PROCESS: "", PMI_RANK: "1", PMI_SIZE: "2", SLURM_PROCID: "0" }, 1],
		["from nobody", { STICKSLIP_PROCESS: "" }, undefined],
		["from something else", { STICKSLIP_PROCESS: "HOME", HOME: "1" }, undefined],
	])("%s", (_, env, number) => {
		expect(bootstrapOf({ ...variables, ...env }, false)?.process).toBe(number);
	});

	it("and not without a hub and the run's secret", () => {
		expect(bootstrapOf({}, false)).toBeUndefined();
		expect(bootstrapOf({ ...variables, STICKSLIP_PROCESS: "0", STICKSLIP_KEY: "ab" }, false)).toBeUndefined();
		const local = bootstrapOf({ ...variables, STICKSLIP_PROCESS: "0", STICKSLIP_HUB_PID: "77" }, false);
		expect([local?.hubPid, local?.secret.length, local?.listen]).toEqual([77, 32, undefined]);
	});
});

describe("a line on standard input", () => {
	const read = async (text: string) => {
		let ends = 0;
		const line = await readBootstrap(Readable.from([Buffer.from(text)]), () => {
			ends += 1;
		});
		return { line, ends };
	};

	it("is variables, and the end of the input is the end of the run", async () => {
		const all = { ...variables, STICKSLIP_PROCESS: "1", STICKSLIP_LISTEN: "ib0" };
		const { line } = await read(`${JSON.stringify(all)}\n`);
		expect(line).toEqual(all);
		expect((await read("")).ends).toBe(1);
	});

	it("is nothing where it is something else, in 300 seeded rounds", async () => {
		const whole = JSON.stringify({ ...variables, STICKSLIP_PROCESS: "1" });
		for (let seed = 0; seed < 300; seed += 1) {
			const random = new Random(seed);
			const bytes = Buffer.from(whole.slice(0, 1 + random.below(whole.length)));
			bytes[random.below(bytes.length)]! ^= 1 << random.below(8);
			const { line } = await read(`${bytes.toString("latin1")}\n`);
			const fields = Object.keys(line ?? variables).filter((name) => !name.startsWith("STICKSLIP_"));
			expect(fields, `seed ${seed}`).toEqual([]);
		}
	});
});

describe("processes on the same machine", () => {
	const location = (machine: string, cores: number[]): ProcessLocation => ({
		kind: "place",
		host: "h",
		machine,
		cores,
	});

	it("share its cores in order, and are not pinned where there are too few", () => {
		const places = [location("a", [0, 1, 2, 3]), location("b", [4, 5]), location("a", [0, 1, 2, 3]), undefined];
		expect([0, 1, 2, 3].map((process) => assignCores(places, process, 2))).toEqual([
			{ ranksHere: 4, cores: [0, 1] },
			{ ranksHere: 2, cores: [4, 5] },
			{ ranksHere: 4, cores: [2, 3] },
			{ ranksHere: 0, cores: [] },
		]);
		expect(assignCores(places, 2, 3)).toEqual({ ranksHere: 6, cores: [] });
	});

	it("know each other by their kernel and their cores, not by their host's name", () => {
		expect(locationHere("pod-0", [0, 1]).machine).toBe(locationHere("pod-0", [0, 1]).machine);
		expect(locationHere("pod-0", [0, 1]).machine).not.toBe(locationHere("pod-0", [2, 3]).machine);
		expect(locationHere("x".repeat(400)).host).toHaveLength(300);
	});
});
