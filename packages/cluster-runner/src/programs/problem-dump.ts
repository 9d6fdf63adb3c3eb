/** Writes contact problems of a simulation as FCLIB files, each with its start as a guess; rank 0 gathers and writes them. */
import { mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { assembleRigid, InputError, type Problem } from "@stickslip/core";
import { infoText, writeFclib } from "@stickslip/core/fclib";
import type { AppendModule, SolveAttempt } from "@stickslip/mechanics";
import { codeOrText } from "../base/errors.js";
import { FileError, writing } from "../files/file-error.js";
import { temporaryName, track, untrack } from "../files/unfinished.js";
import type { FilesTask } from "./simulation-files.js";

const DIGITS = 7;
/** The limit of one run: what fails a hundred times fails again. */
const FAILURES_MAX = 100;

/** Collective. */
type Keeper = (attempt: SolveAttempt) => void;

/** Observers of each solve, which keep its problem on request. */
export function problemKeepers(
	{ dump, failures }: FilesTask,
	module: AppendModule,
	rank: number,
	report: (loss: string) => void,
): Keeper[] {
	return [
		...(dump === undefined ? [] : [problemDumper(dump, module, rank)]),
		...(failures === undefined ? [] : [failureKeeper(failures, module, report)]),
	];
}

function problemDumper(
	{ which, folder, iterations }: NonNullable<FilesTask["dump"]>,
	module: AppendModule,
	rank: number,
): Keeper {
	if (rank === 0) makeFolder(folder);
	return (attempt) => {
		const { report } = attempt;
		const isHard = report.status !== "solved" || report.iterations > iterations;
		if (which === "every" || isHard) keep(module, folder, attempt);
	};
}

/** The process of the run has made the folder. A failure that cannot be kept, also on a host without that folder, does not end the run. */
function failureKeeper(folder: string, module: AppendModule, report: (loss: string) => void): Keeper {
	let kept = 0;
	return (attempt) => {
		if (attempt.report.status === "solved" || kept >= FAILURES_MAX) return;
		kept += 1;
		try {
			keep(module, folder, attempt);
		} catch (error) {
			if (!(error instanceof FileError)) throw error;
			report(error.message);
			kept = FAILURES_MAX;
		}
	};
}

function makeFolder(folder: string): void {
	try {
		mkdirSync(folder, { recursive: true });
	} catch (error) {
		throw new InputError(folder, "folder", `cannot be made (${codeOrText(error)})`, "choose another one");
	}
}

function plain(name: string): string {
	return name.replaceAll(/[^\w.-]+/g, "-");
}

/** True for the name of a file that a simulation of this scene writes. */
export function isProblemOf(scene: string, name: string): boolean {
	const beginning = `${plain(scene)}-`;
	return name.startsWith(beginning) && /^\d+(-\d+)?\.hdf5$/.test(name.slice(beginning.length));
}

/** Collective. Under the number of the step, and that of the attempt from the second on: a run that is resumed writes the same files again. */
function keep(module: AppendModule, folder: string, attempt: SolveAttempt): void {
	const whole = attempt.whole();
	if (whole === undefined) return;
	const { step, failures, report } = attempt;
	const { rigid, ...rest } = whole.problem;
	const { name } = rest;
	const again = failures > 0 ? `-${failures + 1}` : "";
	const file = `${plain(name)}-${String(step).padStart(DIGITS, "0")}${again}.hdf5`;
	const path = join(folder, file);
	const temporary = temporaryName(path);
	const outcome = `${report.status} after ${report.iterations} iterations`;
	const description = infoText(`of stickslip simulate, step ${step}, solve ${failures + 1}: ${outcome}`);
	const W = rigid === undefined ? rest.W : assembleRigid(rigid);
	const guesses = whole.start === undefined ? [] : [{ r: whole.start }];
	const problem: Problem = { ...rest, ...(W && { W }), guesses };
	track(temporary);
	try {
		writing(path, () => {
			writeFclib(module, temporary, problem, { form: "local", info: { title: infoText(name), description } });
			renameSync(temporary, path);
		});
	} finally {
		rmSync(temporary, { force: true });
		untrack(temporary);
	}
}
