/** Piles of 1 to 256 spheres: how the CPU time of a step grows with them, at rest and while they flow out of their box. */
import { makeScene } from "@stickslip/mechanics";
import { openScene, runSteps } from "../simulate.js";
import { addFit, cpuSeconds, type MeasuredRun, measureRun, type Table } from "./part.js";
import { fitPowerLaw } from "./power-law.js";

export interface PileSize {
	readonly counts: readonly number[];
	/** Each run is made so often, by turns, and the least time counts. */
	readonly turns: number;
}

const PILE_SIZE: PileSize = { counts: [1, 2, 4, 8, 16, 32, 64, 128, 256], turns: 3 };

const STATES = ["settled", "flowing"] as const;
type State = (typeof STATES)[number];

/** When the gate opens, s: spheres have come to rest by then. */
const OPEN = 0.5;
const STEP = 2e-3;
const FIRST_STEPS = Math.round(OPEN / STEP);
const STEPS = 250;
/** As that of impacts. Steps of eight spheres that the gate wedges as it rises are not solved to this either. */
const SOLVER = { tolerance: 1e-2 };
const EXPONENT_MAX = 1.3;
/** From here on what a step costs without bodies is small beside the rest. */
const LARGE = 16;

/** Microseconds of CPU time in a step. */
function runPile(state: State, bodies: number): MeasuredRun {
	const scene = makeScene("spheres", { bodies, state, open: OPEN, step: STEP });
	const simulation = openScene({ ...scene, solver: SOLVER });
	runSteps(simulation, FIRST_STEPS);
	let contacts = 0;
	const before = cpuSeconds();
	runSteps(simulation, STEPS, (told) => {
		contacts = told.contacts;
	});
	const measured = (1e6 * (cpuSeconds() - before)) / STEPS;
	return { measured, steps: STEPS, contacts, failed: simulation.failedSteps };
}

export function pile(table: Table, { counts, turns }: PileSize = PILE_SIZE): void {
	for (const state of STATES) {
		// The first turn is for the engine, which compiles what it uses often.
		const all = Array.from({ length: turns + 1 }, (_, turn) => {
			table.say(`${state}: turn ${turn} of ${turns}`);
			return counts.map((bodies) => runPile(state, bodies));
		}).slice(1);
		const samples = counts.map((bodies, k) => {
			const best = all.map((turn) => turn[k]!).reduce((one, other) => (other.measured < one.measured ? other : one));
			const time = measureRun(table, "pile", `${state}; ${bodies} spheres`, "CPU time of a step in us", () => best);
			return { x: [bodies], y: time };
		});
		addExponent(table, `${state}: exponent of CPU time in spheres`, samples);
		const large = samples.filter(({ x }) => x[0]! >= LARGE);
		if (large.length > 2) addExponent(table, `${state}: exponent from ${LARGE} spheres on`, large);
	}
}

function addExponent(table: Table, quantity: string, samples: readonly { x: readonly number[]; y: number }[]): void {
	const exponent = fitPowerLaw(samples).exponents[0]!;
	addFit(table, "pile", quantity, exponent.toFixed(2), `at most ${EXPONENT_MAX}`, exponent <= EXPONENT_MAX);
}
