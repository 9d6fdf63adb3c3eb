/** `stickslip solve`: one file or many, one after another; every file is attempted, and the exit code is the worst. */

import { hostname } from "node:os";
import { isUnread } from "@stickslip/comm";
import { DEFAULT_TOLERANCES, InputError, type Report, type Solution, type SolveOptions } from "@stickslip/core";
import { reserveLess } from "../base/address-space.js";
import { count, oneLine, shown } from "../base/format.js";
import { Interrupt } from "../base/interrupt.js";
import { Attempt, capsuleTarget, requireFolder, solveInput } from "../capsule/index.js";
import type { Checkpointer } from "../checkpoints/checkpointer.js";
import { type ExitCode, type Terminal, worst } from "../cli/command.js";
import { expand } from "../cli/expand.js";
import { load } from "../files/load.js";
import { save } from "../files/save.js";
import { writeWhole } from "../files/write.js";
import { ElsewhereError, writeSomewhere } from "../output/elsewhere.js";
import { page } from "../output/page.js";
import { progressLine } from "../output/progress.js";
import { commonFolder, summary, tableColumns, tableFoot, tableHead, tableRow } from "../output/summary.js";
import type { Column } from "../output/table.js";
import { checkFile, samePlace, targets, tryOutputs } from "../output/targets.js";
import { canRanksRead, oversubscriptionWarning, type RankOptions } from "../ranks/choose.js";
import { STOP_WITHOUT_CHECKPOINT } from "../ranks/ranks.js";
import { keepInput } from "../records/input.js";
import type { SolveRequest } from "../requests/solve-request.js";
import { launchedPlacement } from "../runs/launched-placement.js";
import type { Recorder } from "../runs/recorder.js";
import { memoryCheck } from "./memory.js";
import { Failures } from "./solve-failures.js";
import { recorderFor, requireStart, runRecorded, type SolveInvocation } from "./solve-invocation.js";
import { solveRanks } from "./solve-ranks.js";

type Solving = Attempt<SolveOptions & RankOptions>;

export class SolveRun {
	readonly #call: SolveInvocation;
	readonly #request: SolveRequest;
	readonly #terminal: Terminal;
	readonly #inputs: readonly string[];
	readonly #outputs: readonly (string | undefined)[];
	readonly #page: string | undefined;
	readonly #columns: readonly Column[];
	/** Where all inputs are; the table's names are relative to it. */
	readonly #folder: string;
	readonly #interrupt: Interrupt;
	/** Of the run that this is part of. */
	#recorder: Recorder | undefined;
	readonly #reports: Report[] = [];
	readonly #failures: Failures;
	/** Answers that could not be written. */
	#unwritten = 0;
	/** Whether a checkpoint that was asked for could not be written. */
	#isSpoilt = false;

	constructor(call: SolveInvocation, terminal: Terminal) {
		const { command, inputs, json, output, report, capsule } = call.solve;
		this.#call = call;
		this.#request = call.solve;
		this.#terminal = terminal;
		this.#failures = new Failures(terminal, json ? this.#reports : undefined);
		this.#inputs = expand(inputs);
		this.#outputs = targets(command, this.#inputs, output);
		this.#page = report && checkFile(command, "--report", report, this.#inputs);
		if (report !== undefined && this.#outputs.some((path) => path !== undefined && samePlace(command, path, report))) {
			throw new InputError(command, "--report", `${report} is the file of --output`, "name two files");
		}
		const names = this.#inputs.map(shown);
		this.#folder = commonFolder(names);
		this.#columns = tableColumns(names, this.#folder);
		if (capsule !== undefined) requireFolder(capsule);
		tryOutputs(command, this.#outputs, this.#page);
		this.#interrupt = new Interrupt(() => {
			const isKept =
				this.#recorder?.facts.checkpoint !== undefined && this.#interrupt.signal.reason !== STOP_WITHOUT_CHECKPOINT;
			terminal.err(
				`stickslip: stopping with ${isKept ? "a checkpoint" : "the best iterate"}; Ctrl-C again ends at once`,
			);
		});
	}

	/** A placement decides on ranks and transport. */
	get #options(): SolveOptions & RankOptions {
		const { how } = this.#call;
		const { partition } = how;
		const placement = launchedPlacement(this.#recorder, this.#call);
		const ranks = placement === undefined ? how : { placement, ...(partition !== undefined && { partition }) };
		return { ...this.#request.options, ...ranks };
	}

	async run(): Promise<ExitCode> {
		const recorder = await recorderFor(this.#call, this.#terminal);
		this.#recorder = recorder;
		for (const warning of [oversubscriptionWarning(this.#options), reserveLess()]) {
			if (warning !== undefined) this.#terminal.err(`stickslip: ${warning}`);
		}
		if (recorder === undefined) return await this.#all();
		return await runRecorded(recorder, this.#interrupt, this.#terminal, () => this.#all());
	}

	async #all(): Promise<ExitCode> {
		const codes: ExitCode[] = [];
		const many = this.#inputs.length > 1 && !this.#request.json;
		for (const [index, input] of this.#inputs.entries()) {
			if (this.#interrupt.signal.aborted || this.#isUseless(index)) break;
			const code = await this.#one(index, input, this.#outputs[index]);
			if (code !== undefined) codes.push(code);
			// The run is started again, and comes to the others then.
			if (code === 3 && this.#recorder?.hasRestarts) break;
		}
		const missing = this.#inputs.length - codes.length;
		if (many && this.#reports.length > 0) {
			const counts = { attempted: codes.length, missing, unwritten: this.#unwritten };
			for (const line of tableFoot(this.#reports, counts)) this.#terminal.out(line);
		}
		if (missing > 0) codes.push(this.#codeOfMissing());
		if (this.#page !== undefined && this.#reports.length > 0) {
			const origin = { date: new Date(), host: hostname(), words: this.#call.line };
			const html = page(this.#reports, this.#failures.all, origin);
			const write = (path: string) => writeWhole(path, html, { followsLinks: true });
			await writeSomewhere(this.#page, this.#recorder?.folder, write);
		}
		return worst(codes);
	}

	/** Whether the answer would be lost: standard output is closed, and there is no run, output or report. */
	#isUseless(index: number): boolean {
		const isKept = this.#recorder !== undefined || this.#outputs[index] !== undefined || this.#page !== undefined;
		return !isKept && (this.#terminal.closed || isUnread(process.stdout.fd));
	}

	/** Files that were not reached: a run with checkpoints keeps what was done, so they are not lost. */
	#codeOfMissing(): ExitCode {
		const { signal } = this.#interrupt;
		const isKept =
			this.#recorder?.facts.checkpoint !== undefined && signal.aborted && signal.reason !== STOP_WITHOUT_CHECKPOINT;
		return isKept && !this.#isSpoilt ? 75 : 1;
	}

	/** Undefined where it was not begun. */
	async #one(index: number, input: string, output: string | undefined): Promise<ExitCode | undefined> {
		const before = this.#recorder?.finished(index, shown(input));
		if (before !== undefined) {
			this.#print(before, output ?? "");
			this.#recorder?.removeCheckpoints(index);
			return before.status === "solved" ? 0 : 1;
		}
		let attempt: Solving | undefined;
		try {
			const recorder = this.#recorder;
			const capsules = capsuleTarget(this.#request.capsule, this.#call.line, recorder, this.#terminal);
			const source = solveInput(input, this.#options, output);
			const file = recorder !== undefined && input === "-" ? await keepInput(recorder.folder) : source.file;
			const loaded = await load(file, shown(input), memoryCheck(this.#terminal, this.#options), (contacts, packed) =>
				canRanksRead(contacts, this.#options, packed),
			);
			const solving = new Attempt(shown(input), loaded, source, capsules);
			attempt = solving;
			if (this.#interrupt.signal.aborted) return undefined;
			return await this.#interrupt.during(() => this.#solved(index, solving, output));
		} catch (error) {
			const code = this.#failures.take(input, shown(input), error, this.#recorder);
			// A run that will be started again has not failed yet.
			if (code === 3 && !this.#recorder?.hasRestarts) await attempt?.failed(error);
			return code;
		}
	}

	async #solved(index: number, attempt: Solving, output: string | undefined): Promise<ExitCode> {
		const { options } = attempt;
		const { problem } = attempt.loaded;
		requireStart(problem, options);
		const checkpointer = await this.#recorder?.checkpointer(index, problem, options);
		try {
			const solution = await this.#solution(index, attempt, checkpointer);
			this.#terminal.passing("");
			if (checkpointer?.suspended) {
				this.#terminal.err(
					`stickslip: stopped at iteration ${count(solution.report.iterations)} of ${oneLine(problem.name)}, with a checkpoint`,
				);
				return 75;
			}
			if (checkpointer?.isSuspending && solution.report.status === "cancelled") this.#uncheckpointed(checkpointer);
			await this.#finish(index, attempt, solution, output);
			if (this.#recorder?.isFinished(index)) await checkpointer?.remove();
			return solution.report.status === "solved" ? 0 : 1;
		} finally {
			attempt.checkpoint = checkpointer?.last?.folder;
			await checkpointer?.close();
		}
	}

	async #solution(input: number, attempt: Solving, checkpointer: Checkpointer | undefined): Promise<Solution> {
		const recorder = this.#recorder;
		const { options, loaded } = attempt;
		const { measure = "energy", tolerance = DEFAULT_TOLERANCES[measure] } = options;
		const { name, contacts } = loaded.problem;
		const draw = progressLine(this.#terminal, name, measure, tolerance);
		const about = { problem: name, measure, tolerance, input, inputs: this.#inputs.length, contacts };
		const record = recorder?.progressHandler(about);
		const solution = await solveRanks(loaded.problem, {
			...options,
			history: this.#request.history || this.#page !== undefined,
			signal: this.#interrupt.signal,
			onProgress: (now) => {
				draw(now);
				record?.(now);
				attempt.follow(now);
			},
			...(recorder && { log: recorder.log }),
			...(checkpointer && { checkpointer }),
		});
		recorder?.reached(solution.report);
		return solution;
	}

	#uncheckpointed({ lost }: Checkpointer): void {
		this.#isSpoilt = true;
		this.#terminal.err(`stickslip: no checkpoint could be written${lost === undefined ? "" : ` (${oneLine(lost)})`}`);
	}

	async #finish(input: number, attempt: Solving, solution: Solution, output: string | undefined): Promise<void> {
		// On a full disk the report is not lost as well; but it names no missing file.
		let written: string | undefined;
		let elsewhere = "not written, see the message";
		let isAgain = false;
		try {
			if (output !== undefined) {
				const { loaded } = attempt;
				await writeSomewhere(output, this.#recorder?.folder, (path) => save(path, loaded, solution));
				written = output;
			}
		} catch (error) {
			if (error instanceof ElsewhereError) elsewhere = `${error.written}, not ${output}`;
			throw error;
		} finally {
			if (output !== written) this.#unwritten += 1;
			else if (solution.report.status !== "cancelled") isAgain = !(await this.#record(input, solution.report));
			// A run that will be started again prints its answer then, not twice.
			if (!isAgain) this.#print(solution.report, output === undefined ? "" : (written ?? elsewhere));
			await attempt.ended(solution);
		}
	}

	/** Saves the report in the run's folder, which finishes the problem. False if the run will be started again to do so. */
	async #record(input: number, report: Report): Promise<boolean> {
		const trouble = await this.#recorder?.add(input, report);
		if (trouble === undefined) return true;
		this.#terminal.err(`stickslip: ${oneLine(trouble)}`);
		return this.#recorder?.hasRestarts !== true;
	}

	#print(report: Report, written: string): void {
		this.#reports.push(report);
		if (this.#request.json) {
			const { history, ...rest } = report;
			this.#terminal.out(JSON.stringify(this.#request.history ? { ...rest, history } : rest));
		} else if (this.#inputs.length > 1) {
			if (this.#reports.length === 1)
				for (const line of tableHead(this.#columns, this.#folder)) this.#terminal.out(line);
			this.#terminal.out(tableRow(this.#columns, report, this.#folder));
		} else for (const line of summary(report, written)) this.#terminal.out(line);
	}
}
