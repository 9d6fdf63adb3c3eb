/** A run is resumed with its own request, on other ranks and over another transport than its own line has, to the same bits. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { soon } from "../testing/processes.js";
import { type Ended, emptyFolder, linesOf, runCli, testFolder } from "../testing/run-cli.js";
import { runHere } from "../testing/run-here.js";

const folder = emptyFolder();
const pile = join(folder, "pile.hdf5");
/** Seconds of work, the same for any number of ranks. */
const long = [
	"solve",
	pile,
	"--json",
	"--method",
	"pqn-diagonal",
	"--tolerance",
	"1e-300",
	"--max-iterations",
	"15000",
];
let hash: string;

beforeAll(async () => {
	await runHere(["generate", "planks", "--contacts", "1200", "--output", pile]);
	hash = JSON.parse((await runHere(long)).out).hash;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The events of that name in the run's log. */
function events(run: string, name: string): readonly { readonly ranks: number; readonly transport: string }[] {
	const log = join(run, "logs", "run.jsonl");
	if (!existsSync(log)) return [];
	return linesOf(readFileSync(log, "utf8"))
		.map((line) => JSON.parse(line))
		.filter(({ event }) => event === name);
}

const ask = (runs: string, ...words: readonly string[]): Promise<Ended> =>
	runCli(words, { env: { STICKSLIP_RUNS: runs } });
/** In this process: sooner than by one that has to start. */
const askHere = (runs: string, ...words: readonly string[]): Promise<Ended> => runHere([...words, "--runs", runs]);
const runIn = (runs: string) => join(runs, readdirSync(runs).filter((name) => !name.startsWith("."))[0] ?? "");

/** Starts it, waits until ranks are at work for the `time`-th time, and stops it with a checkpoint. */
async function stopped(runs: string, time: number, ...words: readonly string[]): Promise<void> {
	const ended = ask(runs, ...words);
	expect(await soon(() => events(runIn(runs), "ready").length === time), "at work").toBe(true);
	await askHere(runs, "stop", "last");
	const { code, err } = await ended;
	expect(code, err).toBe(75);
}

describe("a run whose line has ranks", () => {
	it("is resumed on others, over another transport, and by a launcher, to the same bits", async () => {
		const runs = testFolder();
		await stopped(runs, 1, ...long, "--checkpoint", "0", "--ranks", "2");
		await stopped(runs, 2, "resume", "--ranks", "3", "--transport", "zeromq");
		const run = runIn(runs);
		const how = () => JSON.parse(readFileSync(join(run, "request.json"), "utf8")).how;
		expect(how()).toEqual({ ranks: 3, transport: "zeromq" });
		for (const [words, problem] of [
			[["--transport", "threads+mpi"], "options: processes: 3 ranks cannot be divided evenly among 2 processes"],
			[["--ranks", "2", "--nodes", "2"], "resume: --ranks: is for a run without a launcher; use --nodes"],
			[["--transport", "tea"], 'resume: --transport: there is no "tea"'],
		] as const) {
			const refused = await askHere(runs, "resume", "last", ...words);
			expect([refused.code, refused.err]).toEqual([2, expect.stringContaining(problem)]);
		}
		expect(how()).toEqual({ ranks: 3, transport: "zeromq" });
		await stopped(runs, 3, "resume", "--ranks", "4", "--transport", "threads+zeromq", "--processes", "2");
		await stopped(runs, 4, "resume", "--where", "local", "--nodes", "2", "--ranks-per-node", "1");
		const launched = await askHere(runs, "resume", "last", "--ranks", "2");
		expect([launched.code, launched.err]).toEqual([
			2,
			expect.stringContaining("--ranks: is for a run without a launcher"),
		]);
		const { code, out, err } = await ask(runs, "resume", "--nodes", "1", "--ranks-per-node", "2");
		expect([code, JSON.parse(out || "{}").hash], err).toEqual([1, hash]);
		expect(events(run, "started").map(({ ranks, transport }) => [ranks, transport])).toEqual([
			...[
				[2, "threads"],
				[3, "zeromq"],
				[4, "threads+zeromq"],
				[2, "zeromq"],
				[2, "threads"],
			],
		]);
	});

	it("is resumed on one rank", async () => {
		const runs = testFolder();
		await stopped(runs, 1, ...long, "--checkpoint", "0", "--ranks", "2", "--transport", "zeromq");
		const { code, out, err } = await ask(runs, "resume", "--ranks", "1", "--transport", "threads");
		const report = JSON.parse(out || "{}");
		expect([code, report.hash, report.ranks], err).toEqual([1, hash, 1]);
	});
});

describe("a run of an earlier version, which did not keep what was asked for", () => {
	it("is listed, and refused by name where it is resumed", async () => {
		const runs = testFolder();
		const words = ["solve", pile, "--json", "--max-iterations", "3", "--checkpoint", "0"];
		await ask(runs, ...words);
		const run = runIn(runs);
		rmSync(join(run, "request.json"));
		const change = (name: string, changes: object) => {
			const before = JSON.parse(readFileSync(join(run, name), "utf8"));
			writeFileSync(join(run, name), JSON.stringify({ ...before, ...changes }));
		};
		change("run.json", { format: 1, options: { "max-iterations": "3" } });
		change("state.json", { status: "stopped" });
		const [status, resumed] = await Promise.all([askHere(runs, "status"), askHere(runs, "resume", "last")]);
		expect([status.code, status.out]).toEqual([0, expect.stringContaining(`stickslip ${words.join(" ")}`)]);
		expect([resumed.code, linesOf(resumed.err)]).toEqual([
			2,
			[
				`stickslip: ${run}: request.json: is missing, as in runs of earlier versions; solve it again; stickslip status shows its command`,
			],
		]);
	});
});
