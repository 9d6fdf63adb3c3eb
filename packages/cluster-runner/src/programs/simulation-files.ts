/** What a rank writes of a simulation while it works: its part of the run file, and rank 0 the XDMF file and the statistics of each step. */
import { existsSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { InputError, version } from "@stickslip/core";
import { type Checked, flag, integer, list, oneOf, optional, record, text } from "@stickslip/core/schema";
import {
	type AppendModule,
	haveMoments,
	RunWriter,
	type SceneDescription,
	type Simulation,
	STATISTICS_COLUMNS,
	type StepStatistics,
	statisticsRow,
} from "@stickslip/mechanics";
import { CsvFile } from "../files/csv-file.js";
import { FileError, writing } from "../files/file-error.js";
import { partPath, xdmfPath } from "../files/run-names.js";
import { removeStale, temporaryName, track, untrack } from "../files/unfinished.js";
import { XdmfFile } from "../files/xdmf-file.js";

const path = text(10_000);

export const isFilesTask = record({
	/** The run file, with every so many-th step. */
	output: optional(path),
	every: integer(1),
	/** The last step that it contains; -1 for a new file. */
	stored: integer(-1),
	/** Statistics as CSV. */
	csv: optional(path),
	/** Statistics as CSV, omitted if the host of rank 0 does not have the folder. */
	statistics: optional(path),
	/**
	 * Files that the process of the run has made beside its outputs. A host that does not see them has other folders of the same names; one that is gone
	 * says that another process has taken over the output.
	 */
	claims: optional(list(record({ option: path, path, file: path, byAll: flag }), 10)),
	/** The folder for problems of failed solves, on one rank. */
	failures: optional(path),
	/** Contact problems: all of them, or those that failed or took more than so many iterations. */
	dump: optional(record({ which: oneOf(["every", "hard"] as const), folder: path, iterations: integer(0) })),
});
export type FilesTask = Checked<typeof isFilesTask>;

/** Other programs can open the file between steps that are at least so far apart. */
const RELEASE_MS = 200;

export class SimulationFiles {
	readonly #task: FilesTask;
	readonly #simulation: Simulation;
	readonly #writer: RunWriter | undefined;
	readonly #xdmf: XdmfFile | undefined;
	readonly #csv: CsvFile | undefined;
	readonly #csvPath: string;
	/** The last step that is in the run file. */
	#stored: number;
	#writtenAt = -Infinity;
	#hasMoments = false;

	/** `goesOn`: continues from a saved state. */
	constructor(
		task: FilesTask,
		scene: SceneDescription,
		simulation: Simulation,
		module: AppendModule | undefined,
		goesOn: boolean,
	) {
		const { output, csv = visible(task.statistics), stored } = task;
		const { communicator } = simulation.domain;
		const { rank, size } = communicator;
		this.#task = task;
		this.#simulation = simulation;
		this.#stored = stored;
		this.#csvPath = csv ?? "";
		for (const { option, file } of this.#lostClaims()) {
			const problem = `${dirname(file)} is another folder on ${hostname()}, where rank ${rank} would write`;
			throw new InputError("simulate", option, problem, "use a folder on a file system that all hosts share");
		}
		// No rank changes a file before all ranks have seen their claims.
		if (output !== undefined && size > 1) communicator.reduce(new Float64Array(1), () => {});
		if (csv !== undefined && rank === 0) this.#csv = writing(csv, () => new CsvFile(csv, STATISTICS_COLUMNS, goesOn));
		if (output === undefined || module === undefined) return;
		const { model, setup } = simulation;
		const hasRates = simulation.domain.hasRates;
		this.#hasMoments = haveMoments(model.laws);
		const options = {
			rank,
			ranks: size,
			version,
			scene: JSON.stringify(scene),
			hasRates,
			hasMoments: this.#hasMoments,
			statistics: STATISTICS_COLUMNS,
		};
		const own = partPath(output, rank);
		const isThere = stored >= 0 && existsSync(own);
		this.#writer = writing(own, () => {
			removeStale(own);
			const temporary = temporaryName(own);
			track(temporary);
			try {
				return RunWriter.open(module, own, isThere, { ...options, temporary }, model, setup.bodies);
			} finally {
				rmSync(temporary, { force: true });
				untrack(temporary);
			}
		});
		if (rank === 0) this.#xdmf = writing(xdmfPath(output), () => new XdmfFile(output, stored >= 0));
	}

	#lostClaims(): NonNullable<FilesTask["claims"]> {
		const { rank } = this.#simulation.domain.communicator;
		return (this.#task.claims ?? []).filter(({ byAll, file }) => (byAll || rank === 0) && !existsSync(file));
	}

	#requireClaims(): void {
		for (const { path } of this.#lostClaims())
			throw new FileError(`${path} was taken over by another process; write to another file`);
	}

	/** Collective. Stores the initial state. */
	begin(): void {
		if (this.#simulation.steps === 0) this.#store();
	}

	/** Collective. After each step. */
	stepped(statistics: StepStatistics): void {
		const { step } = statistics;
		const row = statisticsRow(statistics);
		writing(this.#csvPath, () => this.#csv?.add(row));
		if (step > this.#stored) this.#writer?.addStatistics(row);
		if (step % this.#task.every === 0) this.#store();
	}

	/** Writes what is buffered: a checkpoint follows. */
	flush(): void {
		this.#requireClaims();
		writing(this.#csvPath, () => this.#csv?.flush());
	}

	/** Collective. `isOver`: the last step is stored as well. */
	end(isOver: boolean): void {
		if (isOver) this.#store();
		this.#requireClaims();
		writing(this.#csvPath, () => this.#csv?.close());
		writing(this.#ownPath, () => this.#writer?.end(isOver ? this.#simulation.extremes : undefined));
		this.#xdmf?.close();
	}

	/** The part of this rank. */
	get #ownPath(): string {
		return partPath(this.#task.output ?? "", this.#simulation.domain.communicator.rank);
	}

	#store(): void {
		const writer = this.#writer;
		const { steps, time, setup, bodies, contacts, reaction, domain } = this.#simulation;
		if (writer === undefined || steps <= this.#stored) return;
		this.#requireClaims();
		this.#stored = steps;
		const owners = domain.owners.rank;
		const now = performance.now();
		const own = writing(this.#ownPath, () => {
			const step = { step: steps, time, duration: setup.step, bodies, contacts, impulses: reaction, owners };
			const rows = writer.add(step);
			if (now - this.#writtenAt > RELEASE_MS) writer.release();
			return rows;
		});
		this.#writtenAt = now;
		const { communicator } = domain;
		const told = communicator.gather(new TextEncoder().encode(JSON.stringify(own)), 0);
		const parts = told?.map((bytes, rank) => ({
			rank,
			hasMoments: this.#hasMoments,
			...(JSON.parse(new TextDecoder().decode(bytes)) as typeof own),
		}));
		if (parts !== undefined) writing(xdmfPath(this.#task.output ?? ""), () => this.#xdmf?.add(time, parts));
	}
}

/** A path whose folder exists here. */
function visible(path: string | undefined): string | undefined {
	return path !== undefined && existsSync(dirname(path)) ? path : undefined;
}
