/** Endless runs that are disturbed: identified by a mark, and killed with the test that started them. */
import type { ChildProcess } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { findMpi, findMpirun } from "@stickslip/comm";
import { Random } from "@stickslip/core";
import { afterAll, beforeAll, expect, onTestFinished, type TestContext } from "vitest";
import { marked, noProc, rankProcesses, soon, watchSharedMemory } from "./processes.js";
import { type Ended, emptyFolder, linesOf, runCli, testFolder } from "./run-cli.js";
import { runHere } from "./run-here.js";

/** Minutes of work, so that it is not over before something happens to it. */
export const endless = ["--method", "pqn-diagonal", "--tolerance", "1e-300", "--max-iterations", "1000000000"];

/** A run under way. */
interface EndlessRun {
	readonly mark: string;
	readonly hub: ChildProcess;
	readonly ended: Promise<Ended>;
	/** The ranks' processes, in order of their start. */
	readonly processes: readonly number[];
	readonly temporary: string;
}

/** Runs of one test file on one problem, made before the first and removed after the last. */
export class EndlessRuns {
	readonly folder = emptyFolder();
	readonly problem = join(this.folder, "hard.hdf5");
	private count = 0;

	constructor() {
		beforeAll(() => runHere(["generate", "planks", "--contacts", "3000", "--output", this.problem]));
		afterAll(() => rmSync(this.folder, { recursive: true, force: true }));
	}

	async start(transport: string, ranks: number, words: readonly string[] = []): Promise<EndlessRun> {
		this.count += 1;
		const mark = `STICKSLIP_TEST_RUN=${process.pid}.${this.count}.`;
		const temporary = testFolder();
		const [name = "", value = ""] = mark.split("=");
		let hub: ChildProcess | undefined;
		const how = ["--ranks", String(ranks), "--transport", transport];
		const ended = runCli(["solve", this.problem, ...endless, ...how, ...words], {
			env: { [name]: value, TMPDIR: temporary },
			seconds: 60,
			started: (child) => {
				hub = child;
			},
		});
		onTestFinished(() => {
			for (const { pid } of marked(mark)) process.kill(pid, "SIGKILL");
		});
		const count = transport.startsWith("threads+") ? 2 : ranks;
		expect(await soon(() => rankProcesses(mark).length === count), "the processes start").toBe(true);
		return { mark, hub: hub!, ended, processes: rankProcesses(mark), temporary };
	}

	/** A rank is killed at a moment chosen by the seed: the run ends and names it. */
	async killRank(transport: string, ranks: number, seed: number): Promise<void> {
		const random = new Random(seed);
		const leftovers = watchSharedMemory();
		const run = await this.start(transport, ranks);
		await pause(random.below(2500));
		process.kill(run.processes[random.below(run.processes.length)]!, "SIGKILL");
		const { code, out, err } = await run.ended;
		const how = transport.startsWith("threads+") ? "was lost with its process" : "was lost";
		const line = new RegExp(
			`^stickslip: rank \\d ${how} \\(killed by SIGKILL\\); there is no answer for .*, solve it again$`,
		);
		expect([code, out, linesOf(err)], `seed ${seed}`).toEqual([3, "", [expect.stringMatching(line)]]);
		await expectNobody(run);
		expect(await leftovers()).toEqual([]);
	}

	/** The hub is killed as soon as there are ranks, and when they are at work: they end by themselves. */
	async killHub(transport: string): Promise<void> {
		for (const wait of [0, 1500]) {
			const run = await this.start(transport, 2);
			await pause(wait);
			run.hub.kill("SIGKILL");
			await run.ended;
			await expectNobody(run);
		}
	}

	/** Ctrl-C while ranks that are processes are at work. */
	async interrupt(transport: string): Promise<Ended> {
		const run = await this.start(transport, 2, ["--json", "--output", join(this.folder, "best.hdf5")]);
		await pause(1500);
		run.hub.kill("SIGINT");
		const ended = await run.ended;
		await expectNobody(run);
		return ended;
	}
}

/** A test of MPI is skipped where there is none, any test of processes where they cannot be seen. */
export function skipWithout(transport: string, context: TestContext): void {
	const reason = noProc ?? lacking(transport);
	if (reason !== undefined) context.skip(`needs ${transport}: ${reason}`);
}

/** The reason why a transport is not tried here. */
function lacking(transport: string): string | undefined {
	if (!transport.endsWith("mpi")) return undefined;
	const library = findMpi();
	if (library === undefined) return "no MPI is installed here: apt install openmpi-bin, or mpich";
	return findMpirun(library.kind) === undefined ? `there is no mpirun for ${library.path}` : undefined;
}

export const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** No process and no shared memory is left. */
export async function expectNobody({ mark, temporary }: EndlessRun): Promise<void> {
	await soon(() => marked(mark).length === 0);
	expect(marked(mark)).toEqual([]);
	expect(readdirSync(temporary)).toEqual([]);
}

export function expectCancelled(ended: Ended, transport: string): void {
	expect(ended.err).toBe("stickslip: stopping with the best iterate; Ctrl-C again ends at once\n");
	expect([ended.code, JSON.parse(ended.out)]).toMatchObject([1, { status: "cancelled", ranks: 2, transport }]);
}
