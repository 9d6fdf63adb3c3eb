/** What a process measures of its own beginning; one line of JSON is its answer. */
import { partsOfCommand } from "./command.js";
import { earlyTimes } from "./early.js";
import { coldTimes, type Form, problemOf } from "./phases.js";
import { firstSolve, memoryOf } from "./tiny.js";

const [what, ...rest] = process.argv.slice(2);
const answers: Record<string, () => unknown> = {
	cold: () => coldTimes(problemOf(rest[0] as Form, Number(rest[1])), rest[0] as Form),
	first: () => firstSolve(),
	early: () => earlyTimes(String(rest[0]), Number(rest[1])),
	command: () => partsOfCommand(String(rest[0])),
	memory: () => memoryOf(Number(rest[0]), Number(rest[1])),
};
console.log(JSON.stringify(await answers[what ?? ""]?.()));
