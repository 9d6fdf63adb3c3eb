/**
 * The process of our own side: node ours.js PROBLEM ANSWER TOLERANCE LIMIT [SOLVER]. Reads one line per window from stdin, the seconds to
 * spend on repeated solves (none where the first one did not succeed), and answers each with a line of JSON; the reaction goes to the ANSWER file. It stays alive, warm
 * and idle, while the other side has its turn on the same core.
 */
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { readBinary } from "./binary.js";
import { type Answer, ours, type Solver } from "./core.js";

const repeatsMax = 2000;
const wholeMax = 5;

const [problemFile = "", answerFile = "", tolerance = "", limit = "", solver = "{}"] = process.argv.slice(2);
const problem = readBinary(problemFile);
const solved = (repeat: number): Answer =>
	ours(problem, Number(tolerance), repeat, Number(limit), JSON.parse(solver) as Solver);
/** Seconds. The processor's clock ticks every 4 ms on some machines: it tells of so much together, and of solves that others on the same core would lengthen. */
const told = 0.1;
const long = 0.01;
/** So many solves: the fastest by the clock, or what the processor took for one in the mean, which has set-up in it. */
const timed = (repeats: number): Answer => {
	const before = process.cpuUsage();
	const answer = solved(repeats);
	const { user, system } = process.cpuUsage(before);
	const { seconds } = answer;
	const processor = (user + system) / 1e6;
	const isTold = seconds > long && processor > told;
	return { ...answer, seconds: isTold ? Math.min(seconds, processor / repeats) : seconds };
};
const once = () => timed(1);
/** The first solve of this process: cold code, cold caches, with all of its set-up. */
const cold = once();

for await (const line of createInterface(process.stdin)) {
	const budget = Number(line);
	// The code gets faster while it runs: the number of repeats comes from the last of some warm calls.
	let warm = cold.status === "solved" ? once() : cold;
	let whole = warm.secondsWhole;
	for (let call = 1; call < wholeMax && warm !== cold && call * warm.secondsWhole < budget / 2; call += 1) {
		warm = once();
		whole = Math.min(whole, warm.secondsWhole);
	}
	const repeats = Math.min(repeatsMax, Math.max(3, Math.ceil(budget / warm.seconds)));
	const last = warm === cold || warm.seconds > 10 * budget ? warm : timed(repeats);
	writeFileSync(answerFile, new Uint8Array(last.reaction.buffer, last.reaction.byteOffset, last.reaction.byteLength));
	const { method, status } = last;
	const seconds = Math.min(warm.seconds, last.seconds);
	console.log(JSON.stringify({ method, status, seconds, secondsWhole: whole, secondsFirst: cold.secondsWhole }));
}
