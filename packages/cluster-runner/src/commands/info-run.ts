/** `stickslip info` of the run file of a simulation: what is stored, how far it goes, and which run wrote it. */
import { existsSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { InputError } from "@stickslip/core";
import { type RunReader, type StoredBodies, stepsOf } from "@stickslip/mechanics";
import { bytes, count, counted, oneLine, three } from "../base/format.js";
import { openRun } from "../files/run-files.js";
import { partPath, xdmfPath } from "../files/run-names.js";
import { pairs } from "../output/table.js";
import { listRuns } from "../records/find.js";
import { readRequest } from "../requests/stored.js";
import { runsFolder } from "../runs/folder.js";
import { isResumable } from "../runs/run-status.js";
import { type View, viewOf } from "../runs/view.js";

export interface RunFileFacts {
	readonly file: string;
	readonly kind: "run";
	readonly version: string;
	readonly scene: string;
	readonly step: number;
	/** Steps that the scene asks for. */
	readonly steps: number;
	readonly stored: { readonly count: number; readonly first?: number; readonly last?: number; readonly time?: number };
	/** Whether the last step is stored. */
	readonly complete: boolean;
	/** Of the last stored step. */
	readonly bodies: { readonly rigid: number; readonly "pseudo-rigid": number; readonly obstacles: number };
	readonly contacts: number;
	/** Parts of ranks that the stored steps need. */
	readonly missing: readonly string[];
	readonly shapes: Readonly<Record<string, number>>;
	/** Steps with statistics, how many of them were not solved, and their largest overlap and speed. */
	readonly statistics: {
		readonly steps: number;
		readonly failed: number;
		readonly largestOverlap: number;
		readonly largestSpeed: number;
	};
	readonly ranks: number;
	readonly bytes: number;
	readonly xdmf?: string;
	/** The run that wrote it, where one with checkpoints did. */
	readonly run?: { readonly id: string; readonly status: string; readonly checkpoint?: number };
}

export async function describeRun(path: string): Promise<RunFileFacts> {
	const view = viewOfWriter(path);
	const run = await openRun(path);
	const files = run.parts.map((part) => part.path);
	const first = files[0] ?? path;
	try {
		const { scene } = run;
		const { steps } = run;
		const last = steps.at(-1);
		const wanted = stepsOf(scene);
		return {
			...{ file: path, kind: "run", version: run.version, scene: scene.name, step: scene.step, steps: wanted },
			stored: {
				count: steps.length,
				...(last !== undefined && { first: steps[0]!, last, time: run.timeOf(last) }),
			},
			complete: last !== undefined && last >= wanted,
			bodies: kindsOf(last === undefined ? undefined : run.bodies(last)),
			contacts: last === undefined ? 0 : run.contacts(last).count,
			missing: run.missingParts.map((rank) => basename(partPath(first, rank))),
			shapes: shapesOf(run),
			statistics: statisticsOf(run),
			ranks: last === undefined ? files.length : run.partsOf(last)!.length,
			bytes: files.reduce((sum, file) => sum + statSync(file).size, 0),
			...(existsSync(xdmfPath(first)) && { xdmf: xdmfPath(first) }),
			...(view && {
				run: {
					...{ id: view.facts.id, status: view.runStatus.status },
					...(view.checkpoint && { checkpoint: view.checkpoint.iteration }),
				},
			}),
		};
	} finally {
		run.close();
	}
}

export function runAsText(facts: RunFileFacts): string[] {
	const { file, version, scene, step, stored, missing, statistics, shapes, ranks, xdmf } = facts;
	const { rigid, "pseudo-rigid": deforming, obstacles } = facts.bodies;
	const kinds = [
		[rigid, "rigid"],
		[deforming, "pseudo-rigid"],
		[obstacles, obstacles === 1 ? "obstacle" : "obstacles"],
	] as const;
	const failed = statistics.failed > 0 ? `, ${count(statistics.failed)} of them not solved` : "";
	return [
		oneLine(file),
		...pairs([
			["kind", oneLine(`run of a simulation, written by stickslip ${version}`)],
			["scene", oneLine(`${scene}, steps of ${three(step)} s`)],
			["stored", storedText(stored)],
			["missing", missingText(missing)],
			["end", endText(facts)],
			["statistics", `of ${counted(statistics.steps, "step")}${failed}`],
			["largest overlap", statistics.steps === 0 ? "" : `${three(statistics.largestOverlap)} m`],
			["largest speed", statistics.steps === 0 ? "" : `${three(statistics.largestSpeed)} m/s`],
			[
				"bodies",
				kinds
					.filter(([number]) => number > 0)
					.map(([number, name]) => `${count(number)} ${name}`)
					.join(", "),
			],
			[
				"shapes",
				Object.entries(shapes)
					.map(([kind, number]) => `${count(number)} ${kind}`)
					.join(", "),
			],
			["contacts", `${count(facts.contacts)} in the last stored step`],
			["size", `${bytes(facts.bytes)}${ranks > 1 ? `, written by ${count(ranks)} ranks` : ""}`],
			["for ParaView", xdmf === undefined ? "" : oneLine(xdmf)],
			["run", runText(facts)],
		]),
	];
}

function storedText({ count: stored, first = 0, last = 0, time = 0 }: RunFileFacts["stored"]): string {
	if (stored === 0) return "no steps";
	return `${counted(stored, "step")}, from step ${count(first)} to step ${count(last)} (${three(time)} s)`;
}

function missingText(missing: readonly string[]): string {
	const [first, ...others] = missing;
	if (first === undefined) return "";
	const more = others.length > 0 ? ` (and ${counted(others.length, "other part")})` : "";
	return `part ${first} is missing${more}: put it beside this file to see all steps`;
}

function endText({ complete, steps, stored, step }: RunFileFacts): string {
	if (complete) return `complete: the last step, ${count(steps)}, is stored`;
	const left = `${count(steps - (stored.last ?? 0))} steps before step ${count(steps)} (${three(steps * step)} s)`;
	return `${left}: the simulation is at work, or was stopped or killed`;
}

function runText({ run }: RunFileFacts): string {
	if (run === undefined) return "";
	const { id, status, checkpoint } = run;
	const saved = checkpoint === undefined ? "" : `, with a checkpoint of step ${count(checkpoint)}`;
	const resume = isResumable(status as View["runStatus"]["status"]) ? `; stickslip resume ${id} continues it` : "";
	return `${id}: ${status}${saved}${resume}`;
}

function kindsOf(bodies: StoredBodies | undefined): RunFileFacts["bodies"] {
	const number = (wanted: number) => bodies?.kind.reduce((sum, kind) => sum + (kind === wanted ? 1 : 0), 0) ?? 0;
	return { obstacles: number(0), rigid: number(1), "pseudo-rigid": number(2) };
}

function shapesOf(run: RunReader): Record<string, number> {
	const shapes: Record<string, number> = {};
	for (const { kind } of run.shapes) shapes[kind] = (shapes[kind] ?? 0) + 1;
	return shapes;
}

function statisticsOf(run: RunReader): RunFileFacts["statistics"] {
	const { columns, values } = run.statistics();
	if (!columns.includes("solved")) run.parts[0]!.fail("/statistics/columns", 'has no column "solved"');
	const steps = values.length / columns.length;
	const column = (name: string) => {
		const at = columns.indexOf(name);
		return Array.from({ length: at < 0 ? 0 : steps }, (_, step) => values[columns.length * step + at]!);
	};
	const largest = (name: string) => column(name).reduce((most, value) => Math.max(most, value), 0);
	return {
		steps,
		failed: column("solved").filter((solved) => solved === 0).length,
		largestOverlap: largest("largestPenetration"),
		largestSpeed: largest("largestSpeed"),
	};
}

/** The newest run whose line names the file. Other runs that cannot be read are skipped. */
function viewOfWriter(path: string): View | undefined {
	const runs = runsFolder();
	try {
		for (const id of listRuns(runs).reverse()) {
			const view = viewOfOutput(join(runs, id), resolve(path));
			if (view !== undefined) return view;
		}
	} catch (error) {
		if (!(error instanceof InputError)) throw error;
	}
	return undefined;
}

function viewOfOutput(folder: string, path: string): View | undefined {
	try {
		const { simulate } = readRequest(folder);
		if (simulate?.output === undefined) return undefined;
		const view = viewOf(folder);
		return resolve(view.facts.folder, simulate.output) === path ? view : undefined;
	} catch (error) {
		if (!(error instanceof InputError)) throw error;
		return undefined;
	}
}
