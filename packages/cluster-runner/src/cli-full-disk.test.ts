/** A run whose disk is full when it writes its answer: it waits for space, and if there is none, reports the failure where it can be read. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { linesOf, runCli, runNode, runShell, testFolder } from "../testing/run-cli.js";
import { runHere } from "../testing/run-here.js";
import { Bed } from "./testing/bed.js";
import { noHosts } from "./testing/lacking.js";
import { openSmallDisk, type SmallDisk } from "./testing/small-disk.js";
import { pause, until } from "./testing/wait.js";

const lack = noHosts();
const FULL_SECONDS = 0.6;
const REFILL_MS = 5;

describe.skipIf(lack !== undefined)(`a full disk (skipped where none can be made: ${lack ?? "not here"})`, () => {
	const bed = new Bed();
	const problem = join(bed.folder, "spheres.hdf5");
	let disk: SmallDisk;
	let hash: string;
	beforeAll(async () => {
		await runHere(["generate", "spheres", "--contacts", "300", "--output", problem]);
		hash = JSON.parse((await runHere(["solve", problem, "--json"])).out).hash;
		disk = openSmallDisk(bed, 16 * 2 ** 20);
	});
	afterAll(() => bed.close());

	/** Fills the disk as soon as the run is at work: when the folder of its checkpoints is made. */
	async function fill(runs: string): Promise<string> {
		const folder = () => join(runs, readdirSync(runs).find((name) => !name.startsWith(".")) ?? ".none");
		const isAtWork = () => existsSync(runs) && existsSync(join(folder(), "checkpoints"));
		await until("the run is at work", isAtWork, { every: 0.002 });
		disk.fill();
		return folder();
	}
	const stateIn = (folder: string) => JSON.parse(readFileSync(join(folder, "state.json"), "utf8"));

	it("for a moment costs no report", async () => {
		const runs = join(disk.folder, "moment");
		const words = ["launch", "local", "--checkpoint", "60", "--runs", runs, "--", "solve", problem, "--json"];
		const marker = join(testFolder(), "tried");
		const running = runCli(words, { env: marking(marker) });
		const folder = await fill(runs);
		await until("the report is written", () => existsSync(marker));
		await pause(FULL_SECONDS);
		disk.free();
		const { code, out, err } = await running;
		expect([code, JSON.parse(out || "{}").hash], err).toEqual([0, hash]);
		expect(JSON.parse(readFileSync(join(folder, "report.jsonl"), "utf8")).hash).toBe(hash);
		expect(stateIn(folder).status).toBe("solved");
	});

	it("at a later attempt fails it as well, which is tried again while restarts are left", async () => {
		const runs = join(disk.folder, "later");
		const words = ["--checkpoint", "60", "--restarts", "1", "--runs", runs, "--", "solve", problem, "--json"];
		const running = runShell(`exec "$@" > ${disk.folder}/later.log`, ["launch", "local", ...words]);
		const folder = await fill(runs);
		// The first attempt frees what it had.
		const filling = setInterval(() => disk.fill(), REFILL_MS);
		const { code, err } = await running.finally(() => clearInterval(filling));
		disk.free();
		// The first attempt could not save its report, the second found no place for its answer before it began.
		const told = linesOf(err).filter((line) => line.includes("ENOSPC"));
		expect([code, told], err).toEqual([3, [expect.stringMatching(/report/), expect.stringMatching(/standard output/)]]);
		expect(stateIn(folder)).toMatchObject({
			status: "failed",
			attempt: 2,
			reason: told[1]?.replace("stickslip: ", ""),
		});
		const resumed = await runCli(["resume", "last", "--runs", runs]);
		expect([resumed.code, JSON.parse(resumed.out || "{}").hash], resumed.err).toEqual([0, hash]);
	});

	it("for longer fails the run, which says why although its messages are lost, and is resumed", async () => {
		const runs = join(disk.folder, "longer");
		const words = ["launch", "local", "--checkpoint", "60", "--runs", runs, "--", "solve", problem, "--json"];
		const streams = `exec "$@" > ${disk.folder}/out.log 2> ${disk.folder}/err.log`;
		const running = runShell(streams, words);
		const folder = await fill(runs);
		const { code } = await running;
		expect([code, readFileSync(join(disk.folder, "out.log"), "utf8")]).toEqual([3, ""]);
		const { status, reason } = stateIn(folder);
		expect([status, reason]).toEqual([
			"failed",
			expect.stringMatching(/cannot be written \(ENOSPC\).*free some space/),
		]);
		expect(await followed(folder)).toEqual([
			expect.stringMatching(/Ctrl-C/),
			`stickslip: ${reason}`,
			expect.stringMatching(/^stickslip: run \S+ failed; stickslip resume \S+ (continues|starts it again)/),
			"exit code 3",
		]);
		expect((await runHere(["status", "--runs", runs])).out).toMatch(/reason +\S.*ENOSPC/);
		disk.free();
		const resumed = await runCli(["resume", "last", "--runs", runs]);
		expect([resumed.code, JSON.parse(resumed.out || "{}").hash], resumed.err).toEqual([0, hash]);
		expect(stateIn(folder)).not.toHaveProperty("reason");
	});
});

/** Loaded before the program: creates a file elsewhere when the file of reports is opened. */
function marking(marker: string): Record<string, string> {
	const file = join(testFolder(), "marking.mjs");
	const code = `
		import fs from "node:fs";
		import { syncBuiltinESMExports } from "node:module";
		const open = fs.openSync;
		fs.openSync = (path, flag, ...rest) => {
			if (flag === "a+" && String(path).endsWith("report.jsonl")) fs.writeFileSync(${JSON.stringify(marker)}, "");
			return open(path, flag, ...rest);
		};
		syncBuiltinESMExports();
	`;
	writeFileSync(file, code);
	return { NODE_OPTIONS: `--import=${file}` };
}

/** What a terminal that follows a batch job with this folder prints. */
async function followed(folder: string): Promise<string[]> {
	const dist = new URL("../dist/", import.meta.url);
	const code = `
		const { follow } = await import(${JSON.stringify(new URL("launch/follow.js", dist).href)});
		const { processTerminal } = await import(${JSON.stringify(new URL("cli/terminal.js", dist).href)});
		const job = { scheduler: "Slurm", id: "1", poll: async () => ({ job: "ended", text: "" }), cancel: async () => {}, pump() {} };
		const terminal = processTerminal();
		terminal.err("exit code " + (await follow({ id: "one", folder: ${JSON.stringify(folder)} }, job, terminal)));
	`;
	const cwd = fileURLToPath(new URL("..", import.meta.url));
	return linesOf((await runNode(["--input-type=module", "--eval", code], { cwd, env: { HOME: testFolder() } })).err);
}
