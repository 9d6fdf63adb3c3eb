/** `stickslip simulate`: one scene from its beginning, or from a checkpoint, to its end. */

import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync } from "node:fs";
import { hostname } from "node:os";
import { join, resolve } from "node:path";
import { DEFAULT_TOLERANCES, InputError } from "@stickslip/core";
import { RankError } from "@stickslip/core/parallel";
import { buildScene, type ImportedScene, type Mistake, type Scene, type SceneDescription } from "@stickslip/mechanics";
import { reserveLess } from "../base/address-space.js";
import { oneLine } from "../base/format.js";
import { Interrupt } from "../base/interrupt.js";
import { capsuleTarget, requireFolder } from "../capsule/index.js";
import type { Checkpointer } from "../checkpoints/checkpointer.js";
import { simulationIdentity } from "../checkpoints/identity.js";
import type { ExitCode, Terminal } from "../cli/command.js";
import { FileError } from "../files/file-error.js";
import { xdmfPath } from "../files/run-names.js";
import { temporaryName, track } from "../files/unfinished.js";
import { asFailure } from "../output/failure.js";
import { simulationLine } from "../output/simulation-progress.js";
import { checkFile, samePlace, tryFile } from "../output/targets.js";
import type { SimulateResult, SimulateTask } from "../programs/simulate.js";
import type { FilesTask } from "../programs/simulation-files.js";
import { type Choice, choose, oversubscriptionWarning, type RankOptions } from "../ranks/choose.js";
import { STOP_WITHOUT_CHECKPOINT } from "../ranks/ranks.js";
import { FILES } from "../records/files.js";
import type { SimulateCommandLine } from "../requests/simulate-request.js";
import { launchedPlacement, type StarterOf } from "../runs/launched-placement.js";
import type { Recorder } from "../runs/recorder.js";
import { laterPartOfRun, recorderFor, runRecorded } from "../solve/solve-invocation.js";
import { keepFailures } from "./failures.js";
import { writeLeftovers } from "./leftovers.js";
import { SimulationOutputs } from "./outputs.js";
import { simulateOnRanks } from "./simulate-ranks.js";
import { type EndedSimulation, reportOf, simulationAsJson, simulationSummary } from "./simulation-report.js";

export interface SimulateInvocation extends SimulateCommandLine {
	/** The folder of the run that this is part of. */
	readonly folder?: string;
	/** The folder of all runs, for a run of its own. */
	readonly runs?: string | undefined;
	/** Starts processes where the run was launched to; absent for a run without a launcher. */
	readonly starterOf?: StarterOf;
}

/** How many steps are stored if the end of the run is given: enough for an animation. */
const STORED_STEPS = 200;
/** Hidden: of a folder of capsules. */
const FAILURES = ".failed-solves";
/** Contacts per body, for the number of ranks. */
const CONTACTS_PER_BODY = 3;
/** Warnings told at once. */
const WARNINGS_MAX = 8;

export class SimulateRun {
	readonly #call: SimulateInvocation;
	readonly #terminal: Terminal;
	readonly #interrupt: Interrupt;
	readonly #description: SceneDescription;
	readonly #unread: readonly Mistake[];
	readonly #scene: Scene;
	readonly #outputs: SimulationOutputs;
	readonly #id = randomUUID();
	#recorder: Recorder | undefined;
	/** A file of statistics for the page only. */
	readonly #passing: string | undefined;

	/** The scene is that of the call. */
	constructor(call: SimulateInvocation, { description, unread }: ImportedScene, terminal: Terminal) {
		this.#call = call;
		this.#terminal = terminal;
		const { output, csv, report, picture, capsule, scene } = call.simulate;
		this.#description = description;
		this.#unread = unread;
		this.#scene = buildScene(this.#description, scene);
		if (capsule !== undefined) requireFolder(capsule);
		if (picture !== undefined && output === undefined)
			throw new InputError("simulate", "--picture", "needs --output", "add --output RUN.h5");
		const taken: [string, string][] = [];
		for (const [option, path] of Object.entries({ output, csv, report, picture })) {
			if (path === undefined) continue;
			const twice = taken.find(([, other]) => samePlace("simulate", path, other));
			if (twice !== undefined)
				throw new InputError("simulate", `--${option}`, `${path} is that of ${twice[0]} too`, "write to another file");
			taken.push([`--${option}`, path]);
			if (option === "output") taken.push([`--${option}`, xdmfPath(path)]);
			checkFile(
				"simulate",
				`--${option}`,
				path,
				[scene].filter((each) => existsSync(each)),
			);
			tryFile("simulate", `--${option}`, path);
		}
		this.#outputs = new SimulationOutputs(call.simulate, call.folder);
		this.#outputs.requireFresh(this.#description.name);
		if (report !== undefined) {
			this.#passing = temporaryName(resolve(report));
			track(this.#passing);
		}
		this.#interrupt = new Interrupt(() => {
			const what = this.#isKept ? "with a checkpoint" : "after this step";
			terminal.err(`stickslip: stopping ${what}; Ctrl-C again ends at once`);
		});
	}

	get #isKept(): boolean {
		const { signal } = this.#interrupt;
		return this.#recorder?.facts.checkpoint !== undefined && signal.reason !== STOP_WITHOUT_CHECKPOINT;
	}

	/** A placement decides on ranks and transport. */
	get #ranks(): RankOptions {
		const placement = launchedPlacement(this.#recorder, this.#call);
		return placement === undefined ? this.#call.how : { placement };
	}

	async run(): Promise<ExitCode> {
		// Before the folder of a run is created: a refused command leaves nothing behind.
		await laterPartOfRun(this.#call.folder, () =>
			this.#outputs.claim((notice) => this.#terminal.err(oneLine(`stickslip: ${notice}`))),
		);
		try {
			return await this.#run();
		} finally {
			this.#outputs.release();
		}
	}

	async #run(): Promise<ExitCode> {
		const recorder = await recorderFor(this.#call, this.#terminal);
		this.#recorder = recorder;
		if (recorder !== undefined) this.#outputs.note(recorder.folder);
		for (const warning of [oversubscriptionWarning(this.#ranks), reserveLess()]) {
			if (warning !== undefined) this.#terminal.err(`stickslip: ${warning}`);
		}
		this.#warn(this.#unread);
		this.#warn(this.#scene.warnings);
		const work = () => this.#attempt();
		if (recorder === undefined) return await this.#interrupt.during(work);
		return await runRecorded(recorder, this.#interrupt, this.#terminal, work);
	}

	#warn(warnings: readonly Mistake[]): void {
		const { length } = warnings;
		for (const { path, problem, remedy } of warnings.slice(0, WARNINGS_MAX)) {
			this.#terminal.err(oneLine(`stickslip: warning: ${path}: ${problem}; ${remedy}`));
		}
		if (length > WARNINGS_MAX) this.#terminal.err(`stickslip: warning: and ${length - WARNINGS_MAX} more of this kind`);
	}

	/** Errors become messages; a rank that is lost is not this process's own failure. */
	async #attempt(): Promise<ExitCode> {
		try {
			return await this.#simulate();
		} catch (error) {
			const hasFailed = error instanceof RankError || error instanceof FileError;
			if (!hasFailed && !(error instanceof InputError)) throw error;
			this.#terminal.passing("");
			const remedy = hasFailed ? (this.#recorder?.remedy ?? "") : "";
			this.#terminal.err(oneLine(`stickslip: ${error.message}${remedy}`));
			this.#recorder?.explain(oneLine(error.message));
			if (this.#call.simulate.json) this.#terminal.out(JSON.stringify(asFailure(error.message)));
			return hasFailed ? 3 : 2;
		}
	}

	async #simulate(): Promise<ExitCode> {
		const recorder = this.#recorder;
		const before = recorder?.finished(0, this.#scene.name);
		if (before !== undefined) {
			this.#terminal.err(`stickslip: ${before.problem} was simulated before: ${before.reason}`);
			recorder?.removeCheckpoints(0);
			return before.status === "solved" ? 0 : 1;
		}
		const identity = simulationIdentity(this.#description);
		const checkpointer = await recorder?.checkpointerOf(0, identity);
		try {
			return await this.#simulateFrom(checkpointer);
		} finally {
			await checkpointer?.close();
		}
	}

	async #simulateFrom(checkpointer: Checkpointer | undefined): Promise<ExitCode> {
		const recorder = this.#recorder;
		const scene = this.#scene;
		const { json } = this.#call.simulate;
		const { measure = "energy", tolerance = DEFAULT_TOLERANCES[measure] } = scene.solver;
		const contacts = CONTACTS_PER_BODY * scene.total;
		const choice: Choice = choose(contacts, this.#ranks);
		const started = performance.now();
		const task = await this.#task(checkpointer?.from?.iteration);
		const draw = simulationLine(this.#terminal);
		const record = recorder?.simulationHandler(scene.name, measure, tolerance);
		const results = await simulateOnRanks(task, choice, {
			scene,
			signal: this.#interrupt.signal,
			checkpointer,
			log: recorder?.log,
			onProgress: (view) => {
				draw(view);
				record?.(view);
			},
		});
		this.#terminal.passing("");
		const found = results.flatMap(({ warnings }) => warnings);
		this.#warn(found);
		const warnings = [...this.#unread, ...scene.warnings, ...found];
		const [first] = results as [SimulateResult];
		const ended: EndedSimulation = { scene, results, warnings, choice, seconds: (performance.now() - started) / 1000 };
		if (checkpointer?.suspended) {
			this.#terminal.err(`stickslip: stopped at step ${first.steps} of ${scene.steps}, with a checkpoint`);
			return 75;
		}
		await this.#keepFailures();
		const written = await writeLeftovers(this.#call.simulate, ended, this.#statisticsPath, {
			date: new Date(),
			host: hostname(),
			words: this.#call.line,
		});
		if (json) this.#terminal.out(JSON.stringify(simulationAsJson(ended)));
		else for (const line of simulationSummary(ended, written)) this.#terminal.out(line);
		return await this.#finish(ended, checkpointer);
	}

	async #finish(ended: EndedSimulation, checkpointer: Checkpointer | undefined): Promise<ExitCode> {
		const [{ ending }] = ended.results as [SimulateResult];
		if (ending === "done" || ending === "failed") {
			const trouble = await this.#recorder?.add(0, reportOf(ended));
			if (trouble !== undefined) this.#terminal.err(`stickslip: ${oneLine(trouble)}`);
			else if (ending === "done") await checkpointer?.remove();
		}
		if (ending === "cancelled" && checkpointer?.isSuspending === true)
			this.#terminal.err(`stickslip: no checkpoint could be written (${oneLine(checkpointer.lost ?? "unknown")})`);
		return ending === "done" ? 0 : 1;
	}

	/** Problems of solves that failed become capsules. */
	async #keepFailures(): Promise<void> {
		const failures = this.#failures;
		if (failures === undefined) return;
		const target = capsuleTarget(this.#call.simulate.capsule, this.#call.line, this.#recorder, this.#terminal);
		await keepFailures(failures, target, this.#scene.solver);
	}

	/** Folder of failed problems of this run alone; removed when they have become capsules. */
	get #failures(): string | undefined {
		const folder = this.#call.simulate.capsule;
		if (folder !== undefined) return join(resolve(folder), `${FAILURES}-${this.#recorder?.facts.id ?? this.#id}`);
		return this.#recorder?.facts.capsule === true ? join(this.#recorder.folder, FILES.capsule, FAILURES) : undefined;
	}

	/** The file of statistics during the run; undefined if none are wanted. */
	get #statisticsPath(): string | undefined {
		const { output } = this.#call.simulate;
		if (this.#outputs.csv !== undefined) return this.#outputs.csv;
		if (this.#recorder !== undefined) return join(this.#recorder.folder, "statistics.csv");
		return output === undefined ? this.#passing : undefined;
	}

	/** `from`: step of the checkpoint. */
	async #task(from: number | undefined): Promise<SimulateTask> {
		const { every, onFailure } = this.#call.simulate;
		const { steps } = this.#scene;
		const { path, dump, claims = [] } = this.#outputs;
		let stored = -1;
		if (from === undefined) this.#outputs.begin();
		else stored = await this.#outputs.resume(from, this.#description, (notice) => this.#notify(notice));
		const failures = this.#failures;
		if (failures !== undefined) mkdirSync(failures, { recursive: true });
		return {
			...{ scene: this.#description, steps, onFailure },
			files: {
				...(path !== undefined && { output: path }),
				every: every ?? this.#description.output?.every ?? Math.max(1, Math.ceil(steps / STORED_STEPS)),
				stored,
				...this.#statistics,
				...(failures !== undefined && { failures }),
				...(dump && { dump }),
				claims: [...claims, ...this.#folders],
			},
		};
	}

	/** Prints a notice and writes it to the log of the run. */
	#notify(notice: string): void {
		this.#terminal.err(oneLine(`stickslip: warning: ${notice}`));
		this.#recorder?.log.write("run", "warn", "output", { notice });
	}

	/** Without --csv and --report, statistics go to the folder of the run, if the host of rank 0 has it. */
	get #statistics(): Pick<FilesTask, "csv" | "statistics"> {
		const path = this.#statisticsPath;
		if (path === undefined) return {};
		const { csv, report } = this.#call.simulate;
		return csv === undefined && report === undefined ? { statistics: path } : { csv: path };
	}

	/** Folders that this process reads at the end, so the host of rank 0 has to share them. */
	get #folders(): NonNullable<FilesTask["claims"]> {
		const { csv, report, capsule } = this.#call.simulate;
		const folders: NonNullable<FilesTask["claims"]>[number][] = [];
		if (report !== undefined && csv === undefined && this.#recorder !== undefined)
			folders.push({ option: "--report", path: report, file: join(this.#recorder.folder, FILES.run), byAll: false });
		if (capsule !== undefined && this.#failures !== undefined)
			folders.push({ option: "--capsule", path: capsule, file: this.#failures, byAll: false });
		return folders;
	}
}
