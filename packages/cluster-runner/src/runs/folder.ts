/** The folders of runs: created whole or not at all, with names that contain the time and the problem. */
import { randomBytes, randomInt } from "node:crypto";
import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { homedir } from "node:os";
import { basename, extname, join, resolve } from "node:path";
import { InputError } from "@stickslip/core";
import { codeOf, codeOrText } from "../base/errors.js";
import { removeStale, temporaryName, track, untrack } from "../files/unfinished.js";
import { syncFolder } from "../files/write.js";
import { readSmall, replaceJson } from "../records/check.js";
import { machineFacts, type RunFacts, versions } from "../records/facts.js";
import { FILES, RUNS_VARIABLE } from "../records/files.js";
import { requireOwnRuns } from "../records/own.js";
import { type CommandLine, commandLineOf } from "../requests/command-line.js";
import { writeRequest } from "../requests/stored.js";
import { now, type State, stateOf } from "./state.js";

/** The folder of all runs: the one asked for, else the environment's, else one in the home folder. */
export function runsFolder(given?: string): string {
	return resolve(given ?? process.env[RUNS_VARIABLE] ?? join(homedir(), ".stickslip", "runs"));
}

/** The given properties of a new run; the others are determined here. */
export type NewRun = CommandLine &
	Pick<RunFacts, "where" | "restarts" | "checkpoint" | "capsule"> & {
		/** Default: this process's own folder. */
		readonly folder?: string;
		/** Default: made of the time and the problem. */
		readonly id?: string;
		/** The first status. Default: waiting. */
		readonly status?: State["status"];
	};

export interface Run {
	readonly id: string;
	readonly folder: string;
}

/** The folder of a run that is being made has this name, so that the next one that is created removes the leftovers of a killed process. */
const UNFINISHED = "run";

/** Makes the folder of a run with its facts, its state and its secret. The caller holds signals, which could interrupt it. */
export function createRun(runs: string, { folder = process.cwd(), status = "waiting", ...given }: NewRun): Run {
	const { solve, serve: _serve, simulate, study: _study, how: _how, ...run } = given;
	const name = nameOf(given);
	// The line's own takes precedence over the launcher's.
	const { checkpoint = run.checkpoint } = solve ?? simulate ?? {};
	let temporary = "";
	requireOwnRuns(runs);
	try {
		mkdirSync(runs, { recursive: true, mode: 0o700 });
		removeStale(join(runs, UNFINISHED));
		for (;;) {
			const id = run.id ?? makeId(name);
			temporary = temporaryName(join(runs, UNFINISHED));
			track(temporary);
			mkdirSync(temporary, { mode: 0o700 });
			mkdirSync(join(temporary, FILES.logs));
			const facts: RunFacts = {
				...versions,
				id,
				name,
				...run,
				...(checkpoint !== undefined && { checkpoint }),
				folder,
				created: now(),
				machine: machineFacts(),
			};
			replaceJson(join(temporary, FILES.run), facts, true);
			writeRequest(temporary, commandLineOf(given));
			replaceJson(join(temporary, FILES.state), stateOf({ status, attempt: 0 }), true);
			writeSecret(temporary);
			try {
				// A rename to a non-empty folder fails: the other run keeps its name.
				renameSync(temporary, join(runs, id));
				syncFolder(runs);
				return { id, folder: join(runs, id) };
			} catch (error) {
				if (run.id !== undefined || (codeOf(error) !== "ENOTEMPTY" && codeOf(error) !== "EEXIST")) throw error;
				rmSync(temporary, { recursive: true, force: true });
				untrack(temporary);
			}
		}
	} catch (error) {
		if (temporary !== "") rmSync(temporary, { recursive: true, force: true });
		const code = error instanceof InputError ? error.problem : codeOrText(error);
		const remedy = "choose another folder with --runs DIR, or free some space";
		throw new InputError("runs", runs, `no run can be created there (${code})`, remedy);
	} finally {
		untrack(temporary);
	}
}

/** For people: the first file without its folder and its ending. */
export function nameOf({ solve, simulate, study }: Pick<CommandLine, "solve" | "simulate" | "study">): string {
	if (study !== undefined) return study.kind;
	if (simulate !== undefined) return basename(simulate.scene, extname(simulate.scene));
	if (solve === undefined) return "service";
	const [first = ""] = solve.inputs;
	return first === "-" ? "stdin" : basename(first, extname(first));
}

/** Letters that are hard to confuse. */
const letters = "abcdefghjkmnpqrstuvwxyz";

/** 20261118-145703-pile-kqzt: sorted by time, readable, and no two alike. */
export function makeId(name: string, at = new Date()): string {
	const time = at.toISOString().replace(/[-:]/g, "").replace("T", "-").slice(0, 15);
	const plain = name.toLowerCase().replace(/[^a-z0-9]+/g, "-");
	const short = plain.slice(0, 24).replace(/^-+|-+$/g, "");
	const tail = Array.from({ length: 4 }, () => letters[randomInt(letters.length)] ?? "x").join("");
	return [time, short, tail].filter((part) => part !== "").join("-");
}

const SECRET_BYTES = 32;

/** The run's secret as hexadecimal: one for all attempts, made anew where it was removed. */
export function secretOf(folder: string): string {
	const text = readSmall(join(folder, FILES.key))?.trim();
	if (text === undefined) return writeSecret(folder);
	if (/^[0-9a-f]{64}$/.test(text)) return text;
	throw new InputError(join(folder, FILES.key), "key", "is not the secret of a run", "remove the file");
}

function writeSecret(folder: string): string {
	const secret = randomBytes(SECRET_BYTES).toString("hex");
	const file = openSync(join(folder, FILES.key), "wx", 0o600);
	try {
		writeSync(file, `${secret}\n`);
	} finally {
		closeSync(file);
	}
	return secret;
}

/** For when the run has ended. If the disk cannot be written to, it stays; that does not change the exit code. */
export function removeSecret(folder: string): void {
	try {
		rmSync(join(folder, FILES.key), { force: true });
	} catch {
		// It is useless now: nothing listens for it any more.
	}
}
