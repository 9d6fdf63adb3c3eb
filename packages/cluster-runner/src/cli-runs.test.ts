/** Runs as their users see them: kept, watched, stopped, killed and resumed, through the command line alone. */
import type { ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { parseExposition } from "../testing/exposition.js";
import { soon } from "../testing/processes.js";
import { type Ended, emptyFolder, linesOf, runCli, testFolder } from "../testing/run-cli.js";
import { runHere } from "../testing/run-here.js";

const folder = emptyFolder();
const easy = join(folder, "easy.hdf5");
/** Some seconds of iterations on an easy problem, always as many. */
const long = ["solve", easy, "--method", "pqn-diagonal", "--tolerance", "1e-300", "--json"];
const iterations = "100000";
const endless = "1000000000";

/** What a run of so many iterations ends in that nobody disturbs. */
let undisturbed: { readonly hash: string; readonly iterations: number; readonly products: number };

beforeAll(async () => {
	await runHere(["generate", "spheres", "--contacts", "300", "--output", easy]);
	undisturbed = JSON.parse((await runHere([...long, "--max-iterations", iterations])).out);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Begun {
	readonly id: string;
	readonly runs: string;
	/** Of the run. */
	readonly folder: string;
	readonly child: ChildProcess;
	readonly ended: Promise<Ended>;
}

/** A solve that keeps its run, as soon as it iterates. Ended by its id when the test is over, whatever happened. */
async function begun(most: string, env: Readonly<Record<string, string>> = {}): Promise<Begun> {
	const runs = testFolder();
	let child: ChildProcess | undefined;
	const words = [...long, "--max-iterations", most, "--checkpoint", "0", "--runs", runs];
	const started = (process: ChildProcess) => {
		child = process;
	};
	const ended = runCli(words, { started, env: { STICKSLIP_RUNS: runs, ...env } });
	onTestFinished(() => void child?.kill("SIGKILL"));
	const isAtWork = () => readdirSync(runs).some((name) => existsSync(join(runs, name, "progress.json")));
	expect(await soon(isAtWork), "the solve begins").toBe(true);
	const [id = ""] = readdirSync(runs).filter((name) => !name.startsWith("."));
	return { id, runs, folder: join(runs, id), child: child!, ended };
}

const ask = (runs: string, ...words: readonly string[]) => runCli(words, { env: { STICKSLIP_RUNS: runs } });
/** The same of a line that starts nothing, in this process. */
const askHere = (runs: string, ...words: readonly string[]) => runHere([...words, "--runs", runs]);

describe("a solve that is kept", () => {
	it("prints what any other prints, and is listed with its report", async () => {
		const runs = testFolder();
		const words = ["solve", easy, "--method", "pqn", "--json"];
		const [plain, kept] = await Promise.all([runCli(words), ask(runs, ...words, "--checkpoint", "30")]);
		const [{ hash }, report] = [JSON.parse(plain.out), JSON.parse(kept.out)];
		expect([kept.code, report.hash]).toEqual([0, hash]);
		const [id = ""] = readdirSync(runs);
		expect(kept.err).toBe(`stickslip: run ${id} in ${runs}\n`);
		const [list, one] = await Promise.all([askHere(runs, "runs"), askHere(runs, "status", "--json")]);
		expect(linesOf(list.out).at(-1)).toMatch(new RegExp(`^${id} +here +solved +${easy} +\\S+ +${report.iterations} +`));
		const { perRank: _, ...told } = report;
		expect(JSON.parse(one.out)).toMatchObject({
			id,
			status: "solved",
			exitCode: 0,
			restarts: 0,
			reports: [{ input: 0, ...told }],
		});
		expect(readdirSync(join(runs, id)).sort()).not.toContain("key");
		// Started again, it prints the report that is there, solves nothing, and leaves no checkpoint that was half written before.
		const half = join(runs, id, "checkpoints", "0", ".writing-1");
		mkdirSync(half, { recursive: true });
		const state = join(runs, id, "state.json");
		writeFileSync(state, JSON.stringify({ ...JSON.parse(readFileSync(state, "utf8")), status: "failed" }));
		const again = await ask(runs, "resume");
		expect([again.code, again.out, existsSync(half)]).toEqual([0, kept.out, false]);
	});

	it("stops on request with a checkpoint: exit code 75; and goes on to the bits of one that nobody disturbed", async () => {
		const { id, runs, folder: place, ended } = await begun(iterations);
		const followed = ask(runs, "logs", "-f");
		const stopped = await askHere(runs, "stop", "--wait", "20");
		expect(stopped).toMatchObject({ code: 0, out: `${id}: stopped; stickslip resume ${id} continues it\n`, err: "" });
		const first = await ended;
		expect([first.code, first.out]).toEqual([75, ""]);
		expect(linesOf(first.err)).toEqual([
			`stickslip: run ${id} in ${runs}`,
			"stickslip: stopping with a checkpoint; Ctrl-C again ends at once",
			expect.stringMatching(/^stickslip: stopped at iteration [\d,]+ of .*easy\.hdf5, with a checkpoint$/),
		]);
		const log = await followed;
		expect([log.code, linesOf(log.out).at(-1)]).toEqual([0, expect.stringMatching(/run +command ended {2}code 75$/)]);
		const status = JSON.parse((await askHere(runs, "status", "--json")).out);
		expect(status).toMatchObject({ status: "stopped", exitCode: 75, checkpoint: { input: 0 }, reports: [] });
		const second = await ask(runs, "resume");
		const gone = JSON.parse(second.out);
		expect([gone.hash, gone.iterations, gone.products]).toEqual([
			...[undisturbed.hash, undisturbed.iterations, undisturbed.products],
		]);
		expect(readFileSync(join(place, "report.jsonl"), "utf8")).toContain(gone.hash);
	});

	it("stops at once and without a checkpoint with --now: cancelled, exit code 1", async () => {
		const { id, runs, folder: place, ended } = await begun(endless);
		const running = await askHere(runs, "status", id.slice(0, 15));
		expect(linesOf(running.out)[0]).toBe(`${id}: running`);
		const stopped = await askHere(runs, "stop", id, "--now");
		expect(stopped.out).toBe(`${id}: cancelled; stickslip resume ${id} continues it\n`);
		const { code, out } = await ended;
		expect([code, JSON.parse(out).status]).toEqual([1, "cancelled"]);
		expect(readdirSync(join(place, "checkpoints", "0"))).toEqual([]);
		expect(existsSync(join(place, "report.jsonl"))).toBe(false);
	});

	it("goes on, and is said to be running, where its clock is set back an hour", async () => {
		const back = join(testFolder(), "back");
		const shift = `import { existsSync } from "node:fs"; const now = Date.now;
			Date.now = () => now() - (existsSync(${JSON.stringify(back)}) ? 3600000 : 0);
			globalThis.Date = class extends Date { constructor(...given) { super(...(given.length === 0 ? [Date.now()] : given)); } };`;
		const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(shift)}`;
		const {
			id,
			runs,
			folder: place,
			ended,
		} = await begun(iterations, { NODE_OPTIONS, STICKSLIP_METRICS: "127.0.0.1:0" });
		const updated = () => Date.parse(JSON.parse(readFileSync(join(place, "state.json"), "utf8")).updated);
		writeFileSync(back, "");
		expect(await soon(() => updated() < Date.now() - 3_500_000), "its state is renewed by the new clock").toBe(true);
		const [status, metrics] = await Promise.all([askHere(runs, "status"), askHere(runs, "status", "--metrics")]);
		expect(linesOf(status.out)[0]).toBe(`${id}: running`);
		const beat = parseExposition(metrics.out).find(({ name }) => name === "stickslip_run_heartbeat_age_seconds");
		// Not the hour by which the clock was set back.
		expect(Math.abs(beat!.value)).toBeLessThan(1800);
		const stopped = await askHere(runs, "stop", "--wait", "20");
		expect([stopped.code, (await ended).code]).toEqual([0, 75]);
		const again = await ask(runs, "resume");
		expect(JSON.parse(again.out).hash).toBe(undisturbed.hash);
		const log = await askHere(runs, "logs", id);
		const events = linesOf(log.out).map(
			(line) => /run +(command ended|command|checkpoint|stop requested)\b/.exec(line)?.[1],
		);
		expect(events.filter((event) => event !== undefined)).toEqual([
			...["command", "stop requested", "checkpoint", "command ended", "command"],
		]);
	});

	it("is lost when it is killed, and said to be", async () => {
		const { id, runs, child, ended } = await begun(endless);
		child.kill("SIGKILL");
		await ended;
		const [list, status, stopped] = await Promise.all([
			askHere(runs, "runs", "--json"),
			askHere(runs, "status"),
			askHere(runs, "stop"),
		]);
		expect(JSON.parse(list.out)).toMatchObject({ id, status: "lost", why: `its process ${child.pid} has ended` });
		expect(status.out).toMatch(new RegExp(`resume +stickslip resume ${id}`));
		expect([stopped.code, stopped.err]).toEqual([
			2,
			`stickslip: stop: ${id}: is lost, so there is nothing to stop; stickslip runs lists all runs\n`,
		]);
	});

	it("serves metrics where it is asked to, and Ctrl-C stops it with a checkpoint", async () => {
		const { child, folder: place, ended } = await begun(endless, { STICKSLIP_METRICS: "127.0.0.1:0" });
		let told = "";
		child.stderr?.on("data", (part: Buffer) => {
			told += part.toString();
		});
		expect(JSON.parse(readFileSync(join(place, "state.json"), "utf8")).status).toBe("running");
		child.kill("SIGINT");
		const { code, err } = await ended;
		const [, url = ""] = /metrics at (http:\S+)\n/.exec(err) ?? [];
		expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
		expect(code).toBe(75);
		expect(told).not.toContain("mistake");
	});
});

describe("a run of many files", () => {
	it("solves what is not finished, and keeps what came through a pipe", async () => {
		const runs = testFolder();
		const words = ["solve", "-", "missing.hdf5", "--json"];
		const first = await runCli([...words, "--checkpoint", "60"], {
			...{ input: readFileSync(easy), cwd: folder, env: { STICKSLIP_RUNS: runs } },
		});
		// One object for each file, in their order; that of the missing one says why.
		const [solved, missing] = linesOf(first.out).map((line) => JSON.parse(line));
		expect([first.code, solved.problem, missing.problem]).toEqual([2, "standard input", "missing.hdf5"]);
		const place = join(runs, readdirSync(runs)[0] ?? "");
		rmSync(join(place, "report.jsonl"));
		const second = await ask(runs, "resume");
		expect([second.code, JSON.parse(linesOf(second.out)[0] ?? "").hash]).toEqual([2, solved.hash]);
		const metrics = await askHere(runs, "status", "last", "--metrics");
		expect(parseExposition(metrics.out).some(({ name }) => name === "stickslip_report_solved")).toBe(true);
	});
});

describe("bad use of runs", () => {
	it("is told in one line, with exit code 2", async () => {
		const runs = testFolder();
		const taken = createServer();
		onTestFinished(() => void taken.close());
		await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
		const address = taken.address();
		const port = typeof address === "object" && address !== null ? address.port : 0;
		const cases: readonly (readonly [readonly string[], Readonly<Record<string, string>>, string])[] = [
			[["status", "pile"], {}, "stickslip: runs: pile: no such run; stickslip runs lists all"],
			[
				["logs", "-f", "--rank", "x"],
				{},
				`stickslip: runs: ${runs}: there are no runs; create one with stickslip launch`,
			],
			[["stop", "a", "b"], {}, expect.stringContaining("stickslip: stop: b: ")],
			[
				["solve", easy, "--checkpoint", "9", "--repeat", "2"],
				{},
				"stickslip: solve: --checkpoint: cannot be combined with --repeat; leave out one of them",
			],
			[["solve", easy, "--runs", runs], {}, "stickslip: solve: --runs: needs --checkpoint; add --checkpoint SECONDS"],
			[
				["solve", easy, "--checkpoint", "9"],
				// It makes a run of its own, which the other tests must not see.
				{ STICKSLIP_METRICS: `:${port}`, STICKSLIP_RUNS: testFolder() },
				`stickslip: --metrics: 127.0.0.1:${port}: is in use by another program; choose another one`,
			],
		];
		const ended = await Promise.all(
			cases.map(([words, env]) => runCli(words, { env: { STICKSLIP_RUNS: runs, ...env } })),
		);
		for (const [index, { code, out, err }] of ended.entries()) {
			expect([code, out, linesOf(err).at(-1)]).toEqual([2, "", cases[index]?.[2]]);
		}
		expect(readdirSync(runs)).toEqual([]);
	});
});
