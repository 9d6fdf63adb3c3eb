/** Runs the built command line within the process of the tests: what it prints and returns, without the start of a process for every line. */
import { statSync } from "node:fs";
import { runLine } from "../dist/commands/run-line.js";
import { exitCodeOf } from "../dist/exit.js";
import type { Ended, HowToRun } from "./run-cli.js";

let before: Promise<unknown> = Promise.resolve();

/** One after another, since they change the folder of the process. */
export function runHere(words: readonly string[], { cwd }: Pick<HowToRun, "cwd"> = {}): Promise<Ended> {
	const ended = before.then(() => runIn(cwd ?? process.cwd(), words));
	before = ended.catch(() => undefined);
	return ended;
}

async function runIn(folder: string, words: readonly string[]): Promise<Ended> {
	const home = process.cwd();
	const [out, err]: [string[], string[]] = [[], []];
	const terminal = {
		...{ interactive: false, closed: false, columns: 80 },
		out: (line: string) => void out.push(`${line}\n`),
		err: (line: string) => void err.push(`${line}\n`),
		passing: () => {},
	};
	process.chdir(folder);
	// Node 20 resolves no links of modules where the last file that was looked at is a pipe or a socket (a test's, say): koffi is not found then.
	statSync(".");
	try {
		const code = await exitCodeOf(() => runLine(words, terminal), terminal);
		return { code, signal: null, out: out.join(""), err: err.join("") };
	} finally {
		process.chdir(home);
	}
}
