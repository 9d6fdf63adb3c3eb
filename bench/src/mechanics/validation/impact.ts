/**
 * Depths to which balls fall into a bed of grains: nine runs whose densities, heights and diameters are a Latin square, so that each of the three exponents
 * is fitted for itself. The bed is settled once; each run goes on from it.
 */
import { buildScene, describeScene, type SceneDescription, type Simulation } from "@stickslip/mechanics";
import { openScene, runSteps } from "../simulate.js";
import { addFit, type MeasuredRun, measureRun, runUntil, type Table, withDeviation } from "./part.js";
import { fitPowerLaw } from "./power-law.js";

export interface ImpactSize {
	readonly grains: number;
	/** Of the ball, in diameters of a grain. */
	readonly diameters: readonly number[];
	/** From the surface of the bed to the lowest point of the ball before it falls, in diameters of a grain. */
	readonly heights: readonly number[];
	/** Of the ball, kg/m3. */
	readonly densities: readonly number[];
}

export const IMPACT_SIZE: ImpactSize = {
	grains: 8000,
	diameters: [4, 5, 6.3],
	heights: [20, 50, 125],
	densities: [700, 1750, 4400],
};

const GRAIN = 5e-3;
const GRAIN_DENSITY = 1510;
const FRICTION = 0.3;
const G = 9.81;
/** Spurious energy of a ten-thousandth. The default of 1e-3 takes three times as long, and one depth changed by 2 %. */
const SOLVER = { tolerance: 1e-2 };
/** In a step a ball goes so many diameters of a grain at first. */
const WAY = 0.15;
/** The bed falls together by less than a grain per layer, so that it needs no steps as short as an impact. */
const SETTLE_STEP = 2e-3;
const SETTLE_STEPS = 120;
/** A ball comes so many grains above the mean surface, with the speed that it has there. */
const CLEARANCE = 2;
/** Of the speed of impact: a ball that is slower rests. */
const AT_REST = 0.015;
const STEPS_MAX = 1000;
/** Measured by Durian's group, and simulated with 500,400 grains (Anitescu 2014). */
const FACTORS = { experiment: 0.14, simulation: 0.1221 };

/** What a run goes on from. */
type State = ReturnType<Simulation["state"]>;

interface Ball {
	readonly density: number;
	readonly diameter: number;
	readonly height: number;
}

export interface Impact extends Ball {
	readonly depth: number;
}

function describe(grains: number, step: number, ball: Partial<Ball> = {}): SceneDescription {
	const settle = SETTLE_STEPS * step;
	const bed = { bodies: grains, grain: GRAIN, grainDensity: GRAIN_DENSITY, friction: FRICTION, settle };
	const description = describeScene("impact", { ...bed, ...ball, step, until: settle + STEPS_MAX * step });
	return { ...description, solver: SOLVER };
}

/** The bed when it is at rest, before a ball comes. */
export function settledBed(grains: number, say: (line: string) => void = () => {}): State {
	const simulation = openScene(buildScene(describe(grains, SETTLE_STEP, { height: 1 })));
	runSteps(simulation, SETTLE_STEPS, ({ step, contacts, kinetic, seconds }) => {
		if (step % 20 !== 0) return;
		const facts = `${contacts} contacts, ${kinetic.toExponential(1)} J, ${seconds.solve.toFixed(2)} s in the solve`;
		say(`bed: step ${step} of ${SETTLE_STEPS}, ${facts}`);
	});
	return simulation.state();
}

/** Mean height of the uppermost grains in square cells of a grain's diameter. */
function surfaceOf({ spaces }: State): number {
	const { values } = spaces.bodies!.vectors.position!;
	const tops = new Map<string, number>();
	for (let at = 0; at < values.length; at += 3) {
		const [x, y, z] = [values[at]!, values[at + 1]!, values[at + 2]!];
		const cell = `${Math.floor(x / GRAIN)} ${Math.floor(y / GRAIN)}`;
		// Obstacles are at the origin, below all grains of a cell.
		tops.set(cell, Math.max(tops.get(cell) ?? 0, z + GRAIN / 2));
	}
	const all = [...tops.values()];
	return all.reduce((sum, each) => sum + each, 0) / all.length;
}

/** The scene of that ball, which begins just above the bed. */
function describeImpact(grains: number, ball: Ball, surface: number): SceneDescription {
	const speed = Math.sqrt(2 * G * (ball.height - CLEARANCE * GRAIN));
	const description = describe(grains, (WAY * GRAIN) / speed, ball);
	const [event] = description.events;
	if (event?.kind !== "add") throw new Error("the scene has to begin with the ball");
	const place = [0, 0, surface + CLEARANCE * GRAIN + ball.diameter / 2] as const;
	const bodies = [{ ...event.bodies[0]!, position: place, velocity: [0, 0, -speed] as const }];
	return { ...description, events: [{ ...event, bodies }] };
}

/** Measures how far below the surface the lowest point of the ball comes. */
export function runImpact(grains: number, bed: State, ball: Ball): MeasuredRun {
	const surface = surfaceOf(bed);
	const simulation = openScene(buildScene(describeImpact(grains, ball, surface)));
	simulation.resume(bed);
	const slow = AT_REST * Math.sqrt(2 * G * ball.height);
	let lowest = Number.POSITIVE_INFINITY;
	const last = runUntil(simulation, STEPS_MAX, () => {
		const { position, velocity, count } = simulation.bodies;
		// The ball came last, and one rank has bodies by id.
		const at = 3 * (count - 1) + 2;
		lowest = Math.min(lowest, position[at]! - ball.diameter / 2);
		return lowest < surface && Math.abs(velocity[at]!) < slow;
	});
	const { contacts, failedSteps: failed } = last;
	return { measured: surface - lowest, steps: last.step - SETTLE_STEPS, contacts, failed };
}

/** The largest ball meets the greatest density and the greatest height one at a time: for both together the bed is not deep enough. */
export function ballsOf({ densities, heights, diameters }: ImpactSize): Ball[] {
	return densities.flatMap((density, i) =>
		heights.map((height, j) => {
			const diameter = GRAIN * diameters[(i + j + 2) % diameters.length]!;
			return { density, height: GRAIN * height, diameter };
		}),
	);
}

export function impact(table: Table, size: ImpactSize = IMPACT_SIZE): void {
	let bed: State | undefined;
	const impacts = ballsOf(size).map((ball): Impact => {
		const [diameter, height] = [ball.diameter / GRAIN, ball.height / GRAIN].map((each) => Number(each.toPrecision(4)));
		const run = `${ball.density} kg/m3; ${diameter} grains wide; from ${height} grains`;
		const depth = measureRun(table, "impact", run, "depth in grains", () => {
			bed ??= settledBed(size.grains, table.say);
			const outcome = runImpact(size.grains, bed, ball);
			return { ...outcome, measured: outcome.measured / GRAIN };
		});
		return { ...ball, depth: depth * GRAIN };
	});
	fitAll(table, impacts);
}

/** Without dimensions but those of lengths: density ratio, diameter and the whole way that the ball fell, H = height + depth. */
function samplesOf(impacts: readonly Impact[], added = 0) {
	return impacts.map(({ density, diameter, height, depth }) => ({
		x: [density / GRAIN_DENSITY, diameter, height + depth],
		y: depth + added,
	}));
}

/** Mean factor of the law with its own exponents, and the root mean square of what it misses by. */
function factorOfLaw(impacts: readonly Impact[], added = 0): { factor: number; misfit: number } {
	const logs = samplesOf(impacts, added).map(({ x: [ratio, diameter, way], y }) =>
		Math.log((FRICTION * y) / (Math.sqrt(ratio!) * diameter! ** (2 / 3) * way! ** (1 / 3))),
	);
	const mean = logs.reduce((sum, each) => sum + each, 0) / logs.length;
	const misfit = Math.sqrt(logs.reduce((sum, each) => sum + (each - mean) ** 2, 0) / logs.length);
	return { factor: Math.exp(mean), misfit };
}

/** The depth that has to be added to all for the law to fit best: what the surface of grains as large as these leaves open. */
function bestAddition(impacts: readonly Impact[]): number {
	const tried = Array.from({ length: 301 }, (_, k) => (k * GRAIN) / 100);
	return tried.reduce((best, each) =>
		factorOfLaw(impacts, each).misfit < factorOfLaw(impacts, best).misfit ? each : best,
	);
}

export function fitAll(table: Table, impacts: readonly Impact[]): void {
	const added = bestAddition(impacts);
	const ways = [
		{ what: "depth", added: 0 },
		{ what: "depth with the addition", added },
	];
	addFit(table, "impact", "addition with which the law fits best in grains", (added / GRAIN).toFixed(2));
	for (const way of ways) {
		const { exponents, deviations } = fitPowerLaw(samplesOf(impacts, way.added));
		["density ratio: 1/2", "diameter: 2/3", "height: 1/3"].forEach((name, k) => {
			const [of, law] = name.split(": ");
			addFit(
				table,
				"impact",
				`${way.what}: exponent of ${of}`,
				withDeviation(exponents[k]!, deviations[k]!),
				`law ${law}`,
			);
		});
		const { factor, misfit } = factorOfLaw(impacts, way.added);
		const others = `measured ${FACTORS.experiment}; simulated ${FACTORS.simulation}`;
		addFit(table, "impact", `${way.what}: factor with the exponents of the law`, factor.toFixed(4), others);
		addFit(table, "impact", `${way.what}: misfit of the law`, `${(100 * misfit).toFixed(0)} %`);
	}
}
