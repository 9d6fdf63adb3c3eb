/** Impacts in closed form, by Newton's and Poisson's law: a bar that slides as it hits a floor (Kane's), balls in a row with two restitutions, a cradle. */
import { Random } from "@stickslip/core";
import { buildScene, type SceneDescription, type SchemeOptions, type Simulation } from "@stickslip/mechanics";
import { openScene, runSteps } from "../simulate.js";
import { boundedRow, closedFormRow, documentedRow, type RestitutionRow } from "./row.js";

type RestitutionLaw = NonNullable<SchemeOptions["restitutionLaw"]>;
const LAWS: readonly RestitutionLaw[] = ["newton", "poisson"];

/** A thin bar of mass 1 and length 1 with round ends that touches the floor z = 0 with its lower end. */
interface Bar {
	/** Angle from the vertical, in radians. */
	readonly angle: number;
	readonly friction: number;
	readonly restitution: number;
	/** Along x and z, and about y. */
	readonly velocity: readonly [number, number];
	readonly spin: number;
}

const RADIUS = 0.01;
const INERTIA = 1 / 12;

/** The bar of the shared scene `kane-bar-energy-gain`: it gains 18.7 % by Newton's law. */
export const KANE: Bar = { angle: (40 * Math.PI) / 180, friction: 0.6, restitution: 1, velocity: [1, -2], spin: 0 };

function barScene(bar: Bar, restitutionLaw: RestitutionLaw): SceneDescription {
	const { angle, friction, restitution, velocity, spin } = bar;
	return {
		...{ version: 1, name: "bar", gravity: [0, 0, 0], step: 1e-6, until: 1e-5 },
		// Contacts are found before bodies move: levers are those of the closed form.
		scheme: { name: "velocity-impulse", restitutionLaw },
		solver: { tolerance: 1e-13 },
		materials: { hard: { density: 1000 } },
		contact: { friction, restitution },
		shapes: {
			floor: { kind: "plane", normal: [0, 0, 1], offset: 0 },
			bar: { kind: "capsule", radius: RADIUS, length: 1 },
		},
		obstacles: [{ shape: "floor", material: "hard", position: [0, 0, 0] }],
		bodies: [
			{
				...{ shape: "bar", material: "hard", position: [0, 0, 0.5 * Math.cos(angle) + RADIUS] },
				orientation: [Math.cos(angle / 2), 0, Math.sin(angle / 2), 0],
				...{ velocity: [velocity[0], 0, velocity[1]], spin: [0, spin, 0], mass: 1 },
				inertia: [INERTIA, INERTIA, 1e-4, 0, 0, 0],
			},
		],
		events: [],
	};
}

/** Kinetic energy after the impact over that before it. */
function simulatedRatio(bar: Bar, law: RestitutionLaw): number {
	const simulation = openScene(buildScene(barScene(bar, law)), {});
	const { velocity, spin } = bar;
	const before = 0.5 * (velocity[0] ** 2 + velocity[1] ** 2 + INERTIA * spin ** 2);
	let after = Number.NaN;
	runSteps(simulation, 1, ({ kinetic }) => {
		after = kinetic;
	});
	return after / before;
}

/** W and V of the contact in (N, T): T along x. */
interface PlanarContact {
	readonly nn: number;
	readonly nt: number;
	readonly tt: number;
	readonly V: readonly [number, number];
}

function contactOf({ angle, velocity, spin }: Bar): PlanarContact {
	const [x, z] = [-0.5 * Math.sin(angle), -0.5 * Math.cos(angle) - RADIUS];
	return {
		nn: 1 + (x * x) / INERTIA,
		nt: (-x * z) / INERTIA,
		tt: 1 + (z * z) / INERTIA,
		V: [velocity[1] - spin * x, velocity[0] + spin * z],
	};
}

/** Coulomb's R_T for a given R_N: what stops the slip u, or all that friction has. */
function frictionFor(normal: number, u: number, { nt, tt }: PlanarContact, mu: number): number {
	const stick = -(u + nt * normal) / tt;
	return Math.max(-mu * normal, Math.min(mu * normal, stick));
}

/** R with U_N = 0 (or R = 0) and Coulomb's law, for the free velocity q; W_NN > mu |W_NT|. */
function coulomb(q: readonly [number, number], contact: PlanarContact, mu: number): [number, number] {
	const { nn, nt, tt } = contact;
	if (q[0] >= 0) return [0, 0];
	const determinant = nn * tt - nt * nt;
	const stick: [number, number] = [(nt * q[1] - tt * q[0]) / determinant, (nt * q[0] - nn * q[1]) / determinant];
	if (Math.abs(stick[1]) <= mu * stick[0]) return stick;
	const side = Math.sign(stick[1]);
	const normal = -q[0] / (nn + mu * side * nt);
	return [normal, mu * side * normal];
}

/** The ratio of energies in closed form. */
export function exactRatio(bar: Bar, law: RestitutionLaw): number {
	const contact = contactOf(bar);
	const { nn, nt, tt, V } = contact;
	const { friction: mu, restitution: e, velocity, spin } = bar;
	const compressed = coulomb(law === "newton" ? [(1 + e) * V[0], V[1]] : V, contact, mu);
	const R: [number, number] = [...compressed];
	if (law === "poisson") {
		const U: [number, number] = [V[0] + nn * R[0] + nt * R[1], V[1] + nt * R[0] + tt * R[1]];
		const normal = e * R[0];
		const along = frictionFor(normal, U[1], contact, mu);
		const opens = U[0] + nn * normal + nt * along >= -1e-14;
		const expansion = opens ? [normal, along] : coulomb(U, contact, mu);
		R[0] += expansion[0]!;
		R[1] += expansion[1]!;
	}
	const gained = R[0] * V[0] + R[1] * V[1] + 0.5 * (nn * R[0] ** 2 + 2 * nt * R[0] * R[1] + tt * R[1] ** 2);
	return 1 + gained / (0.5 * (velocity[0] ** 2 + velocity[1] ** 2 + INERTIA * spin ** 2));
}

/** A bar that comes down, of which friction leaves one solution. */
function randomBar(random: Random): Bar {
	for (;;) {
		const bar: Bar = {
			angle: random.between(-1.3, 1.3),
			friction: random.between(0, 1.2),
			restitution: random.uniform(),
			velocity: [random.between(-3, 3), random.between(-3, 0)],
			spin: random.between(-5, 5),
		};
		const { nn, nt, V } = contactOf(bar);
		if (V[0] < -0.1 && nn > 1.2 * bar.friction * Math.abs(nt)) return bar;
	}
}

interface BarErrors {
	/** Largest difference of the ratio from its closed form. */
	readonly error: number;
	/** Largest gain of energy, of the energy before. */
	readonly gain: number;
}

function randomBars(law: RestitutionLaw, count: number, seed: number): BarErrors {
	let [error, gain] = [0, -1];
	for (let k = 0; k < count; k += 1) {
		const bar = randomBar(new Random(seed, k));
		const ratio = simulatedRatio(bar, law);
		error = Math.max(error, Math.abs(ratio - exactRatio(bar, law)));
		gain = Math.max(gain, ratio - 1);
	}
	return { error, gain };
}

/** Equal balls of mass 1 in a row along x, `apart` from each other; restitutions are those of neighbours. */
function rowOfBalls(
	speeds: readonly number[],
	restitutions: readonly number[],
	scheme: SchemeOptions,
	apart: number,
	step: number,
): Simulation {
	// A binary fraction: balls that touch have no gap by rounding.
	const radius = 1 / 16;
	const name = (k: number) => `ball${k}`;
	const scene: SceneDescription = {
		...{ version: 1, name: "row of balls", gravity: [0, 0, 0], step, until: 1e3 * step, scheme },
		solver: { tolerance: 1e-13 },
		materials: Object.fromEntries(speeds.map((_, k) => [name(k), { density: 1000 }])),
		contact: { friction: 0 },
		laws: restitutions.map((restitution, k) => ({ between: [name(k), name(k + 1)], friction: 0, restitution })),
		shapes: { ball: { kind: "sphere", radius } },
		obstacles: [],
		bodies: speeds.map((speed, k) => ({
			...{ shape: "ball", material: name(k), mass: 1, inertia: [1e-3, 1e-3, 1e-3, 0, 0, 0] as const },
			position: [k * (2 * radius + apart), 0, 0] as const,
			velocity: [speed, 0, 0] as const,
		})),
		events: [],
	};
	return openScene(buildScene(scene), {});
}

/** Largest difference from the exact speeds after a number of steps. */
function speedError(simulation: Simulation, steps: number, exact: readonly number[]): number {
	runSteps(simulation, steps);
	return Math.max(...exact.map((speed, k) => Math.abs(simulation.bodies.velocity[3 * k]! - speed)));
}

/** Three balls: the second contact, without restitution, separates slowly when the first is hit: Newton's law counts it as an impact, and energy rises by 2/15. */
function unequalRow(law: RestitutionLaw): RestitutionRow {
	// Contacts are found before balls move: the second one is closed.
	const balls = rowOfBalls([1, 0, 0.5], [1, 0], { name: "moreau", theta: 1, restitutionLaw: law }, 0, 1e-6);
	const exact = law === "newton" ? [-1 / 6, 5 / 6, 5 / 6] : [0, 0.75, 0.75];
	const change = exact.reduce((sum, speed) => sum + speed * speed, 0) / 1.25 - 1;
	const what = `three balls, e 1 and 0, ${law}: change of energy ${(100 * change).toFixed(1)} %, error of speeds`;
	return boundedRow(what, 1, speedError(balls, 1, exact), 1e-9);
}

function cradleRows(): RestitutionRow[] {
	const [hit, e] = [
		[1, 0, 0, 0, 0],
		[1, 1, 1, 1],
	];
	const touching = LAWS.map((restitutionLaw) => {
		const balls = rowOfBalls(hit, e, { name: "half-step", restitutionLaw }, 0, 1e-6);
		return boundedRow(
			`cradle, balls touch, ${restitutionLaw}: error of (-.6 .4 .4 .4 .4)`,
			1,
			speedError(balls, 1, [-0.6, 0.4, 0.4, 0.4, 0.4]),
			1e-9,
		);
	});
	const apart = rowOfBalls(hit, e, { name: "half-step" }, 1e-4, 1e-5);
	const row = boundedRow(
		"cradle, 0.1 mm apart: error of (0 0 0 0 1)",
		1,
		speedError(apart, 100, [0, 0, 0, 0, 1]),
		1e-9,
	);
	return [...touching, row];
}

/** `count` random bars by each law. */
export function impactRows(count: number): RestitutionRow[] {
	return [
		...LAWS.flatMap((law) => {
			const exact = exactRatio(KANE, law);
			const { error, gain } = randomBars(law, count, 7);
			const most = `${count} random bars, ${law}: largest gain of energy`;
			return [
				closedFormRow(`Kane's bar, ${law}: energy after over before`, simulatedRatio(KANE, law), exact),
				boundedRow(`${count} random bars, ${law}: largest error of the same`, count, error, 1e-9),
				law === "newton" ? documentedRow(most, count, gain) : boundedRow(most, count, gain, 1e-12),
			];
		}),
		...LAWS.map(unequalRow),
		...cradleRows(),
	];
}
