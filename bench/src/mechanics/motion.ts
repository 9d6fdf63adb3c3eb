/**
 * Bodies in flight against what is known of them: torque-free tumbling (momentum, energy, order), pseudo-rigid bodies that deform as they tumble (energy),
 * and what a step of a body costs.
 */
import {
	addAngularMomentum,
	type Bodies,
	type BodyDescription,
	compileShape,
	elasticEnergy,
	kineticEnergy,
	type Model,
	makeBodies,
	makeScheme,
	type Scheme,
	type SchemeOptions,
	type Vector,
} from "@stickslip/mechanics";
import type { Bench } from "../bench.js";
import { recordCsv } from "../record.js";

export interface MotionRow {
	readonly [column: string]: string | number;
	readonly what: string;
	readonly steps: number;
	readonly measured: number;
	/** At most this, or of an order at least; nothing where nothing is promised. */
	readonly target: number | "";
	readonly held: "yes" | "NO" | "";
}

/** The particle of the drum of Koziara 2017, which is soft in its own units of time. */
const RADII: Vector = [0.09, 0.05, 0.1];
const YOUNG = 1e6;
const POISSON = 0.25;
const DENSITY = 100;

function particle(): Model {
	return {
		shapes: [compileShape({ kind: "ellipsoid", radii: RADII })],
		materials: [{ name: "soft", density: DENSITY, young: YOUNG, poisson: POISSON }],
		laws: [{ friction: 0, restitution: 0 }],
		gravity: new Float64Array(3),
	};
}

function fly(scheme: Scheme, model: Model, bodies: Bodies, h: number, steps: number, each = (_step: number) => {}) {
	const { count } = bodies;
	const impulses = {
		linear: new Float64Array(3 * count),
		angular: new Float64Array(3 * count),
		rate: new Float64Array(9 * count),
	};
	for (let step = 0; step < steps; step += 1) {
		scheme.configure(model, bodies, step * h, h);
		scheme.freeVelocity(model, bodies, step * h, h);
		scheme.finish(model, bodies, impulses, step * h, h);
		each(step);
	}
}

/** Angular momentum as it follows from where the body is and how fast it turns, not as the scheme carries it. */
function momentumOf(bodies: Bodies): number[] {
	const { map, moments, spin } = bodies;
	const trace = moments[0]! + moments[1]! + moments[2]!;
	const full = [0, 3, 4, 3, 1, 5, 4, 5, 2].map((place, k) => (k % 4 === 0 ? trace : 0) - moments[place]!);
	const turned = (m: readonly number[] | Float64Array, v: readonly number[]) =>
		[0, 3, 6].map((row) => m[row]! * v[0]! + m[row + 1]! * v[1]! + m[row + 2]! * v[2]!);
	const transposed = [0, 3, 6, 1, 4, 7, 2, 5, 8].map((k) => map[k]!);
	return turned(map, turned(full, turned(transposed, [...spin])));
}

interface Tumbling {
	/** Largest change of the momentum, of its size. */
	readonly momentum: number;
	/** Between least and most energy, of the energy at the start. */
	readonly range: number;
	/** Between the mean energies of the first and the last tenth. */
	readonly drift: number;
}

/** About an axis near the middle principal one, where a body turns over again and again. */
function tumble(options: SchemeOptions, h: number, steps: number): Tumbling {
	const model = particle();
	const bodies = makeBodies(model, [{ shape: 0, material: 0, spin: [3, 0.1, 0.2] }]);
	const start = kineticEnergy(bodies, 0);
	const before = momentumOf(bodies);
	const size = Math.hypot(...before);
	let [least, most, momentum] = [start, start, 0];
	const tenths = new Float64Array(10);
	fly(makeScheme(options), model, bodies, h, steps, (step) => {
		const energy = kineticEnergy(bodies, 0);
		least = Math.min(least, energy);
		most = Math.max(most, energy);
		tenths[Math.floor((10 * step) / steps)]! += energy;
		const change = momentumOf(bodies).map((x, d) => x - before[d]!);
		momentum = Math.max(momentum, Math.hypot(...change) / size);
	});
	const drift = Math.abs(tenths[9]! - tenths[0]!) / (0.1 * steps) / start;
	return { momentum, range: (most - least) / start, drift };
}

function tumbling(steps: number): MotionRow[] {
	const explicit: SchemeOptions = { name: "half-step" };
	const conserving: SchemeOptions = { name: "half-step", rotation: "conserving" };
	const h = 0.01;
	const long = tumble(explicit, h, steps);
	const half = tumble(explicit, h / 2, 2 * Math.ceil(steps / 10));
	const first = tumble(explicit, h, Math.ceil(steps / 10));
	const kept = tumble(conserving, h, steps);
	return [
		row("tumbling: change of momentum", steps, long.momentum, 1e-12),
		row("tumbling: range of energy", steps, long.range),
		// The mean over a tenth hangs on where in its turn the body is at the end of it, hence the share of the range.
		row("tumbling: drift of energy, of its range", steps, long.drift / long.range, 0.02),
		row("tumbling: order of the range of energy", steps / 10, Math.log2(first.range / half.range), 1.9, "least"),
		row("tumbling, conserving: change of momentum", steps, kept.momentum, 1e-12),
		row("tumbling, conserving: range of energy", steps, kept.range, 1e-10),
	];
}

/** The deformable particle, spun and stretched; a step is a share of the shortest period, that of compression along the smallest radius. */
function deform(options: SchemeOptions, share: number, steps: number) {
	const model = particle();
	const bodies = makeBodies(model, [{ kind: "pseudo-rigid", shape: 0, material: 0, spin: [3, -2, 5] }]);
	for (let k = 0; k < 9; k += 1) bodies.map[k]! += 0.005 * (((k * 7) % 5) - 2);
	const stiffness = (YOUNG * (1 - POISSON)) / ((1 + POISSON) * (1 - 2 * POISSON));
	const smallest = Math.min(...RADII);
	const h = 2 * Math.PI * smallest * Math.sqrt(DENSITY / (5 * stiffness)) * share;
	const momentum = () => {
		const out = new Float64Array(3);
		addAngularMomentum(bodies, 0, out);
		return out;
	};
	const energy = () => kineticEnergy(bodies, 0) + elasticEnergy(model, bodies, 0);
	const [start, before] = [energy(), momentum()];
	const quarters = new Float64Array(4);
	fly(makeScheme(options), model, bodies, h, steps, (step) => {
		quarters[Math.floor((4 * step) / steps)]! += energy() / start;
	});
	const change = momentum().map((x, d) => x - before[d]!);
	return {
		drift: (4 * (Math.max(...quarters) - Math.min(...quarters))) / steps,
		momentum: Math.hypot(...change) / Math.hypot(...before),
	};
}

function deforming(steps: number): MotionRow[] {
	const explicit = deform({ name: "half-step" }, 1 / 100, steps);
	const implicit = deform({ name: "half-step", implicit: true }, 1 / 100, steps);
	return [
		row("pseudo-rigid, explicit: drift of energy over quarters", steps, explicit.drift, 1e-6),
		row("pseudo-rigid, explicit: change of momentum", steps, explicit.momentum, 1e-11),
		row("pseudo-rigid, implicit: drift of energy over quarters", steps, implicit.drift),
		row("pseudo-rigid, implicit: change of momentum", steps, implicit.momentum),
	];
}

/** Microseconds of a step of one body: the least of some rounds. */
function cost(options: SchemeOptions, description: Partial<BodyDescription>, rounds: number): number {
	const model = particle();
	const count = 1000;
	const spun = Array.from({ length: count }, () => ({
		shape: 0,
		material: 0,
		spin: [1, 2, 3] as Vector,
		...description,
	}));
	const bodies = makeBodies(model, spun);
	const scheme = makeScheme(options);
	let least = Number.POSITIVE_INFINITY;
	for (let round = 0; round < rounds; round += 1) {
		const start = performance.now();
		fly(scheme, model, bodies, 1e-5, 10);
		least = Math.min(least, ((performance.now() - start) * 1000) / (10 * count));
	}
	return least;
}

function costs(rounds: number): MotionRow[] {
	const deformable = { kind: "pseudo-rigid" } as const;
	const of = (what: string, options: Partial<SchemeOptions>, description: Partial<BodyDescription> = {}) =>
		row(`microseconds of a step: ${what}`, 10, cost({ name: "half-step", ...options }, description, rounds));
	return [
		of("rigid", {}),
		of("rigid, conserving", { rotation: "conserving" }),
		of("pseudo-rigid, explicit", {}, deformable),
		of("pseudo-rigid, implicit", { implicit: true }, deformable),
	];
}

function row(
	what: string,
	steps: number,
	measured: number,
	target: number | "" = "",
	bound: "least" | "most" = "most",
): MotionRow {
	const isHeld = target === "" || (bound === "most" ? measured <= target : measured >= target);
	return { what, steps, measured, target, held: target === "" ? "" : isHeld ? "yes" : "NO" };
}

/** All rows; `steps` of tumbling, a tenth of that of deforming. */
export function measureMotion(steps: number, rounds: number): MotionRow[] {
	return [...tumbling(steps), ...deforming(steps / 10), ...costs(rounds)];
}

export const motion: Bench = {
	name: "motion",
	what: "bodies in flight: momentum, energy and order of tumbling and deforming, and what a step of a body costs",
	run() {
		const rows = measureMotion(100_000, 100);
		for (const { what, steps, measured, target, held } of rows) {
			const promised = target === "" ? "" : `target ${target}: ${held === "yes" ? "held" : "MISSED"}`;
			console.log(
				`${what.padEnd(56)} ${String(steps).padStart(7)} steps  ${measured.toPrecision(3).padEnd(9)} ${promised}`,
			);
		}
		const short = rows.map((each) => ({ ...each, measured: Number(each.measured.toPrecision(4)) }));
		console.log(`recorded in ${recordCsv("motion", short)}`);
		return rows.some(({ held }) => held === "NO") ? 1 : 0;
	},
};
