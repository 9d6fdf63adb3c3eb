/** What a rank writes of a simulation while it works: its part of the run file, and rank 0 the XDMF file and the statistics of each step. */
import { existsSync } from "node:fs";
import { version } from "@stickslip/core";
import { type Checked, integer, oneOf, optional, record, text } from "@stickslip/core/schema";
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
import { partPath } from "../files/run-files.js";
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
		const { output, csv, stored } = task;
		const { rank, size } = simulation.domain.communicator;
		this.#task = task;
		this.#simulation = simulation;
		this.#stored = stored;
		if (csv !== undefined && rank === 0) this.#csv = new CsvFile(csv, STATISTICS_COLUMNS, goesOn);
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
		const isThere = stored >= 0 && existsSync(partPath(output, rank));
		this.#writer = RunWriter.open(module, partPath(output, rank), isThere, options, model, setup.bodies);
		if (rank === 0) this.#xdmf = new XdmfFile(output, stored >= 0);
	}

	/** Collective. Stores the initial state. */
	begin(): void {
		if (this.#simulation.steps === 0) this.#store();
	}

	/** Collective. After each step. */
	stepped(statistics: StepStatistics): void {
		const { step } = statistics;
		const row = statisticsRow(statistics);
		this.#csv?.add(row);
		if (step > this.#stored) this.#writer?.addStatistics(row);
		if (step % this.#task.every === 0) this.#store();
	}

	/** Writes what is buffered: a checkpoint follows. */
	flush(): void {
		this.#csv?.flush();
	}

	/** Collective. `isOver`: the last step is stored as well. */
	end(isOver: boolean): void {
		if (isOver) this.#store();
		this.#csv?.close();
		this.#writer?.end(isOver ? this.#simulation.extremes : undefined);
		this.#xdmf?.close();
	}

	#store(): void {
		const writer = this.#writer;
		const { steps, time, setup, bodies, contacts, reaction, domain } = this.#simulation;
		if (writer === undefined || steps <= this.#stored) return;
		this.#stored = steps;
		const owners = domain.owners.rank;
		const own = writer.add({ step: steps, time, duration: setup.step, bodies, contacts, impulses: reaction, owners });
		const now = performance.now();
		if (now - this.#writtenAt > RELEASE_MS) writer.release();
		this.#writtenAt = now;
		const { communicator } = domain;
		const told = communicator.gather(new TextEncoder().encode(JSON.stringify(own)), 0);
		const parts = told?.map((bytes, rank) => ({
			rank,
			hasMoments: this.#hasMoments,
			...(JSON.parse(new TextDecoder().decode(bytes)) as typeof own),
		}));
		if (parts !== undefined) this.#xdmf?.add(time, parts);
	}
}
