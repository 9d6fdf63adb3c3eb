/**
 * The process of our own side: node ours.js PROBLEM ANSWER TOLERANCE. Reads one line per window from stdin, the seconds to
 * spend on repeated solves, and answers each with a line of JSON; the reaction goes to the ANSWER file. It stays alive, warm
 * and idle, while the other side has its turn on the same core.
 */
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { readBinary } from "./binary.js";
import { type Answer, ours } from "./core.js";

const repeatsMax = 2000;

const [problemFile = "", answerFile = "", tolerance = ""] = process.argv.slice(2);
const problem = readBinary(problemFile);
/** The first solve of this process: cold code, cold caches. */
let cold: Answer | undefined;

for await (const budget of createInterface(process.stdin)) {
	cold ??= await ours(problem, Number(tolerance), 1);
	// The code gets faster while it runs: the number of repeats comes from a warm solve.
	const warm = await ours(problem, Number(tolerance), 3);
	const left = (Number(budget) - 3 * warm.seconds) / warm.seconds;
	const repeats = Math.min(repeatsMax, Math.max(1, Math.ceil(left)));
	const last = left > 0 ? await ours(problem, Number(tolerance), repeats) : warm;
	writeFileSync(answerFile, new Uint8Array(last.reaction.buffer, last.reaction.byteOffset, last.reaction.byteLength));
	const { method, status } = last;
	const seconds = Math.min(warm.seconds, last.seconds);
	console.log(JSON.stringify({ method, status, seconds, secondsFirst: cold.secondsFirst }));
}
