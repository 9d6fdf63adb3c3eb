/** A study as a run: alone, or as the run of a launcher, which keeps its state and hears requests to stop. */
import { Interrupt } from "../base/interrupt.js";
import type { ExitCode, Terminal } from "../cli/command.js";
import type { StudyCommandLine } from "../requests/study-request.js";
import { launchedPlacement, type StarterOf } from "../runs/launched-placement.js";
import { Recorder } from "../runs/recorder.js";
import { recorded } from "../solve/solve-invocation.js";
import type { StudyProgress } from "../study/run-cells.js";
import { makeFolder } from "../study/study-files.js";
import { partOfPlacement } from "./part-of-placement.js";
import { profileStudy } from "./profile-study.js";
import { scalingStudy } from "./scaling-study.js";
import { sensitivityStudy } from "./sensitivity-study.js";
import type { StudySurroundings } from "./surroundings.js";

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
		const { folder } = this.#call;
		if (folder === undefined) return await this.#interrupt.during(() => this.#work(undefined));
		const recorder = new Recorder(folder, false);
		return await recorded(recorder, this.#interrupt, this.#terminal, () => this.#work(recorder));
	}

	async #work(recorder: Recorder | undefined): Promise<ExitCode> {
		const { study, line, folder } = this.#call;
		const terminal = this.#terminal;
		const onProgress = ({ done, all, last }: StudyProgress) => {
			const axes = Object.values(last?.axes ?? {}).join("  ");
			terminal.passing(`${done} of ${all}  ${axes}`.slice(0, terminal.columns - 1));
			recorder?.log.write("run", "info", "cell", { done, all, ...last?.axes });
		};
		const placement = launchedPlacement(recorder, this.#call);
		const surroundings: StudySurroundings = {
			...{ line, terminal, onProgress },
			signal: this.#interrupt.signal,
			placement,
			placementFor: placement && ((ranks: number) => partOfPlacement(placement, ranks, this.#call)),
			log: recorder?.log,
			isLaunched: folder !== undefined,
		};
		if (study.kind === "profile") return await profileStudy(study, surroundings);
		if (study.kind === "sensitivity") return await sensitivityStudy(study, surroundings);
		return await scalingStudy(study, surroundings);
	}
}
