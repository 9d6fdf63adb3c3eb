/** `stickslip study`: all cells, then tables, plots and page; alone, or as the run of a launcher, whose ranks then solve. */
import { mkdirSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { InputError } from "@stickslip/core";
import { codeOrText } from "../base/errors.js";
import { Interrupt } from "../base/interrupt.js";
import type { ExitCode, Terminal } from "../cli/command.js";
import { expand } from "../cli/expand.js";
import { writeWhole } from "../files/write.js";
import type { StudyCommandLine } from "../requests/study-request.js";
import { launchedPlacement, type StarterOf } from "../runs/launched-placement.js";
import { Recorder } from "../runs/recorder.js";
import { recorded } from "../solve/solve-invocation.js";
import type { Cell } from "./cells.js";
import { type Profile, profileOf } from "./profile.js";
import { type StudyResult, studyLines, studyPage } from "./profile-page.js";
import { profilePlot } from "./profile-plot.js";
import { ProfileStudy, type StudyProgress } from "./run-profile.js";

export interface StudyInvocation extends StudyCommandLine {
	/** The folder of the run that this is part of. */
	readonly folder?: string;
	/** How processes are started where a launcher decides that. */
	readonly starterOf?: StarterOf;
}

/** Of a study that was asked to stop: the same line, or stickslip resume, goes on. */
const STOPPED = 75;
const COLUMNS = [
	"problem",
	"variant",
	"tolerance",
	"contacts",
	"status",
	"seconds",
	"iterations",
	"products",
	"error",
	"hash",
] as const;

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
		if (folder === undefined) return await this.#interrupt.during(() => this.#solve(undefined));
		const recorder = new Recorder(folder, false);
		return await recorded(recorder, this.#interrupt, this.#terminal, () => this.#solve(recorder));
	}

	async #solve(recorder: Recorder | undefined): Promise<ExitCode> {
		const { study } = this.#call;
		const terminal = this.#terminal;
		const request = { ...study, files: expand(study.files) };
		const tell = ({ done, all, last }: StudyProgress) => {
			const text = `${done} of ${all}  ${last?.variant ?? ""}  ${last?.problem ?? ""}`;
			terminal.passing(text.slice(0, terminal.columns - 1));
			recorder?.log.write("run", "info", "cell", {
				done,
				all,
				variant: last?.variant ?? "",
				problem: last?.problem ?? "",
			});
		};
		const profiles = new ProfileStudy(join(study.output, "cells.jsonl"), request, this.#interrupt.signal, tell);
		const placement = launchedPlacement(recorder, this.#call);
		try {
			await profiles.run(placement && { placement, log: recorder?.log });
		} finally {
			profiles.cells.close();
			terminal.passing("");
		}
		return this.#end(profiles.results, profiles.isComplete);
	}

	#end(cells: readonly Cell[], isComplete: boolean): ExitCode {
		const { study, line, folder } = this.#call;
		const { measure, score, output } = study;
		const variants = study.variants.map(({ name }) => name);
		const result: StudyResult = {
			profiles: study.tolerances.map((tolerance): Profile => profileOf(cells, variants, tolerance, score)),
			...{ cells, variants, score, measure },
		};
		save(output, result, line);
		studyLines(result).forEach(this.#terminal.out);
		if (!isComplete) {
			const remedy = folder === undefined ? "; the same line again goes on with what is left" : "";
			this.#terminal.err(`stickslip: stopped${remedy}`);
			return STOPPED;
		}
		const unread = [...new Set(cells.filter(({ contacts }) => contacts === 0).map(({ reason }) => reason))];
		for (const reason of unread) this.#terminal.err(`stickslip: ${reason}`);
		return unread.length > 0 ? 2 : 0;
	}
}

function makeFolder(folder: string): void {
	try {
		mkdirSync(folder, { recursive: true });
	} catch (error) {
		throw new InputError("study", "--output", `${folder} cannot be made (${codeOrText(error)})`, "name another folder");
	}
}

function save(folder: string, result: StudyResult, words: readonly string[]): void {
	const rows = result.cells.map((cell) => COLUMNS.map((column) => quoted(String(cell[column]))).join(","));
	const files: [string, string][] = [
		["profile.csv", `${[COLUMNS.join(","), ...rows].join("\n")}\n`],
		["profile.html", studyPage(result, { date: new Date(), host: hostname(), words })],
		...result.profiles.map((profile): [string, string] => [
			`profile-${profile.tolerance}.svg`,
			profilePlot(profile, result.score, result.measure),
		]),
	];
	for (const [name, text] of files) writeWhole(join(folder, name), text);
}

function quoted(text: string): string {
	return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
