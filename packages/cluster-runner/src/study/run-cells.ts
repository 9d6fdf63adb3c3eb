/** Measures the cells of a study in rounds, so that what changes slowly disturbs all of them alike, and keeps each sample as soon as it is there. */
import { InputError } from "@stickslip/core";
import { RankError } from "@stickslip/core/parallel";
import { messageOf } from "../base/errors.js";
import { MachineWatch } from "./machine.js";
import { type Axes, FAILED, type Measured, type Sample } from "./sample.js";
import type { SampleFile } from "./sample-file.js";

export interface PlannedCell {
	readonly axes: Axes;
	/**
	 * What is measured; undefined if it was stopped on request. An InputError or RankError is kept as the reason of a failed cell, and the others go on.
	 */
	measure(round: number): Promise<Measured | undefined>;
}

export interface CellPlan {
	/** Cells that are compared with each other: all rounds of a group come before the next group. */
	readonly groups: readonly (readonly PlannedCell[])[];
	readonly rounds: number;
}

export interface StudyProgress {
	readonly done: number;
	readonly all: number;
	/** The cell that is begun. */
	readonly current?: Axes;
	/** What has just been measured. */
	readonly last?: Sample;
}

/** One of so many parts, from 0. */
export interface StudyPart {
	readonly index: number;
	readonly of: number;
}

export interface RunCellsOptions {
	readonly file: SampleFile;
	readonly signal?: AbortSignal;
	/** Cells at once. Default 1. */
	readonly atOnce?: number;
	/** What of the study is measured here; the rest is measured elsewhere. */
	readonly part?: StudyPart | undefined;
	readonly onProgress?: (progress: StudyProgress) => void;
}

/** Returns when all is measured, or soon after the signal. */
export async function runCells(plan: CellPlan, options: RunCellsOptions): Promise<void> {
	const { file, signal, atOnce = 1, part, onProgress } = options;
	const wanted = samplesOf(plan).filter(({ place }) => part === undefined || place % part.of === part.index);
	const left = wanted.filter(({ cell, round }) => file.find(cell.axes, round) === undefined);
	let done = wanted.length - left.length;
	const busy = new Set<Promise<void>>();
	const measure = async ({ cell, round }: PlannedSample) => {
		onProgress?.({ done, all: wanted.length, current: cell.axes });
		const sample = await sampleOf(cell, round);
		if (sample === undefined) return;
		file.add(sample);
		done += 1;
		onProgress?.({ done, all: wanted.length, last: sample });
	};
	for (const sample of left) {
		if (signal?.aborted) break;
		const promise: Promise<void> = measure(sample).finally(() => busy.delete(promise));
		busy.add(promise);
		if (busy.size >= atOnce) await Promise.race(busy);
	}
	await Promise.all(busy);
}

/** Those of a plan that are there, in its order. */
export function plannedSamples(plan: CellPlan, file: SampleFile): Sample[] {
	return samplesOf(plan).flatMap(({ cell, round }) => file.find(cell.axes, round) ?? []);
}

/** Failed samples in the place of cells of which there is none; `why` is asked with the number of their group. */
export function missingSamples(plan: CellPlan, file: SampleFile, why: (place: number) => string): Sample[] {
	const rounds = Array.from({ length: plan.rounds }, (_, round) => round);
	return plan.groups.flatMap((cells, place) =>
		cells
			.filter(({ axes }) => rounds.every((round) => file.find(axes, round) === undefined))
			.map(({ axes }) => failedSample(axes, 0, why(place), new MachineWatch())),
	);
}

export function isComplete(plan: CellPlan, file: SampleFile): boolean {
	return samplesOf(plan).every(({ cell, round }) => file.find(cell.axes, round) !== undefined);
}

interface PlannedSample {
	readonly cell: PlannedCell;
	readonly round: number;
	/** The number of its group: groups are dealt to the parts of a study, since their cells are compared on one machine. */
	readonly place: number;
}

function samplesOf({ groups, rounds }: CellPlan): PlannedSample[] {
	return groups.flatMap((cells, place) =>
		Array.from({ length: rounds }, (_, round) => cells.map((cell) => ({ cell, round, place }))).flat(),
	);
}

async function sampleOf(cell: PlannedCell, round: number): Promise<Sample | undefined> {
	const watch = new MachineWatch();
	try {
		const measured = await cell.measure(round);
		return measured && { axes: cell.axes, round, ...measured, made: watch.end() };
	} catch (error) {
		if (!(error instanceof InputError) && !(error instanceof RankError)) throw error;
		return failedSample(cell.axes, round, messageOf(error), watch);
	}
}

function failedSample(axes: Axes, round: number, reason: string, watch: MachineWatch): Sample {
	return { axes, round, status: FAILED, reason, hash: "", values: {}, made: watch.end() };
}
