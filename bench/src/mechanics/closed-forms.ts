/** Scenes whose end is known in closed form, through detection and solve, by all schemes: error, and the order in which it falls with the step. */
import {
	buildScene,
	describeScene,
	type SceneDescription,
	type SchemeOptions,
	type Simulation,
} from "@stickslip/mechanics";
import type { Bench } from "../bench.js";
import { recordCsv } from "../record.js";
import { openScene, runSteps } from "./simulate.js";

const G = 9.81;
const STEPS_OF_TIME: readonly number[] = [8e-3, 4e-3, 2e-3, 1e-3];
const SCHEMES: readonly SchemeOptions[] = [
	{ name: "half-step" },
	{ name: "velocity-impulse" },
	{ name: "moreau", theta: 0.6 },
];
/** Relative errors below this are those of the solver. */
const EXACT = 1e-7;
const ORDER_MIN = 0.85;

interface Case {
	readonly name: string;
	readonly description: SceneDescription;
	readonly until: number;
	/** What is measured, each with what it has to be. */
	readonly exact: Readonly<Record<string, number>>;
	/** By how much a quantity changes in a second where it is known to a step only: its error may be that of two steps, whatever the order. */
	readonly rate?: Readonly<Record<string, number>>;
	readonly measure: (run: Watched) => Readonly<Record<string, number>>;
}

/** A run that is over, with what was seen on its way. */
interface Watched {
	readonly simulation: Simulation;
	/** Of the first body that is no obstacle, after each step: time, position, velocity, spin. */
	readonly path: readonly (readonly number[])[];
}

const [X, Z, VX, SPIN_Y, SPIN_Z] = [1, 3, 4, 8, 9] as const;

export type ClosedFormRow = {
	readonly case: string;
	readonly quantity: string;
	readonly scheme: string;
	readonly exact: string;
	/** Relative, at the longest and the shortest step. */
	readonly errorLong: string;
	readonly errorShort: string;
	/** Between these two; empty where the error is the solver's. */
	readonly order: string;
	readonly held: "yes" | "NO";
};

/** At speed v on a floor: it stops after v / mu g, at v^2 / 2 mu g. */
function sliding(): Case {
	const [speed, friction] = [1.5, 0.4];
	const description = describeScene("incline", { angle: 0, speed, friction });
	const time = speed / (friction * G);
	return {
		...{ name: "a block slides until it stops", description, until: 0.5 },
		exact: { distance: (speed * time) / 2, time },
		measure: ({ path }) => ({
			distance: path.at(-1)![X]!,
			time: path.find((row) => Math.abs(row[VX]!) < 1e-8)?.[0] ?? Number.NaN,
		}),
	};
}

/** Upright: the normal forces of the edge below are (1 + mu H / L) / 2 of all, and no edge lifts as long as mu H < L. */
function upright(): Case {
	const [angle, friction, flatness] = [(25 * Math.PI) / 180, 0.3, 0.5];
	const description = describeScene("incline", { angle: 25, friction, flatness });
	const along = G * (Math.sin(angle) - friction * Math.cos(angle));
	const until = 0.4;
	return {
		...{ name: "an upright block slides down, far from Painleve's paradox", description, until },
		exact: { distance: (along * until * until) / 2, "share of the lower edge": (1 + friction / flatness) / 2 },
		measure: ({ simulation, path }) => {
			const { contacts, reaction } = simulation;
			let [all, lower] = [0, 0];
			for (let a = 0; a < contacts.count; a += 1) {
				const arm = contacts.arm.subarray(6 * a + 3, 6 * a + 6);
				all += reaction[3 * a]!;
				if (arm[0]! * Math.cos(angle) - arm[2]! * Math.sin(angle) > 0) lower += reaction[3 * a]!;
			}
			const first = description.bodies[0]!.position;
			const [dx, dz] = [path.at(-1)![X]! - first[0], path.at(-1)![Z]! - first[2]];
			return {
				distance: dx * Math.cos(angle) - dz * Math.sin(angle),
				"share of the lower edge": lower / all,
			};
		},
	};
}

/** Down a slope without slipping: 5 / 7 g sin. */
function rolling(): Case {
	const angle = (20 * Math.PI) / 180;
	const description = describeScene("incline", { body: "sphere", angle: 20, friction: 0.5 });
	const until = 0.4;
	const along = (5 / 7) * G * Math.sin(angle);
	const radius = 0.05;
	return {
		...{ name: "a sphere rolls down a slope", description, until },
		exact: { speed: along * until, distance: (along * until * until) / 2, spin: (along * until) / radius },
		measure: ({ path }) => {
			const first = description.bodies[0]!.position;
			const [dx, dz] = [path.at(-1)![X]! - first[0], path.at(-1)![Z]! - first[2]];
			return {
				speed: path.at(-1)![VX]! / Math.cos(angle),
				distance: dx * Math.cos(angle) - dz * Math.sin(angle),
				spin: path.at(-1)![SPIN_Y]!,
			};
		},
	};
}

/** Slides at first; rolls after 2 v / 7 mu g, with 5 / 7 of its speed. */
function slipToRoll(): Case {
	const [speed, friction, until] = [2, 0.3, 0.4];
	const description = describeScene("roll", { speed, friction });
	const time = (2 * speed) / (7 * friction * G);
	const distance = speed * time - (friction * G * time * time) / 2 + (5 / 7) * speed * (until - time);
	return {
		...{ name: "a sphere slides, then rolls", description, until },
		exact: { speed: (5 / 7) * speed, distance, time },
		measure: ({ path }) => ({
			speed: path.at(-1)![VX]!,
			distance: path.at(-1)![X]!,
			time: path.find((row) => row[VX]! < (5 / 7) * speed + 1e-7)?.[0] ?? Number.NaN,
		}),
	};
}

/** On its face, about the vertical: friction at the corners, at a distance r, stops it after w I / mu m g r. */
function spinning(): Case {
	const [spin, friction, size, flatness] = [6, 0.2, 0.1, 2];
	const edge = flatness * size;
	const plain = describeScene("incline", { angle: 0, friction, size, flatness });
	const description = { ...plain, bodies: [{ ...plain.bodies[0]!, spin: [0, 0, spin] as const }] };
	const rate = (friction * G * edge * Math.SQRT1_2) / ((edge * edge) / 6);
	const angle = (spin * spin) / (2 * rate);
	return {
		...{ name: "a block on its face spins until it stops", description, until: 0.4 },
		exact: { angle, time: spin / rate },
		measure: ({ simulation, path }) => {
			const [w = 1, , , z = 0] = simulation.bodies.orientation.subarray(4 * simulation.bodies.obstacles);
			return {
				angle: 2 * Math.atan2(z, w),
				time: path.find((row) => Math.abs(row[SPIN_Z]!) < 1e-6)?.[0] ?? Number.NaN,
			};
		},
	};
}

/** A sphere on a point: nothing brakes it. */
function top(): Case {
	const plain = describeScene("roll", { speed: 0 });
	const description = { ...plain, bodies: [{ ...plain.bodies[0]!, spin: [0, 0, 20] as const }] };
	return {
		...{ name: "a sphere spins on its point", description, until: 0.4 },
		exact: { spin: 20 },
		measure: ({ path }) => ({ spin: path.at(-1)![SPIN_Z]! }),
	};
}

/** The floor carries all, and nothing moves. */
function stacking(): Case {
	const count = 10;
	const description = describeScene("stack", { bodies: count });
	return {
		...{ name: "ten boxes on one another", description, until: 0.4 },
		exact: { "weight on the floor": count * G, height: (count - 0.5) * 0.1 },
		measure: ({ simulation }) => {
			const { contacts, reaction, bodies, setup } = simulation;
			let impulse = 0;
			for (let a = 0; a < contacts.count; a += 1) {
				if (contacts.body[2 * a]! < bodies.obstacles) impulse += reaction[3 * a]!;
			}
			return { "weight on the floor": impulse / setup.step, height: bodies.position[3 * bodies.count - 1]! };
		},
	};
}

/** Heights go with the square of the restitution. */
function bouncing(): Case {
	const [restitution, fall, radius] = [0.6, 0.3, 0.05];
	const description = describeScene("roll", { speed: 0, height: fall, restitution, radius });
	const landing = Math.sqrt((2 * fall) / G);
	const until = landing * (1 + 2 * restitution * 0.99);
	return {
		...{ name: "a sphere bounces", description, until },
		exact: { height: restitution * restitution * fall },
		rate: { height: Math.sqrt(2 * G * fall) },
		measure: ({ path }) => {
			const after = path.slice(path.findIndex((row, k) => k > 0 && row[Z]! > path[k - 1]![Z]!));
			return { height: Math.max(...after.map((row) => row[Z]!)) - radius };
		},
	};
}

export const closedForms: readonly (() => Case)[] = [
	...[sliding, upright, rolling, slipToRoll],
	...[spinning, top, stacking, bouncing],
];

function runCase({ description, until, measure }: Case, scheme: SchemeOptions, step: number) {
	const solver = { tolerance: 1e-10, measure: "natural", maxIterations: 100_000 } as const;
	const simulation = openScene(buildScene({ ...description, scheme, step, until, solver }));
	const path: number[][] = [];
	runSteps(simulation, Math.round(until / step), () => {
		const { position, velocity, spin, obstacles } = simulation.bodies;
		const of = (values: Float64Array) => values.subarray(3 * obstacles, 3 * obstacles + 3);
		path.push([simulation.time, ...of(position), ...of(velocity), ...of(spin)]);
	});
	return measure({ simulation, path });
}

/** All quantities of a case by one scheme. */
export function rowsOf(one: Case, scheme: SchemeOptions, lengths: readonly number[] = STEPS_OF_TIME): ClosedFormRow[] {
	const runs = lengths.map((step) => runCase(one, scheme, step));
	return Object.entries(one.exact).map(([quantity, exact]) => {
		const errors = runs.map((run) => Math.abs(run[quantity]! - exact) / Math.abs(exact));
		const [long, short] = [errors[0]!, errors.at(-1)!];
		const order = Math.log(long / short) / Math.log(lengths[0]! / lengths.at(-1)!);
		const isExact = errors.every((error) => error < EXACT);
		const rate = one.rate?.[quantity] ?? (quantity === "time" ? 1 : 0);
		const isWithinSteps = errors.every((error, k) => error * exact <= 2 * rate * lengths[k]!);
		return {
			...{ case: one.name, quantity, scheme: scheme.name, exact: exact.toPrecision(6) },
			...{ errorLong: long.toExponential(1), errorShort: short.toExponential(1) },
			order: isExact ? "" : order.toFixed(2),
			held: isExact || isWithinSteps || order > ORDER_MIN ? "yes" : "NO",
		};
	});
}

export const mechanicsClosedForms: Bench = {
	name: "mechanics-closed-forms",
	what: "sliding, rolling, spinning, stacking and bouncing against closed forms: error and observed order, by all schemes",
	run() {
		const rows = closedForms.flatMap((make) => SCHEMES.flatMap((scheme) => rowsOf(make(), scheme)));
		console.log(Object.keys(rows[0]!).join("  "));
		for (const row of rows) console.log(Object.values(row).join("  "));
		console.log(recordCsv("mechanics-closed-forms", rows));
		return rows.every(({ held }) => held === "yes") ? undefined : 1;
	},
};
