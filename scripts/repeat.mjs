/**
 * `npm run repeat -- [--times N] [--at-once M] FILE...`: runs files of tests again and again and counts what fails, for faults that appear once in
 * hundreds of runs. The output of each failed run stays under out/repeat, and a crashed process leaves its core dump where the system allows one
 * (`ulimit -c unlimited` before). Ctrl-C ends it with the counts so far.
 */
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { main, root, StepError, setup } from "./lib/setup.mjs";

const USAGE = "npm run repeat -- [--times N] [--at-once M] FILE...";
const out = join(root, "out", "repeat");
/** Runs between two lines of progress. */
const PROGRESS_RUNS = 20;

main((args) => {
	const { values, positionals: files } = parseArgs({
		args,
		options: { times: { type: "string", default: "100" }, "at-once": { type: "string", default: "1" } },
		allowPositionals: true,
	});
	const [times, atOnce] = [values.times, values["at-once"]].map(Number);
	if (!(times >= 1 && atOnce >= 1 && files.length > 0)) throw new StepError(USAGE);
	setup();
	mkdirSync(out, { recursive: true });
	repeat(files, times, atOnce);
});

/** Keeps `atOnce` runs going until `times` have been started, and reports when the last has ended. */
function repeat(files, times, atOnce) {
	const counts = { runs: 0, failed: 0, lost: 0 };
	const children = new Set();
	let started = 0;
	let isInterrupted = false;
	const report = () => {
		console.log(`${counts.runs} runs, ${counts.failed} failed, ${counts.lost} of them with a lost process`);
		process.exitCode = counts.failed === 0 ? 0 : 1;
	};
	const next = () => {
		if (started === times) return children.size === 0 ? report() : undefined;
		started += 1;
		const run = started;
		const child = start(files, (text, code, signal) => {
			children.delete(child);
			if (!isInterrupted) count(counts, { run, text, code, signal });
			next();
		});
		children.add(child);
	};
	process.once("SIGINT", () => {
		isInterrupted = true;
		started = times;
		for (const child of children) child.kill("SIGINT");
	});
	for (let i = 0; i < Math.min(times, atOnce); i += 1) next();
}

function count(counts, { run, text, code, signal }) {
	counts.runs += 1;
	if (counts.runs % PROGRESS_RUNS === 0) console.log(`${counts.runs} runs, ${counts.failed} failed`);
	const isLost = /^lost process:/m.test(text) || signal !== null;
	if (code === 0 && !isLost) return;
	counts.failed += 1;
	if (isLost) counts.lost += 1;
	const log = join(out, `${process.pid}-${run}.log`);
	writeFileSync(log, text);
	console.log(`run ${run} failed (exit code ${code}, signal ${signal}${isLost ? ", a process was lost" : ""}): ${log}`);
}

function start(files, onEnd) {
	const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
	const reporters = ["default", join(root, "scripts", "lib", "exits.mjs")].map((name) => `--reporter=${name}`);
	const env = { ...process.env, STICKSLIP_BUNDLED: "1" };
	const child = spawn(process.execPath, [vitest, "run", ...reporters, ...files], { cwd: root, env });
	let text = "";
	for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (text += data));
	child.once("close", (code, signal) => onEnd(text, code, signal));
	return child;
}
