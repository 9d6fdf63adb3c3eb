/** `stickslip solve`: one file or many, one after another; every file is attempted, and the exit code is the worst. */
import { writeFileSync } from "node:fs";
import {
	InputError,
	MemoryLimitError,
	type Problem,
	type Report,
	type Solution,
	type SolveOptions,
} from "@stickslip/core";
import { RankError } from "@stickslip/core/parallel";
import { type Command, type ExitCode, type Terminal, worst } from "../command.js";
import { writeAtomically } from "../files.js";
import { Interrupt } from "../interrupt.js";
import { expand } from "../line/expand.js";
import type { Given } from "../line/given.js";
import { type Loaded, load } from "../load.js";
import { oneLine } from "../output/format.js";
import { type Failure, page } from "../output/page.js";
import { progressLine } from "../output/progress.js";
import { commonFolder, summary, tableColumns, tableFoot, tableHead, tableRow } from "../output/summary.js";
import type { Column } from "../output/table.js";
import { checkFile, makeFolder, samePlace, targets } from "../output/targets.js";
import type { RankOptions } from "../ranks/choose.js";
import { solveRanks } from "../ranks/solve-ranks.js";
import { save } from "../save.js";
import { solveNotes, solveOptions, solveSpecs } from "./solve-options.js";

export const solve: Command = {
	name: "solve",
	usage: "FILE... [options]",
	what: "solves the problems of FCLIB files (HDF5): local or global form",
	options: solveSpecs,
	notes: solveNotes,
	run: (given, terminal) => new SolveRun(given, terminal).all(),
};

class SolveRun {
	readonly #terminal: Terminal;
	readonly #inputs: readonly string[];
	readonly #outputs: readonly (string | undefined)[];
	readonly #page: string | undefined;
	readonly #json: boolean;
	readonly #history: boolean;
	readonly #options: SolveOptions & RankOptions;
	readonly #columns: readonly Column[];
	/** Where all inputs are; the table's names are relative to it. */
	readonly #folder: string;
	readonly #interrupt: Interrupt;
	readonly #reports: Report[] = [];
	/** One line for each input without a report. */
	readonly #failures: Failure[] = [];
	/** Answers that could not be written. */
	#unwritten = 0;

	constructor(given: Given, terminal: Terminal) {
		this.#terminal = terminal;
		this.#options = solveOptions(given);
		this.#json = given.flag("json");
		this.#history = given.flag("history");
		if (given.operands.length === 0) given.refuse("FILE", "is missing", "name an FCLIB file, or - for standard input");
		this.#inputs = expand(given.operands);
		this.#outputs = targets(given.command, this.#inputs, given.text("output"));
		const html = given.text("report");
		this.#page = html && checkFile(given.command, "--report", html, this.#inputs);
		if (html !== undefined && this.#outputs.some((path) => path !== undefined && samePlace("solve", path, html))) {
			given.refuse("--report", `${html} is the file of --output`, "name two files");
		}
		const names = this.#inputs.map(shown);
		this.#folder = commonFolder(names);
		this.#columns = tableColumns(names, this.#folder);
		this.#interrupt = new Interrupt(() =>
			terminal.err("stickslip: stopping with the best so far; Ctrl-C again ends at once"),
		);
	}

	async all(): Promise<ExitCode> {
		const codes: ExitCode[] = [];
		const many = this.#inputs.length > 1 && !this.#json;
		for (const [index, input] of this.#inputs.entries()) {
			const useless = this.#terminal.closed && this.#outputs[index] === undefined && this.#page === undefined;
			if (this.#interrupt.signal.aborted || useless) break;
			codes.push(await this.#one(input, this.#outputs[index]));
		}
		const missing = this.#inputs.length - codes.length;
		if (many && this.#reports.length > 0) {
			const counts = { attempted: codes.length, missing, unwritten: this.#unwritten };
			for (const line of tableFoot(this.#reports, counts)) this.#terminal.out(line);
		}
		if (missing > 0) codes.push(1);
		if (this.#page !== undefined && this.#reports.length > 0) {
			const html = page(this.#reports, this.#failures);
			writeAtomically(this.#page, (temporary) => writeFileSync(temporary, html));
		}
		return worst(codes);
	}

	async #one(input: string, output: string | undefined): Promise<ExitCode> {
		try {
			const loaded = await load(input, shown(input));
			return await this.#interrupt.during(() => this.#solved(loaded, output));
		} catch (error) {
			this.#terminal.passing("");
			// A wrong option is wrong for every file: told once, and nothing more is tried.
			if (error instanceof InputError && error.source === "options") throw error;
			if (error instanceof InputError) return this.#failed(input, error.message);
			if (error instanceof MemoryLimitError) return this.#failed(input, `${shown(input)}: ${error.message}`);
			if (error instanceof RankError) return this.#lost(input, error);
			const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
			this.#terminal.err(`stickslip: ${oneLine(shown(input))}: the solver failed, please report it: ${told}`);
			this.#failures.push({ problem: shown(input), reason: "the solver failed" });
			return 3;
		}
	}

	#failed(input: string, message: string): 2 {
		this.#terminal.err(`stickslip: ${oneLine(message)}`);
		this.#failures.push({ problem: shown(input), reason: message });
		return 2;
	}

	#lost(input: string, { message }: RankError): 3 {
		const reason = `${message}; there is no answer, solve it again`;
		this.#terminal.err(oneLine(`stickslip: ${message}; there is no answer for ${shown(input)}, solve it again`));
		this.#failures.push({ problem: shown(input), reason });
		return 3;
	}

	async #solved(loaded: Loaded, output: string | undefined): Promise<ExitCode> {
		const { problem } = loaded;
		requireStart(problem, this.#options);
		const { measure = "energy", tolerance = 1e-6 } = this.#options;
		const solution = await solveRanks(problem, {
			...this.#options,
			history: this.#history || this.#page !== undefined,
			signal: this.#interrupt.signal,
			onProgress: progressLine(this.#terminal, problem.name, measure, tolerance),
		});
		this.#terminal.passing("");
		// Where the disk is full, the report is not lost as well; but it names no file that is not there.
		let written: string | undefined;
		try {
			if (output !== undefined) {
				makeFolder(output);
				await save(output, loaded, solution);
				written = output;
			}
		} finally {
			if (output !== written) this.#unwritten += 1;
			this.#print(solution, output === undefined ? "" : (written ?? "not written, see the message"));
		}
		return solution.report.status === "solved" ? 0 : 1;
	}

	#print({ report }: Solution, written: string): void {
		this.#reports.push(report);
		if (this.#json) {
			const { history, ...rest } = report;
			this.#terminal.out(JSON.stringify(this.#history ? { ...rest, history } : rest));
		} else if (this.#inputs.length > 1) {
			if (this.#reports.length === 1)
				for (const line of tableHead(this.#columns, this.#folder)) this.#terminal.out(line);
			this.#terminal.out(tableRow(this.#columns, report, this.#folder));
		} else for (const line of summary(report, written)) this.#terminal.out(line);
	}
}

/** What reports and messages call an input. */
function shown(input: string): string {
	return input === "-" ? "standard input" : input;
}

function requireStart({ name, guesses }: Problem, { start }: SolveOptions): void {
	if (start !== "guess" || (guesses !== undefined && guesses.length > 0)) return;
	throw new InputError(name, "/guesses", "there is no guess in the file", "solve it with --start zero");
}
