/** The capsules of `solve`: an input may be one, and a failed solve writes one. They never change a report or an exit code. */
import { statSync } from "node:fs";
import { join, relative } from "node:path";
import { errorOf, InputError, type Progress, type Solution, type SolveOptions } from "@stickslip/core";
import { RankError } from "@stickslip/core/parallel";
import { messageOf } from "../base/errors.js";
import { oneLine } from "../base/format.js";
import type { Terminal } from "../cli/command.js";
import type { Loaded } from "../files/load.js";
import { samePlace } from "../output/targets.js";
import type { Placement } from "../placement/placement.js";
import { START_TIMEOUT } from "../processes/exit-diagnosis.js";
import { LaunchError } from "../protocol/refusal.js";
import type { RankOptions } from "../ranks/choose.js";
import { FILES } from "../records/files.js";
import type { Recorder } from "../runs/recorder.js";
import { type Failure, isFailure, type RunSetup } from "./capsule.js";
import { isCapsule, type Replay, readCapsule } from "./read.js";
import { comparison, replayLine, replayOptions } from "./replay.js";
import { Trace } from "./trace.js";
import { type CapsuleInput, writeCapsule } from "./write.js";

/** An input of `solve`: the file of its problem, and its options. */
export interface SolveInput<Options> {
	readonly file: string;
	readonly options: Options;
	/** Where the input is a capsule. */
	readonly replay?: Replay;
}

/** Reads an input that is a capsule; any other input is a problem file. The answer must not replace its own problem. */
export function solveInput<Options extends SolveOptions>(
	input: string,
	line: Options,
	output?: string,
): SolveInput<Options> {
	if (!isCapsule(input)) return { file: input, options: line };
	const replay = readCapsule(input);
	if (output !== undefined && samePlace("solve", output, replay.file)) {
		throw new InputError("solve", "--output", `${output} is the problem of ${input}`, "write to another file");
	}
	return { file: replay.file, options: replayOptions(replay, line), replay };
}

export interface CapsuleTarget {
	/** The words of the command line. */
	readonly line: readonly string[];
	/** The folder of capsules; undefined for none. */
	readonly folder: string | undefined;
	/** For a run that may be restarted: one capsule per kind of failure. */
	readonly once: boolean;
	readonly placement: Placement | undefined;
	/** Prints a line for people. */
	readonly print: (line: string) => void;
}

/** Refuses what cannot be a folder, before anything is solved. */
export function requireFolder(folder: string): void {
	if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== false) return;
	const remedy = "give a folder, or a path that does not exist yet";
	throw new InputError("solve", "--capsule", `${folder} is not a folder`, remedy);
}

/** The folder of --capsule, otherwise that of a run that saves failures. */
export function capsuleTarget(
	given: string | undefined,
	line: readonly string[],
	recorder: Recorder | undefined,
	terminal: Terminal,
): CapsuleTarget {
	const ofRun = recorder?.facts.capsule === true ? join(recorder.folder, FILES.capsule) : undefined;
	const print = (line: string) => terminal.err(`stickslip: ${oneLine(line)}`);
	return { line, folder: given ?? ofRun, once: recorder !== undefined, placement: recorder?.placement, print };
}

/** The solve of one input. */
export class Attempt<Options extends SolveOptions & RankOptions> {
	readonly loaded: Loaded;
	readonly options: Options;
	readonly #replay: Replay | undefined;
	readonly #capsules: CapsuleTarget;
	readonly #trace = new Trace();
	/** The newest checkpoint that is there when it ends. */
	checkpoint: string | undefined;

	constructor(input: string, loaded: Loaded, { options, replay }: SolveInput<Options>, capsules: CapsuleTarget) {
		this.loaded = loaded;
		this.options = options;
		this.#replay = replay;
		this.#capsules = capsules;
		if (replay !== undefined) capsules.print(replayLine(input, replay));
	}

	readonly follow = (progress: Progress): void => this.#trace.add(progress);

	async ended(solution: Solution): Promise<void> {
		const { report } = solution;
		const result = this.#replay && comparison(this.#replay, report);
		if (result !== undefined) this.#capsules.print(result);
		if (!isFailure(report.status)) return;
		this.#trace.add({ iterations: report.iterations, error: errorOf(report), exact: true });
		await this.#keep({ solution });
	}

	/** For errors of a solve that are not bad input. */
	async failed(error: unknown): Promise<void> {
		// There is nothing in the solve that could be examined.
		if (error instanceof LaunchError || (error instanceof RankError && error.message.includes(START_TIMEOUT))) return;
		const rank = error instanceof RankError ? error.rank : -1;
		await this.#keep({ failure: { rank, reason: messageOf(error) } });
	}

	async #keep(ended: { readonly solution: Solution } | { readonly failure: Failure }) {
		const { line, folder, once, placement, print } = this.#capsules;
		if (folder === undefined) return;
		const { loaded, options, checkpoint } = this;
		const { ranks, transport } = options;
		const ran: RunSetup = {
			...(typeof ranks === "number" && { ranks }),
			...(transport !== undefined && { transport }),
			...(placement && { gang: summaryOf(placement) }),
			...(checkpoint !== undefined && { checkpoint: relative(folder, checkpoint) }),
		};
		const input: CapsuleInput = { folder, loaded, options, ended, line, ran, trace: this.#trace, once };
		try {
			const path = await writeCapsule(input);
			if (path !== undefined) print(`the failure is saved in ${path}; stickslip solve ${path} repeats it`);
		} catch (error) {
			print(`the failure could not be saved: ${oneLine(messageOf(error))}`);
		}
	}
}

/** The parts of a placement that are useful elsewhere: no hosts, no folders. */
function summaryOf({ where, nodes, ranksPerNode, between }: Placement): Record<string, string | number> {
	return { where, nodes, ranksPerNode, between };
}
