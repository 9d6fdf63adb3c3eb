/** The output of a failed mpirun is reported whole: line by line in the run's log, and as one line on the terminal. */
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { emptyFolder, linesOf, runCli, testFolder } from "../../../testing/run-cli.js";
import { runHere } from "../../../testing/run-here.js";
import { noMpirun } from "../../testing/lacking.js";

const kinds = ["openmpi", "mpich"] as const;
const folder = emptyFolder();
let problem: Uint8Array;

beforeAll(async () => {
	const file = join(folder, "easy.hdf5");
	await runHere(["generate", "planks", "--contacts", "20", "--output", file]);
	problem = readFileSync(file);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function failed(kind: string, words: readonly string[], path = "") {
	const place = testFolder();
	const file = join(place, "easy.hdf5");
	writeFileSync(file, problem);
	const runs = join(place, "runs");
	const env = { STICKSLIP_RUNS: runs, PATH: `${path}${path === "" ? "" : delimiter}${process.env.PATH}` };
	const size = ["--mpi", kind, "--nodes", "2", "--ranks-per-node", "1", ...words];
	const ended = await runCli(["launch", "mpirun", ...size, "--", "solve", file], { env });
	const [id = ""] = readdirSync(runs);
	const log = linesOf(readFileSync(join(runs, id, "logs", "run.jsonl"), "utf8")).map((line) => JSON.parse(line));
	return { ...ended, said: log.filter(({ event }) => event === "launcher").map(({ said }) => said) };
}

describe("an mpirun that fails", () => {
	it.for(kinds.map((kind) => [kind] as const))("%s: is heard to its end", async ([kind], context) => {
		const reason = noMpirun(kind);
		if (reason !== undefined) context.skip(`needs ${kind}: ${reason}`);
		const { code, err, said } = await failed(kind, ["--pass=--no-such-word"]);
		expect(code).toBe(3);
		const told = kind === "openmpi" ? /unknown option "--no-such-word"/ : /unrecognized argument no-such-word/;
		expect(said.join("\n")).toMatch(told);
		expect(err).toMatch(/mpirun ended before its ranks did \(exit code \d+: /);
		expect(err).toMatch(told);
	});

	it.for(kinds.map((kind) => [kind] as const))("%s: is called as --dry-run prints it", async ([kind], context) => {
		const reason = noMpirun(kind);
		if (reason !== undefined) context.skip(`needs ${kind}: ${reason}`);
		const path = testFolder();
		const mark = kind === "openmpi" ? "mpirun (Open MPI) 4.1.4" : "HYDRA build details";
		const own = ["HUB_PID", "PROCESS", "MPI"].map((name) => `STICKSLIP_${name}="$STICKSLIP_${name}"`).join(" ");
		const script = [
			"#!/bin/sh",
			`[ "$1" = --version ] && { echo "${mark}"; exit; }`,
			`{ echo "$0 $*"; echo ${own}; } >> "${path}/calls"`,
			"exit 7",
		];
		writeFileSync(join(path, `mpirun.${kind}`), `${script.join("\n")}\n`);
		chmodSync(join(path, `mpirun.${kind}`), 0o755);
		const file = join(path, "easy.hdf5");
		writeFileSync(file, problem);
		const env = { STICKSLIP_RUNS: join(path, "runs"), PATH: `${path}${delimiter}${process.env.PATH}` };
		for (const words of [[], ["--pass=--some-word"]]) {
			const line = ["--mpi", kind, "--nodes", "2", "--ranks-per-node", "2", ...words, "--", "solve", file];
			const shown = await runCli(["launch", "mpirun", "--dry-run", ...line], { env });
			expect((await runCli(["launch", "mpirun", ...line], { env })).code).toBe(3);
			const [call = "", variables = ""] = linesOf(readFileSync(join(path, "calls"), "utf8"));
			rmSync(join(path, "calls"));
			const last = linesOf(shown.out).at(-1) ?? "";
			expect(last).toMatch(new RegExp(` ${call.replace(`${path}/`, "").replaceAll(/[.[\]]/g, "\\$&")}$`));
			const library = /STICKSLIP_MPI=(\S+)/.exec(variables)?.[1];
			expect([library === undefined, last.includes(` STICKSLIP_MPI=${library} `)]).toEqual([false, true]);
		}
	});

	it("may say more than a terminal takes, which the log has", async (context) => {
		const reason = noMpirun("openmpi");
		if (reason !== undefined) context.skip(`needs Open MPI's library: ${reason}`);
		const path = testFolder();
		const script = [
			"#!/bin/sh",
			'[ "$1" = --version ] && { echo "mpirun (Open MPI) 4.1.4"; exit; }',
			'n=0; while [ $n -lt 600 ]; do n=$((n + 1)); echo "line $n of a message that goes on for very long" >&2; done',
			"exit 7",
		];
		writeFileSync(join(path, "mpirun.openmpi"), `${script.join("\n")}\n`);
		chmodSync(join(path, "mpirun.openmpi"), 0o755);
		const { code, err, said } = await failed("openmpi", [], path);
		expect([code, said.length]).toEqual([3, 600]);
		expect([said[0], said.at(-1)]).toEqual([
			"line 1 of a message that goes on for very long",
			"line 600 of a message that goes on for very long",
		]);
		expect(err).toMatch(/exit code 7: \.\.\. .* line 599 of .* line 600 of a message that goes on for very long\)/);
	});
});
