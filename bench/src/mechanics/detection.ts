/** What a step does besides its solve, in microseconds per contact: detection, problem and set-up, and everything else, beside the solve to energy 1e-4. */
import { toTheEnd } from "@stickslip/core/parallel";
import { PairSearch, Simulation, type StepStatistics } from "@stickslip/mechanics";
import type { Bench } from "../bench.js";
import { recordCsv } from "../record.js";
import { BEDS, type Bed, bedOf } from "./beds.js";
import { drumAfter, filledDrumState, type Start } from "./drum-states.js";

const SIZES = [250, 3000, 60_000];
/** Steps until solves are warm, and those that are measured. */
const FIRST_STEPS = 6;
const STEPS = 10;
/** Drums of ellipsoids to energy 1e-4: of 100, some steps of every part of the whole run, and some of the last part, where it turns steadily; larger ones some time after they were filled. */
const WHOLE_RUN = Array.from({ length: 9 }, (_, part) => 1000 * (part + 1));
const TURNING = [6000, 8000, 10_000];
const DRUMS: readonly { readonly bed: string; readonly starts: () => Start[]; readonly measured: number }[] = [
	{ bed: "drum", starts: () => drumAfter(100, "rigid", WHOLE_RUN), measured: 30 },
	{ bed: "drum, turning", starts: () => drumAfter(100, "rigid", TURNING), measured: 50 },
	{ bed: "drum, pseudo-rigid", starts: () => drumAfter(100, "pseudo-rigid", WHOLE_RUN), measured: 30 },
	{ bed: "drum", starts: () => drumAfter(1000, "rigid", [700, 2000, 3500]), measured: 20 },
	{ bed: "drum", starts: () => [filledDrumState(20_000)], measured: 5 },
];
/** Runs go on for so long, three at least: they do the same to the bit, so that of each step the least time counts. */
const SECONDS = 6;
const RUNS_MIN = 3;

export interface DetectionRow {
	readonly bed: string;
	readonly bodies: number;
	readonly contacts: number;
	readonly runs: number;
	/** Microseconds per contact, means over the steps: the search for pairs that is part of detection, and what a new one takes; detection, problem and set-up, everything else, and these three together. */
	readonly kept: number;
	readonly anew: number;
	readonly detect: number;
	readonly setup: number;
	readonly rest: number;
	readonly beside: number;
	readonly solve: number;
	readonly iterations: number;
	/** What is beside the solve takes as long as so many iterations, and as so many solves. */
	readonly worth: number;
	readonly ratio: number;
}

interface Case {
	readonly bed: string;
	/** Runs begin at each of these in turn. */
	readonly starts: readonly (Pick<Start, "setup"> & Partial<Start>)[];
	/** Steps of each that are not measured, and those that are. */
	readonly first: number;
	readonly measured: number;
}

export function bedCase(bed: Bed, contacts: number): Case {
	return { bed, starts: [{ setup: bedOf(bed, contacts) }], first: FIRST_STEPS, measured: STEPS };
}

export function drumCase(bed: string, starts: readonly Start[], measured: number): Case {
	return { bed, starts, first: 0, measured };
}

/** A step with the seconds of its pair search: by one that is kept from step to step, and by a new one. */
interface MeasuredStep extends StepStatistics {
	readonly kept: number;
	readonly anew: number;
}

function searchTime({ model, bodies }: Simulation, search: PairSearch): number {
	const start = performance.now();
	search.search(model, bodies, 0);
	return (performance.now() - start) / 1000;
}

/** What is measured of one run. */
function run({ starts, first, measured }: Case): MeasuredStep[] {
	return starts.flatMap(({ setup, state }) => {
		const simulation = new Simulation(setup, { onFailure: "continue" });
		if (state) simulation.resume(state);
		const search = new PairSearch();
		const next = () => {
			const step = toTheEnd(simulation.step());
			return { ...step, kept: searchTime(simulation, search), anew: searchTime(simulation, new PairSearch()) };
		};
		for (let step = 0; step < first; step += 1) next();
		return Array.from({ length: measured }, next);
	});
}

export function detectionRow(given: Case, seconds = SECONDS): DetectionRow {
	const runs: MeasuredStep[][] = [];
	const until = performance.now() + 1000 * seconds;
	while (runs.length < RUNS_MIN || performance.now() < until) runs.push(run(given));
	const steps = runs[0]!;
	const contacts = steps.reduce((sum, step) => sum + step.contacts, 0);
	const each = (pick: (step: MeasuredStep) => number) => {
		const least = steps.map((_, i) => Math.min(...runs.map((run) => pick(run[i]!))));
		return (1e6 * least.reduce((sum, time) => sum + time, 0)) / contacts;
	};
	const detect = each(({ seconds }) => seconds.detect);
	const setup = each(({ seconds }) => seconds.setup);
	const rest = each(({ seconds }) => seconds.rest);
	const beside = detect + setup + rest;
	const solve = each(({ seconds }) => seconds.solve);
	const iterations = steps.reduce((sum, step) => sum + step.iterations, 0) / steps.length;
	return {
		bed: given.bed,
		bodies: steps[0]!.bodies,
		contacts: Math.round(contacts / steps.length),
		runs: runs.length,
		kept: each(({ kept }) => kept),
		anew: each(({ anew }) => anew),
		detect,
		setup,
		rest,
		beside,
		solve,
		iterations,
		worth: (beside / solve) * iterations,
		ratio: beside / solve,
	};
}

const COLUMNS = [
	"contacts",
	"kept",
	"anew",
	"detect",
	"setup",
	"rest",
	"beside",
	"solve",
	"iterations",
	"worth",
	"ratio",
] as const;

const rounded = (value: number): number => Number(value.toPrecision(3));

function print(row: DetectionRow): void {
	const cells = COLUMNS.map((column) =>
		String(column === "contacts" ? row.contacts : rounded(row[column])).padStart(11),
	);
	console.log(`${row.bed.padEnd(18)}${cells.join("")}`);
}

export const detection: Bench = {
	name: "detection",
	what: "steps of beds by phase: detection, set-up and the rest beside the solve, per contact",
	run(args) {
		const isDrums = args[0] === "drum";
		const sizes = args.length > 0 && !isDrums ? args.map(Number) : SIZES;
		if (!sizes.every((size) => Number.isInteger(size) && size > 0)) {
			console.log("npm run bench -- detection [drum | CONTACTS...]");
			return 2;
		}
		console.log(
			"microseconds per contact; `kept` is of the search for pairs, a part of detect; beside the solve (of the drum to energy 1e-4) are detect, setup and rest",
		);
		console.log(`${"bed".padEnd(18)}${COLUMNS.map((column) => column.padStart(11)).join("")}`);
		const rows: DetectionRow[] = [];
		const beds = isDrums ? [] : BEDS.flatMap((bed) => sizes.map((size) => () => bedCase(bed, size)));
		const drums = DRUMS.map(
			({ bed, starts, measured }) =>
				() =>
					drumCase(bed, starts(), measured),
		);
		for (const make of isDrums || args.length === 0 ? [...drums, ...beds] : beds) {
			const row = detectionRow(make());
			rows.push(row);
			print(row);
		}
		const told = rows.map(({ bed, ...numbers }) => ({
			bed,
			...Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, rounded(value)])),
		}));
		if (args.length === 0) console.log(`recorded in ${recordCsv("detection", told)}`);
		const slow = rows.filter(({ bed, ratio }) => bed.startsWith("drum") && ratio > 1);
		for (const { bed, contacts } of slow)
			console.log(`MISSED: ${bed}, ${contacts} contacts: more beside the solve than in it`);
		return slow.length === 0 ? 0 : 1;
	},
};
