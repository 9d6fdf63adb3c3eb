/** A study as a run: alone, or as the run of a launcher, which keeps its state and hears requests to stop. */
import { join } from "node:path";
import { Interrupt } from "../base/interrupt.js";
import type { ExitCode, Terminal } from "../cli/command.js";
import type { StudyCommandLine, StudyRequest } from "../requests/study-request.js";
import { launchedPlacement, type StarterOf } from "../runs/launched-placement.js";
import { Recorder } from "../runs/recorder.js";
import { laterPartOfRun, runRecorded } from "../solve/solve-invocation.js";
import type { StudyProgress } from "../study/run-cells.js";
import { FAILED } from "../study/sample.js";
import { makeFolder } from "../study/study-files.js";
import { partOfPlacement } from "./part-of-placement.js";
import { placementOfParts, writeParts } from "./parts.js";
import { profileStudy } from "./profile-study.js";
import { scalingStudy } from "./scaling-study.js";
import { sensitivityStudy } from "./sensitivity-study.js";
import { StartStates } from "./start-states.js";
import { StudyLine } from "./study-line.js";
import { claimSamples, type StudySurroundings } from "./surroundings.js";

export interface StudyInvocation extends StudyCommandLine {
	/** The folder of the run that this is part of. */
	readonly folder?: string;
	/** How processes are started where a launcher decides that. */
	readonly starterOf?: StarterOf;
}

export class StudyRun {
	readonly #call: StudyInvocation;
	readonly #terminal: Terminal;
	readonly #interrupt: Interrupt;

	constructor(call: StudyInvocation, terminal: Terminal) {
		this.#call = call;
		this.#terminal = terminal;
		this.#interrupt = new Interrupt(() => terminal.err("stickslip: stopping; what is done is kept"));
		makeFolder(call.study.output);
	}

	async run(): Promise<ExitCode> {
		const { folder, study } = this.#call;
		const own = study.gathers === true ? undefined : await laterPartOfRun(folder, () => claimSamples(study, folder));
		try {
			if (folder === undefined) return await this.#interrupt.during(() => this.#work(undefined));
			const recorder = new Recorder(folder, false);
			return await runRecorded(recorder, this.#interrupt, this.#terminal, () => this.#work(recorder));
		} finally {
			own?.release();
		}
	}

	async #work(recorder: Recorder | undefined): Promise<ExitCode> {
		const { study, line: words, folder } = this.#call;
		const { signal } = this.#interrupt;
		const terminal = this.#terminal;
		const line = new StudyLine(terminal);
		const onProgress = (progress: StudyProgress) => {
			line.show(progress);
			const { done, all, last } = progress;
			if (last === undefined) return;
			const { status, reason } = last;
			const failure = status === FAILED ? { reason } : {};
			recorder?.log.write("run", "info", "cell", { done, all, ...last.axes, status, ...failure });
		};
		const { output, part, gathers } = study;
		// Whoever launched several parts has said who they are.
		if (part === undefined && gathers !== true) writeParts(output, folder === undefined ? [] : [folder]);
		const launched = launchedPlacement(recorder, this.#call);
		const placement = gathers === true ? placementOfParts(output) : launched;
		const surroundings: StudySurroundings = {
			...{ line: words, terminal, onProgress, signal },
			placement,
			placementFor: placement && ((ranks: number) => partOfPlacement(placement, ranks, this.#call)),
			log: recorder?.log,
			starts: new StartStates({
				...{ folder: startsFolder(study), signal, log: recorder?.log },
				onProgress: (view) => line.showStart(view),
			}),
			isLaunched: folder !== undefined,
		};
		if (study.kind === "profile") return await profileStudy(study, surroundings);
		if (study.kind === "sensitivity") return await sensitivityStudy(study, surroundings);
		return await scalingStudy(study, surroundings);
	}
}

/** Parts of a study may be measured at once, and then each makes its own. */
function startsFolder({ output, part }: StudyRequest): string {
	return part === undefined ? output : join(output, `part-${part.index}-of-${part.of}`);
}
