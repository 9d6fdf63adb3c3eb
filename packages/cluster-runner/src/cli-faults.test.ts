/** Ranks that die, hang or are left alone, at moments that a seed chooses: one line names the rank, and nobody is left behind. */
import { type ChildProcess, spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { findMpi, findMpirun } from "@stickslip/comm";
import { Random } from "@stickslip/core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { marked, noProc, rankProcesses, soon, watchSharedMemory } from "../testing/processes.js";
import { type Ended, emptyFolder, linesOf, runCli, testFolder } from "../testing/run-cli.js";
import { isThorough } from "../testing/thorough.js";

const folder = emptyFolder();
const hard = join(folder, "hard.hdf5");
const endSeconds = 5;

/** Minutes of work, so that it is not over before something happens to it. */
const endless = ["--method", "pqn-diagonal", "--tolerance", "1e-300", "--max-iterations", "1000000000"];

beforeAll(() => runCli(["generate", "planks", "--contacts", "3000", "--output", hard]));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let runs = 0;

/** A run under way: its processes are known by a mark, and killed when the test ends, whatever it found. */
interface Run {
	readonly mark: string;
	readonly hub: ChildProcess;
	readonly ended: Promise<Ended>;
	/** The ranks' processes, in order of their start. */
	readonly processes: readonly number[];
	readonly temporary: string;
}

async function started(transport: string, ranks: number, words: readonly string[] = []): Promise<Run> {
	runs += 1;
	const mark = `STICKSLIP_TEST_RUN=${process.pid}.${runs}.`;
	const temporary = testFolder();
	const [name = "", value = ""] = mark.split("=");
	let hub: ChildProcess | undefined;
	const ended = runCli(["solve", hard, ...endless, "--ranks", String(ranks), "--transport", transport, ...words], {
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
	expect(await soon(() => rankProcesses(mark).length === count, 20), "the processes start").toBe(true);
	return { mark, hub: hub!, ended, processes: rankProcesses(mark), temporary };
}

function lacking(transport: string): string | undefined {
	if (noProc !== undefined) return noProc;
	const library = transport.endsWith("mpi") ? findMpi() : undefined;
	if (!transport.endsWith("mpi")) return undefined;
	if (library === undefined) return "no MPI is installed here: apt install openmpi-bin, or mpich";
	return findMpirun(library.kind) === undefined ? `there is no mpirun for ${library.path}` : undefined;
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Nobody is left, and nothing of what they shared. */
async function expectNobody({ mark, temporary }: Run, seconds = endSeconds): Promise<void> {
	await soon(() => marked(mark).length === 0, seconds);
	expect(marked(mark)).toEqual([]);
	expect(readdirSync(temporary)).toEqual([]);
}

describe("a rank that is killed", () => {
	const further = [
		["zeromq", 3, 2],
		["zeromq", 2, 3],
		["mpi", 2, 6],
	] as const;
	it.for([
		["zeromq", 3, 1],
		["threads+zeromq", 4, 4],
		["mpi", 3, 5],
		["threads+mpi", 4, 7],
		...(isThorough ? further : []),
	] as const)(
		"ends the run in its name: %s, %i ranks, seed %i",
		{ timeout: 120_000 },
		async ([transport, ranks, seed], context) => {
			const reason = lacking(transport);
			if (reason !== undefined) context.skip(`needs ${transport}: ${reason}`);
			const random = new Random(seed);
			const leftovers = watchSharedMemory();
			const run = await started(transport, ranks);
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
		},
	);

	it("costs its own file only", { timeout: 120_000 }, async (context) => {
		if (noProc !== undefined) context.skip(`needs processes: ${noProc}`);
		const easy = join(folder, "easy.hdf5");
		await runCli(["generate", "spheres", "--contacts", "20", "--output", easy]);
		const run = await started("zeromq", 2, [easy, "--time-limit", "4"]);
		await pause(500);
		process.kill(run.processes[1]!, "SIGKILL");
		const { code, out } = await run.ended;
		expect([code, linesOf(out).length > 3]).toEqual([3, true]);
		expect(out).toContain("easy.hdf5");
	});
});

describe("a process that hangs", () => {
	it("is lost after 3 s of silence", { timeout: 60_000 }, async (context) => {
		if (noProc !== undefined) context.skip(`needs processes: ${noProc}`);
		const run = await started("zeromq", 2);
		await pause(1500);
		process.kill(run.processes[0]!, "SIGSTOP");
		const { code, err } = await run.ended;
		expect([code, err]).toEqual([
			3,
			expect.stringMatching(/^stickslip: rank \d was lost \(no heartbeat for 3 s\); .*\n$/),
		]);
		await expectNobody(run);
	});
});

describe("a starting process that is stopped for 8 s", () => {
	// Whoever starts them is the same for all; MPI's launcher is one more process that stays.
	it.for([["zeromq", "threads+zeromq"], ...(isThorough ? [["mpi"]] : [])])(
		"goes on, with all its ranks: %s",
		{ timeout: 60_000 },
		async (transports, context) => {
			const reason = transports.map(lacking).find((each) => each !== undefined);
			if (reason !== undefined) context.skip(`needs ${transports}: ${reason}`);
			const all = await Promise.all(transports.map((transport) => started(transport, 2, ["--json"])));
			// The first before its ranks can have met it, the other at work.
			const stops = all.map(async ({ hub }, index) => {
				await pause(1500 * index);
				hub.kill("SIGSTOP");
				await pause(8000);
				hub.kill("SIGCONT");
			});
			await Promise.all(stops);
			// Long enough for either side to have believed the other lost.
			await pause(1500);
			for (const run of all) {
				expect(rankProcesses(run.mark)).toEqual(run.processes);
				run.hub.kill("SIGINT");
				const { code, out } = await run.ended;
				expect([code, JSON.parse(out).status]).toEqual([1, "cancelled"]);
				await expectNobody(run);
			}
		},
	);
});

describe("a run's folder that hangs", () => {
	it("keeps nobody from the ranks: checkpoints go on, and one that is lost is named", {
		timeout: 60_000,
	}, async (context) => {
		if (noProc !== undefined) context.skip(`needs processes: ${noProc}`);
		const runs = testFolder();
		const run = await started("zeromq", 2, ["--checkpoint", "0.5", "--runs", runs]);
		let told = "";
		run.hub.stderr?.on("data", (part: Buffer) => {
			told += part.toString();
		});
		const place = join(runs, readdirSync(runs).find((name) => !name.startsWith(".")) ?? "");
		const newest = () =>
			readdirSync(join(place, "checkpoints", "0"))
				.sort()
				.at(-1) ?? "";
		expect(await soon(() => existsSync(join(place, "checkpoints", "0")) && /^\d/.test(newest()), 20)).toBe(true);
		// Whoever opens a pipe that nobody reads waits, as for a file system that is away.
		const log = join(place, "logs", "run.jsonl");
		spawnSync("mkfifo", [`${log}.pipe`]);
		renameSync(`${log}.pipe`, log);
		for (let more = 0; more < 2; more += 1) {
			const before = newest();
			expect(await soon(() => newest() > before, 20), "a checkpoint more").toBe(true);
		}
		process.kill(run.processes[1]!, "SIGKILL");
		expect(await soon(() => told.includes("was lost (killed by SIGKILL)"), 20), "it is named").toBe(true);
		// From now on somebody reads.
		const reader = openSync(log, "r+");
		onTestFinished(() => closeSync(reader));
		expect((await run.ended).code).toBe(3);
		await expectNobody(run);
	});
});

describe("ranks whose hub is killed", () => {
	it.for(["zeromq", "threads+zeromq", "mpi"])(
		"end by themselves: %s",
		{ timeout: 60_000 },
		async (transport, context) => {
			const reason = lacking(transport);
			if (reason !== undefined) context.skip(`needs ${transport}: ${reason}`);
			for (const wait of [0, 1500]) {
				const run = await started(transport, 2);
				await pause(wait);
				run.hub.kill("SIGKILL");
				await run.ended;
				await expectNobody(run);
			}
		},
	);
});

describe("Ctrl-C", () => {
	it.for(["threads", "zeromq", "mpi"])(
		"stops all ranks at the same iterate: %s",
		{ timeout: 60_000 },
		async (transport, context) => {
			const reason = lacking(transport);
			if (reason !== undefined) context.skip(`needs ${transport}: ${reason}`);
			const words = ["--json", "--output", join(folder, "best.hdf5")];
			const run = transport === "threads" ? undefined : await started(transport, 2, words);
			let ended: Ended;
			if (run) {
				await pause(1500);
				run.hub.kill("SIGINT");
				ended = await run.ended;
				await expectNobody(run);
			} else {
				const started = (child: ChildProcess) => void setTimeout(() => child.kill("SIGINT"), 4000);
				ended = await runCli(["solve", hard, ...endless, "--ranks", "2", ...words], { started });
			}
			expect(ended.err).toBe("stickslip: stopping with the best iterate; Ctrl-C again ends at once\n");
			expect([ended.code, JSON.parse(ended.out)]).toMatchObject([1, { status: "cancelled", ranks: 2, transport }]);
		},
	);

	it("ends all at once the second time, with exit code 130", { timeout: 60_000 }, async (context) => {
		if (noProc !== undefined) context.skip(`needs processes: ${noProc}`);
		const run = await started("zeromq", 2);
		await pause(1000);
		// A process that does not answer cannot stop in an orderly way: there is time for the second signal.
		process.kill(run.processes[1]!, "SIGSTOP");
		run.hub.kill("SIGINT");
		await pause(300);
		run.hub.kill("SIGINT");
		expect((await run.ended).code).toBe(130);
		await expectNobody(run);
	});
});
