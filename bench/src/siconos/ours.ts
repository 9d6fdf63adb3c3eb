/**
 * The process of our own side: node ours.js PROBLEM ANSWER TOLERANCE LIMIT. Reads one line per window from stdin, the seconds to
 * spend on repeated solves, and answers each with a line of JSON; the reaction goes to the ANSWER file. It stays alive, warm
 * and idle, while the other side has its turn on the same core.
 */
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { readBinary } from "./binary.js";
import { type Answer, ours } from "./core.js";

const repeatsMax = 2000;
const wholeMax = 5;

const [problemFile = "", answerFile = "", tolerance = "", limit = ""] = process.argv.slice(2);
const problem = readBinary(problemFile);
const solved = (repeat: number): Answer => ours(problem, Number(tolerance), repeat, Number(limit));
/** The first solve of this process: cold code, cold caches, with all of its set-up. */
const cold = solved(1);

for await (const line of createInterface(process.stdin)) {
	const budget = Number(line);
	// The code gets faster while it runs: the number of repeats comes from the last of some warm calls.
	let warm = solved(1);
	let whole = warm.secondsWhole;
	for (let call = 1; call < wholeMax && call * warm.secondsWhole < budget / 2; call += 1) {
		warm = solved(1);
		whole = Math.min(whole, warm.secondsWhole);
	}
	const repeats = Math.min(repeatsMax, Math.max(3, Math.ceil(budget / warm.seconds)));
	const last = warm.seconds > 10 * budget ? warm : solved(repeats);
	writeFileSync(answerFile, new Uint8Array(last.reaction.buffer, last.reaction.byteOffset, last.reaction.byteLength));
	const { method, status } = last;
	const seconds = Math.min(warm.seconds, last.seconds);
	console.log(JSON.stringify({ method, status, seconds, secondsWhole: whole, secondsFirst: cold.secondsWhole }));
}
