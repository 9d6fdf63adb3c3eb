/**
 * The files that a simulation writes step by step. Each is claimed by one process before anything is changed, begins as a new file unless the same run
 * continues it, and is renamed if the run cannot continue it: nothing is deleted.
 */
import { createHash } from "node:crypto";
import { closeSync, existsSync, openSync, readdirSync, readSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { InputError } from "@stickslip/core";
import { list, record, text } from "@stickslip/core/schema";
import { type SceneDescription, STATISTICS_COLUMNS } from "@stickslip/mechanics";
import { messageOf } from "../base/errors.js";
import { simulationIdentity } from "../checkpoints/identity.js";
import { landing } from "../files/links.js";
import { openRun, writeXdmf } from "../files/run-files.js";
import { moveFileAside, moveRunAside, partPath, partPaths, removeParts, withoutExtension } from "../files/run-names.js";
import { requireFresh } from "../output/fresh.js";
import { makeFolder } from "../output/targets.js";
import { isProblemOf } from "../programs/problem-dump.js";
import type { FilesTask } from "../programs/simulation-files.js";
import { readFields, replaceJson } from "../records/check.js";
import { type Claim, claim } from "../records/claim.js";
import { FILES } from "../records/files.js";
import type { SimulateRequest } from "../requests/simulate-request.js";

/** Characters of an output's name in the name of its claim. */
const NAME_LENGTH_MAX = 40;

const isNote = record({ paths: list(text(10_000), 10) });

interface Output {
	readonly option: string;
	readonly path: string;
	/** Claims with the same name exclude each other. */
	readonly name: string;
	/** True if all ranks write there, not only rank 0. */
	readonly byAll: boolean;
}

export class SimulationOutputs {
	/** The run file. */
	readonly path: string | undefined;
	readonly csv: string | undefined;
	readonly dump: FilesTask["dump"];
	readonly #request: SimulateRequest;
	/** Folder of the run, if there is one. */
	readonly #folder: string | undefined;
	readonly #claims: { readonly output: Output; readonly claim: Claim }[] = [];

	constructor(request: SimulateRequest, folder: string | undefined) {
		const real = (path: string | undefined) => (path === undefined ? undefined : landing(resolve(path)));
		this.#request = request;
		this.#folder = folder;
		this.path = real(request.output);
		this.csv = real(request.csv);
		this.dump = request.dump && { ...request.dump, folder: resolve(request.dump.folder) };
	}

	/** Throws if a file of another run would be lost. */
	requireFresh(scene: string): void {
		const own = this.#folder === undefined ? [] : pathsIn(this.#folder);
		requireFresh(this.#request, own);
		const folder = this.dump?.folder;
		if (folder === undefined || this.#request.overwrite === true || own.includes(folder) || !existsSync(folder)) return;
		const found = readdirSync(folder).find((name) => isProblemOf(scene, name));
		if (found === undefined) return;
		const remedy = "add --overwrite to replace such files, or name another --dump-folder";
		throw new InputError("simulate", "--dump-problems", `${join(folder, found)} exists`, remedy);
	}

	/** Claims all of them, or none: throws an InputError if another process writes one of them. */
	async claim(report: (notice: string) => void): Promise<void> {
		try {
			for (const output of this.#all()) {
				const { option, path, name } = output;
				makeFolder(path);
				const held = await claim(dirname(path), {
					source: "simulate",
					place: option,
					problem: `${path} is being written by another process`,
					remedy: "wait for its end, or write to another file",
					prefix: `.${name}-claim-`,
					run: this.#folder,
					onWait: (process) => report(`looking whether ${process} still writes ${path}`),
				});
				this.#claims.push({ output, claim: held });
			}
		} catch (error) {
			this.release();
			throw error;
		}
	}

	/** Records in the folder of the run that it has begun these outputs, so that its restarts may replace them. */
	note(folder: string): void {
		const paths = this.#all().map(({ path }) => path);
		if (paths.length > 0) replaceJson(join(folder, FILES.outputs), { paths }, true);
	}

	/** Claims that ranks check before they write. */
	get claims(): FilesTask["claims"] {
		return this.#claims.map(({ output: { option, path, byAll }, claim: { file } }) => ({ option, path, byAll, file }));
	}

	release(): void {
		for (const { claim: held } of this.#claims.splice(0)) held.release();
	}

	/** Removes parts of an earlier run, which the new run replaces. */
	begin(): void {
		if (this.path !== undefined) removeParts(this.path);
	}

	/**
	 * A run that continues after a step. Returns the last step in its run file, -1 for a new file; `report` is called with what the user has to know: files
	 * that are gone, and files that were renamed because they cannot be continued.
	 */
	async resume(step: number, scene: SceneDescription, report: (notice: string) => void): Promise<number> {
		const after = `a new file begins after step ${step}`;
		if (this.csv !== undefined) {
			const problem = csvProblem(this.csv);
			if (problem !== undefined && existsSync(this.csv)) {
				report(`${this.csv} ${problem}; it is ${moveFileAside(this.csv)} now, and ${after}`);
			} else if (problem !== undefined) report(`${this.csv} ${problem}; ${after}`);
		}
		if (this.path === undefined) return -1;
		if (!existsSync(this.path)) {
			const others = partPaths(this.path).filter((path) => path !== this.path);
			const moved = others.length > 0 ? ` (its other parts are beside ${moveRunAside(this.path)})` : "";
			report(`${this.path} is gone${moved}; ${after}`);
			return -1;
		}
		try {
			return await lastStepIn(this.path, scene);
		} catch (error) {
			const reason = error instanceof InputError ? `${error.place} ${error.problem}` : messageOf(error);
			report(`${this.path} cannot be continued (${reason}); it is ${moveRunAside(this.path)} now, and ${after}`);
			return -1;
		}
	}

	#all(): Output[] {
		const { path, csv, dump } = this;
		return [
			...(path === undefined ? [] : [{ option: "--output", path, name: nameOf(path, "run"), byAll: true }]),
			...(csv === undefined ? [] : [{ option: "--csv", path: csv, name: nameOf(csv, "csv"), byAll: false }]),
			...(dump === undefined
				? []
				: [{ option: "--dump-problems", path: dump.folder, name: nameOf(dump.folder, "dump"), byAll: false }]),
		];
	}
}

/** The parts of a run have one name. */
function nameOf(path: string, kind: string): string {
	const name = basename(kind === "run" ? withoutExtension(path) : path);
	if (name.length <= NAME_LENGTH_MAX) return `${name}.${kind}`;
	const digest = createHash("sha256").update(name).digest("hex").slice(0, 8);
	return `${[...name].slice(0, NAME_LENGTH_MAX).join("")}-${digest}.${kind}`;
}

/** Files that the run has begun to write. */
function pathsIn(folder: string): readonly string[] {
	try {
		return readFields(join(folder, FILES.outputs))?.all(isNote).paths ?? [];
	} catch (error) {
		if (!(error instanceof InputError)) throw error;
		// Without the note they count as those of another run, which are not replaced.
		return [];
	}
}

/** Reason why a file cannot be continued as a table of statistics; undefined if it can. */
function csvProblem(path: string): string | undefined {
	if (!existsSync(path)) return "is gone";
	const head = Buffer.from(`${STATISTICS_COLUMNS.join(",")}\n`);
	const found = Buffer.alloc(head.length);
	const file = openSync(path, "r");
	try {
		readSync(file, found, 0, found.length, 0);
	} finally {
		closeSync(file);
	}
	return found.equals(head) ? undefined : "has other columns";
}

/** Throws if the run cannot be continued in these files. The XDMF file beside them gets all stored steps: a killed process may have left half a step. */
async function lastStepIn(path: string, scene: SceneDescription): Promise<number> {
	const run = await openRun(path);
	try {
		const fail = (problem: string): never => {
			throw new InputError(path, "file", problem, "move it away");
		};
		const [missing] = run.missingParts;
		if (missing !== undefined) fail(`lacks its part ${basename(partPath(path, missing))}`);
		if (simulationIdentity(run.scene).problem !== simulationIdentity(scene).problem) fail("is of another scene");
		const { columns } = run.statistics();
		if (columns.join() !== STATISTICS_COLUMNS.join()) fail(`has other statistics, by version ${run.version}`);
		const last = run.steps.at(-1) ?? -1;
		if (last >= 0) {
			// Damage shows here, before the file is continued.
			run.bodies(last);
			run.contacts(last);
		}
		writeXdmf(path, run);
		return last;
	} finally {
		run.close();
	}
}
