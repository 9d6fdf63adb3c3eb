/** The problem of the benches of launched runs, and the reference of their answers: the hash of the same line on one rank. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Ended, Launched } from "../testing.js";

export const program = fileURLToPath(new URL("../bin/stickslip.mjs", import.meta.resolve("@stickslip/cluster-runner")));

export interface Subject {
	/** The line to launch; it prints JSON. */
	readonly line: readonly string[];
	/** Of one rank, undisturbed. */
	readonly answer: Answer;
}

export interface Answer {
	readonly code: number | null;
	readonly hash: string;
	readonly status: string;
	readonly iterations: number;
	readonly seconds: number;
}

/** A generated problem in the folder, and a line that solves it; its answer is empty where nobody asks for it. */
export function subjectIn(
	folder: string,
	name: string,
	contacts: number,
	options: readonly string[],
	isSolved = true,
): Subject {
	const file = join(folder, `${name}-${contacts}.hdf5`);
	execFileSync(process.execPath, [
		program,
		"generate",
		name,
		"--contacts",
		String(contacts),
		"--seed",
		"1",
		"--output",
		file,
	]);
	const line = ["solve", file, "--json", ...options];
	const none: Answer = { code: null, hash: "", status: "not solved", iterations: 0, seconds: 0 };
	return { line, answer: isSolved ? answerOf(ran([...line, "--ranks", "1"])) : none };
}

/** An iteration limit that is reached is exit code 1, and no failure here. */
function ran(words: readonly string[]): Ended {
	try {
		const out = execFileSync(process.execPath, [program, ...words], { encoding: "utf8", maxBuffer: 2 ** 28 });
		return { code: 0, signal: null, out, err: "" };
	} catch (error) {
		const { status, stdout, stderr } = error as { status?: number; stdout?: string; stderr?: string };
		return { code: status ?? null, signal: null, out: stdout ?? "", err: stderr ?? String(error) };
	}
}

/** The report that a line printed; what it said instead where it printed none. */
export function answerOf({ code, out, err }: Ended): Answer {
	try {
		const { hash, status, iterations, seconds } = JSON.parse(out.trim().split("\n").at(-1) ?? "") as Omit<
			Answer,
			"code"
		>;
		return { code, hash, status, iterations, seconds };
	} catch {
		const said = err.trim().split("\n").at(-1) ?? "";
		return { code, hash: "", status: said === "" ? "said nothing" : said, iterations: 0, seconds: 0 };
	}
}

/** The last report in a run's folder; undefined where there is none. */
export function recordedAnswer(folder: string): Answer | undefined {
	try {
		const lines = readFileSync(join(folder, "report.jsonl"), "utf8").trim().split("\n");
		const { hash, status, iterations, seconds } = JSON.parse(lines.at(-1) ?? "") as Omit<Answer, "code">;
		return { code: null, hash, status, iterations, seconds };
	} catch {
		return undefined;
	}
}

/** Seconds from the launch until all ranks began to iterate, as the run's log has it. */
export function readySeconds({ log, begun }: Launched): number | undefined {
	const ready = log().find(({ event }) => event === "ready");
	return ready === undefined ? undefined : (Date.parse(ready.time) - begun) / 1000;
}
