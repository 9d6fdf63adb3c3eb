/**
 * The drum with all its particles settled at its bottom, as a state that simulations go on from. Dropped as in the scene they would take thousands of steps;
 * here they begin as a lattice of particles that touch, at the bottom of the drum and with small random velocities, and settle in steps twice as long of the
 * scheme that closes gaps and takes overlaps back, to a loose tolerance. The last steps are as the measured ones. States are kept under out/.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { deserialize, serialize } from "node:v8";
import type { RunState } from "@stickslip/core/parallel";
import { describeScene, type SceneBody, type SceneDescription, type Vector } from "@stickslip/mechanics";
import type { DrumRanks } from "./drum-ranks.js";

export interface Settling {
	/** Long steps to settle by, and steps of the scene after them. */
	readonly long: number;
	readonly own: number;
}

const LONG_STEP = 2e-3;
/** Largest random velocity along each axis, m/s, by which the lattice collapses. */
const JITTER = 0.3;
const TOLERANCE = 1e-3;
const LOOSE_TOLERANCE = 1e-2;
/** Of neighbours, relative to their size. */
const CLEARANCE = 1e-6;
/** Inside all flat pieces of the drum, which is so wide. */
const RADIUS = 0.995;
const WIDTH = 0.5;

const CLOSING = { name: "velocity-impulse" } as const;

export interface FilledDrum {
	readonly bodies: number;
	readonly shape: "ellipsoids" | "spheres";
	/** Of particles; rigid unless said. */
	readonly kind?: "rigid" | "pseudo-rigid";
	/** The drum's own, or the one that it settles by. */
	readonly scheme: "half-step" | "velocity-impulse";
}

/** All particles at the bottom of the drum, which turns from a time on. */
export function filledDrum(
	{ bodies, shape, scheme, kind = "rigid" }: FilledDrum,
	turnsFrom = Number.POSITIVE_INFINITY,
): SceneDescription {
	const drum = describeScene("drum", { bodies, shape, kind, jitter: JITTER });
	const added = drum.events.flatMap((event) => (event.kind === "add" ? event.bodies : []));
	const particles = [...drum.bodies, ...added];
	const places = lattice(bodies, radiiOf(drum));
	const turning = turnsFrom < Number.POSITIVE_INFINITY ? [{ from: turnsFrom, spin: [0, 1, 0] as Vector }] : [];
	return {
		...drum,
		...(scheme === CLOSING.name && { scheme: { ...drum.scheme, ...CLOSING } }),
		solver: { tolerance: TOLERANCE },
		obstacles: drum.obstacles.map((each) => ({ ...each, motion: turning })),
		bodies: particles.map((each, i): SceneBody => ({ ...each, position: places[i]! })),
		events: [],
	};
}

function radiiOf({ shapes }: SceneDescription): Vector {
	const particle = shapes.particle!;
	if (particle.kind === "sphere") return [particle.radius, particle.radius, particle.radius];
	if (particle.kind === "ellipsoid") return particle.radii;
	throw new Error(`particles of the drum are no ${particle.kind}`);
}

/** So many places by layers from below. */
function lattice(count: number, [rx, ry, rz]: Vector): Vector[] {
	const wide = 1 + CLEARANCE;
	const across = Math.floor(RADIUS / (rx * wide));
	const deep = Math.floor(WIDTH / (2 * ry * wide));
	const inside = (RADIUS - Math.max(rx, rz)) ** 2;
	const places: Vector[] = [];
	for (let z = -RADIUS; places.length < count && z < RADIUS; z += 2 * rz * wide) {
		for (let j = 0; j < deep; j += 1) {
			for (let i = 0; i < across; i += 1) {
				const x = (2 * i + 1 - across) * rx * wide;
				if (x * x + z * z < inside) places.push([x, WIDTH / 2 + (2 * j + 1 - deep) * ry * wide, z]);
			}
		}
	}
	if (places.length < count) throw new Error(`the drum has no room for ${count} particles`);
	return places;
}

/** Where states are kept. */
const kept = fileURLToPath(new URL("../../../out/drum-large/", import.meta.url));

interface Kept {
	/** Of the description and of how it settled. */
	readonly digest: string;
	readonly state: RunState;
}

/** Made by the ranks where none is kept of the same scene. */
export async function settledState(
	description: SceneDescription,
	{ long, own }: Settling,
	ranks: DrumRanks,
	print: (line: string) => void,
	folder = kept,
): Promise<RunState> {
	const digest = createHash("sha256").update(JSON.stringify({ description, long, own })).digest("hex");
	const file = join(folder, `${digest.slice(0, 16)}.state`);
	if (existsSync(file)) {
		const found = deserialize(readFileSync(file)) as Kept;
		if (found.digest === digest) return found.state;
	}
	print(
		`settling ${description.bodies.length} particles: ${long} steps of ${LONG_STEP} s and ${own} of ${description.step} s`,
	);
	const loose = { scheme: CLOSING, solver: { tolerance: LOOSE_TOLERANCE } } as const;
	await ranks.open("all", { ...description, ...loose, step: LONG_STEP });
	await ranks.step("all", long);
	const settled = await ranks.state("all");
	// Steps count the time.
	const iteration = Math.round((settled.iteration * LONG_STEP) / description.step);
	await ranks.open("all", description, { ...settled, iteration });
	await ranks.step("all", own);
	const state = await ranks.state("all");
	mkdirSync(folder, { recursive: true });
	writeFileSync(file, serialize({ digest, state } satisfies Kept));
	return state;
}
