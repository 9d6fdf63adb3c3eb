/** What `solve` does about capsules: an input may be one, and a solve that fails leaves one. It costs no solve its report or its exit code. */
import { statSync } from "node:fs";
import { join, relative } from "node:path";
import { InputError, type Progress, type Solution, type SolveOptions } from "@stickslip/core";
import { RankError } from "@stickslip/core/parallel";
import type { Terminal } from "../command.js";
import type { Placement } from "../launch/placement.js";
import type { Given } from "../line/given.js";
import type { Loaded } from "../load.js";
import { oneLine } from "../output/format.js";
import { samePlace } from "../output/targets.js";
import type { RankOptions } from "../ranks/choose.js";
import { START_TIMEOUT } from "../ranks/exit-diagnosis.js";
import { LaunchError } from "../ranks/refusal.js";
import { FILES } from "../runs/files.js";
import type { Recorder } from "../runs/recorder.js";
import { type Failure, isFailure, type Ran } from "./capsule.js";
import { isCapsule, type Replay, readCapsule } from "./read.js";
import { comparison, replayLine, replayOptions } from "./replay.js";
import { Trace } from "./trace.js";
import { type CapsuleInput, writeCapsule } from "./write.js";

/** Where the problem of an input is, and what it is solved with. */
export interface Source<Options> {
	readonly file: string;
	readonly options: Options;
	/** Where the input is a capsule. */
	readonly replay?: Replay;
}

/** Reads an input that is a capsule; any other is its own file. The answer must not replace what it is the answer of. */
export function sourceOf<Options extends SolveOptions>(input: string, line: Options, output?: string): Source<Options> {
	if (!isCapsule(input)) return { file: input, options: line };
	const replay = readCapsule(input);
	if (output !== undefined && samePlace("solve", output, replay.file)) {
		throw new InputError("solve", "--output", `${output} is the problem of ${input}`, "write to another file");
	}
	return { file: replay.file, options: replayOptions(replay, line), replay };
}

export interface Keeping {
	/** Where capsules go; undefined for none. */
	readonly folder: string | undefined;
	/** For a run that may be started again: one capsule of each ending. */
	readonly once: boolean;
	readonly placement: Placement | undefined;
	/** Prints a line for people. */
	readonly tell: (line: string) => void;
}

/** Refuses what cannot be a folder, before anything is solved. */
export function requireFolder(given: Given): void {
	const asked = given.text("capsule");
	if (asked === undefined || statSync(asked, { throwIfNoEntry: false })?.isDirectory() !== false) return;
	given.refuse("--capsule", `${asked} is not a folder`, "name a folder, or one that does not exist yet");
}

/** The folder that the line asks for, otherwise that of a run which keeps failures. */
export function keepingOf(given: Given, recorder: Recorder | undefined, terminal: Terminal): Keeping {
	const ofRun = recorder?.facts.capsule === true ? join(recorder.folder, FILES.capsule) : undefined;
	const folder = given.text("capsule") ?? ofRun;
	const tell = (line: string) => terminal.err(`stickslip: ${oneLine(line)}`);
	return { folder, once: recorder !== undefined, placement: recorder?.placement, tell };
}

/** One problem on its way through a solve. */
export class Attempt<Options extends SolveOptions & RankOptions> {
	readonly loaded: Loaded;
	readonly options: Options;
	readonly #replay: Replay | undefined;
	readonly #keeping: Keeping;
	readonly #trace = new Trace();
	/** The newest checkpoint that is there when it ends. */
	checkpoint: string | undefined;

	constructor(input: string, loaded: Loaded, { options, replay }: Source<Options>, keeping: Keeping) {
		this.loaded = loaded;
		this.options = options;
		this.#replay = replay;
		this.#keeping = keeping;
		if (replay !== undefined) keeping.tell(replayLine(input, replay));
	}

	readonly follow = (progress: Progress): void => this.#trace.add(progress);

	async ended(solution: Solution): Promise<void> {
		const { report } = solution;
		const told = this.#replay && comparison(this.#replay, report);
		if (told !== undefined) this.#keeping.tell(told);
		if (!isFailure(report.status)) return;
		this.#trace.add({ iterations: report.iterations, error: report[report.measure], exact: true });
		await this.#keep({ solution });
	}

	/** For whatever a solve throws that is not bad input. */
	async failed(error: unknown): Promise<void> {
		// There is nothing in the solve that could be looked at.
		if (error instanceof LaunchError || (error instanceof RankError && error.message.includes(START_TIMEOUT))) return;
		const rank = error instanceof RankError ? error.rank : -1;
		await this.#keep({ failure: { rank, reason: error instanceof Error ? error.message : String(error) } });
	}

	async #keep(ended: { readonly solution: Solution } | { readonly failure: Failure }) {
		const { folder, once, placement, tell } = this.#keeping;
		if (folder === undefined) return;
		const { loaded, options, checkpoint } = this;
		const { ranks, transport } = options;
		const ran: Ran = {
			...(typeof ranks === "number" && { ranks }),
			...(transport !== undefined && { transport }),
			...(placement && { gang: summaryOf(placement) }),
			...(checkpoint !== undefined && { checkpoint: relative(folder, checkpoint) }),
		};
		// The words after `stickslip`, as they were written.
		const line = process.argv.slice(2);
		const input: CapsuleInput = { folder, loaded, options, ended, line, ran, trace: this.#trace, once };
		try {
			const path = await writeCapsule(input);
			if (path !== undefined) tell(`the failure is saved in ${path}; stickslip solve ${path} repeats it`);
		} catch (error) {
			tell(`the failure could not be saved: ${oneLine(error instanceof Error ? error.message : String(error))}`);
		}
	}
}

/** The parts of a placement that are useful elsewhere: no hosts, no folders. */
function summaryOf({ where, nodes, ranksPerNode, between }: Placement): Record<string, string | number> {
	return { where, nodes, ranksPerNode, between };
}
