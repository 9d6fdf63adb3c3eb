/** Flow out of a silo with a flat bottom through round openings: grains per second go with the power 5/2 of the opening less some grains (Beverloo 1961). */
import { buildScene, describeScene, type Simulation } from "@stickslip/mechanics";
import { openScene, runSteps } from "../simulate.js";
import { addFit, type MeasuredRun, measureRun, type Table, withDeviation } from "./part.js";
import { fitPowerLaw } from "./power-law.js";

/** Lengths in diameters of a grain. */
export interface HopperSize {
	readonly grains: number;
	readonly width: number;
	readonly openings: readonly number[];
	/** So many grains flow out while the flow is measured, or fewer where the time is over before. */
	readonly outflow: number;
}

/** Through openings of less than five grains the flow is held up by arches again and again: openings of 4 let through three quarters of the law. */
const HOPPER_SIZE: HopperSize = { grains: 2000, width: 15, openings: [5, 5.75, 6.6, 7.5], outflow: 400 };

const GRAIN = 0.01;
/** Grains of one size order themselves at walls. */
const SPREAD = 0.1;
const STEP = 3e-3;
/** As that of impacts. */
const SOLVER = { tolerance: 1e-2 };
const OPEN = 0.3;
const UNTIL = 3;
const G = 9.81;
/** From here on the flow is steady, in units of sqrt(opening / g). */
const STEADY = 2.5;
/** Grains by which an opening is less wide than it is: at its rim no centre of a grain passes. Beverloo has 1.4 for round ones. */
const RIM = 1.4;
const EXPONENT = 2.5;
const TOLERANCE = 0.2;

/** Grains that have passed the opening. */
function grainsBelow({ bodies: { position, obstacles, count } }: Simulation): number {
	let below = 0;
	for (let i = obstacles; i < count; i += 1) if (position[3 * i + 2]! < 0) below += 1;
	return below;
}

/** Measures grains per second. */
export function runHopper({ grains, width, outflow }: HopperSize, opening: number, say: Table["say"]): MeasuredRun {
	const silo = { bodies: grains, grain: GRAIN, spread: SPREAD, width, opening, open: OPEN };
	const plain = describeScene("hopper", { ...silo, step: STEP, until: UNTIL });
	const simulation = openScene(buildScene({ ...plain, solver: SOLVER }));
	const steady = OPEN + STEADY * Math.sqrt((opening * GRAIN) / G);
	const points: Point[] = [];
	let contacts = 0;
	while (simulation.time < UNTIL) {
		runSteps(simulation, 1, (told) => {
			contacts = told.contacts;
		});
		const below = grainsBelow(simulation);
		if (simulation.steps % 20 === 0) say(`opening of ${opening} grains: ${simulation.time.toFixed(2)} s, ${below} out`);
		if (simulation.time < steady) continue;
		points.push({ time: simulation.time, grains: below });
		if (below - points[0]!.grains >= outflow) break;
	}
	return { measured: slope(points), steps: simulation.steps, contacts, failed: simulation.failedSteps };
}

interface Point {
	readonly time: number;
	readonly grains: number;
}

/** Of the straight line through all points, which the first and the last grain matter less to than to the difference of the ends. */
function slope(points: readonly Point[]): number {
	const mean = (of: (point: Point) => number) => points.reduce((sum, each) => sum + of(each), 0) / points.length;
	const time = mean((each) => each.time);
	const grains = mean((each) => each.grains);
	return mean((each) => (each.time - time) * (each.grains - grains)) / mean((each) => (each.time - time) ** 2);
}

export function hopper(table: Table, size: HopperSize = HOPPER_SIZE): void {
	const flows = size.openings.map((opening) => {
		const run = `opening of ${opening} grains`;
		const rate = measureRun(table, "hopper", run, "grains per second", () => runHopper(size, opening, table.say));
		return { opening, rate };
	});
	const fitWith = (rim: number) => fitPowerLaw(flows.map(({ opening, rate }) => ({ x: [opening - rim], y: rate })));
	const { exponents, deviations, factor } = fitWith(RIM);
	const [exponent, deviation] = [exponents[0]!, deviations[0]!];
	const isHeld = Math.abs(exponent - EXPONENT) <= TOLERANCE;
	const target = `${EXPONENT} within ${TOLERANCE}`;
	addFit(table, "hopper", `exponent of opening - ${RIM} grains`, withDeviation(exponent, deviation), target, isHeld);
	addFit(table, "hopper", "factor in sqrt(g / grain)", (factor / Math.sqrt(G / GRAIN)).toFixed(3));
	const others = [1, 2].map((rim) => `${fitWith(rim).exponents[0]!.toFixed(2)} less ${rim}`);
	addFit(table, "hopper", "exponent with other rims", others.join("; "));
}
