/** An engine of others, or ours, on a scene that all of them have: no events, bodies that are boxes or spheres, obstacles at rest or turning about the origin. */
import type { Quaternion, SceneDescription, Shape, Vector } from "@stickslip/mechanics";

/** Of all bodies: centres, unit quaternions (w, x, y, z), velocities of centres, angular velocities in world axes. */
export interface BodyStates {
	readonly position: Float64Array;
	readonly orientation: Float64Array;
	readonly velocity: Float64Array;
	readonly spin: Float64Array;
}

export interface EngineScene {
	readonly name: string;
	readonly description: SceneDescription;
	readonly steps: number;
	/** States are kept after each so many steps, the first time before the first step. */
	readonly every: number;
	/** An engine is stopped after so many seconds of processor time. */
	readonly limit: number;
	readonly truth: Truth;
}

/** What is known of a scene: whatever an engine has beside it is its error. */
export interface Truth {
	/** All bodies stay where they are. */
	readonly isAtRest?: boolean;
	/** Energy is kept where nothing moves, and falls where nothing gives any. Nothing is known of a scene that is driven. */
	readonly energy?: "kept" | "falls";
	/** Bodies overlap at the beginning: what of it is left at the end counts. */
	readonly overlaps?: boolean;
	/** Centres rise along `up` no higher than these; nothing is said of lift where this is absent. */
	readonly lift?: { readonly up: Vector; readonly highest: readonly number[] };
}

export interface EngineRun {
	/** Of each step: of processor time, which other programs do not disturb, and by the clock. */
	readonly seconds: readonly number[];
	readonly clock: readonly number[];
	readonly states: readonly BodyStates[];
	/** Contact problems that were not solved to the tolerance; absent where the engine does not ask. */
	readonly failedSteps?: number;
}

export interface Engine {
	readonly name: string;
	run(scene: EngineScene): Promise<EngineRun>;
}

/** What an engine in this process is reduced to. */
export interface World {
	step(): void;
	read(states: BodyStates): void;
	close(): void;
}

export function runWorld(world: World, { description, steps, every, limit }: EngineScene): EngineRun {
	const states: BodyStates[] = [];
	const seconds: number[] = [];
	const clock: number[] = [];
	const keep = () => {
		states.push(makeStates(description.bodies.length));
		world.read(states.at(-1)!);
	};
	try {
		keep();
		for (let step = 1, used = 0; step <= steps && used < limit; step += 1) {
			const [start, before] = [performance.now(), process.cpuUsage()];
			world.step();
			const { user, system } = process.cpuUsage(before);
			clock.push((performance.now() - start) / 1000);
			seconds.push((user + system) / 1e6);
			used += seconds.at(-1)!;
			if (step % every === 0) keep();
		}
	} finally {
		world.close();
	}
	return { seconds, clock, states };
}

export function makeStates(count: number): BodyStates {
	const three = () => new Float64Array(3 * count);
	return { position: three(), orientation: new Float64Array(4 * count), velocity: three(), spin: three() };
}

/** A body or obstacle as engines are told of it: convex parts in its own axes. */
export interface EngineBody {
	readonly parts: readonly EnginePart[];
	readonly position: Vector;
	readonly orientation: Quaternion;
	readonly velocity: Vector;
	/** Of an obstacle: about the origin, for ever. */
	readonly spin: Vector;
	readonly density: number;
}

export type EnginePart = { readonly position: Vector; readonly orientation: Quaternion } & (
	| { readonly kind: "box"; readonly size: Vector }
	| { readonly kind: "sphere"; readonly radius: number }
	| { readonly kind: "hull"; readonly vertices: readonly Vector[] }
);

const NO_TURN: Quaternion = [1, 0, 0, 0];
const ZERO: Vector = [0, 0, 0];
/** A plane is a box so many metres wide and half as thick: engines have different notions of half-spaces. */
const PLANE_SIZE = 40;

export interface EngineBodies {
	readonly obstacles: readonly EngineBody[];
	readonly bodies: readonly EngineBody[];
}

export function engineBodies(description: SceneDescription): EngineBodies {
	const { shapes, materials, obstacles, bodies } = description;
	const common = (each: { shape: string; material: string; position: Vector; orientation?: Quaternion }) => ({
		parts: partsOf(shapes[each.shape]!),
		position: each.position,
		orientation: each.orientation ?? NO_TURN,
		density: materials[each.material]!.density!,
	});
	return {
		obstacles: obstacles.map((each) => ({
			...common(each),
			velocity: ZERO,
			spin: each.motion?.[0]?.spin ?? ZERO,
		})),
		bodies: bodies.map((each) => ({ ...common(each), velocity: each.velocity ?? ZERO, spin: each.spin ?? ZERO })),
	};
}

function partsOf(shape: Shape): EnginePart[] {
	if (shape.kind === "union") {
		return shape.pieces.map(({ shape: piece, position = ZERO, orientation = NO_TURN }) => {
			return { ...partsOf(piece)[0]!, position, orientation };
		});
	}
	const at = { position: ZERO, orientation: NO_TURN };
	if (shape.kind === "box") return [{ kind: "box", size: shape.size, ...at }];
	if (shape.kind === "sphere") return [{ kind: "sphere", radius: shape.radius, ...at }];
	if (shape.kind === "polyhedron") return [{ kind: "hull", vertices: shape.vertices, ...at }];
	if (shape.kind === "plane") return [planePart(shape.normal, shape.offset)];
	throw new Error(`engines are given no ${shape.kind}`);
}

/** A box whose upper face is the plane. */
function planePart([x, y, z]: Vector, offset: number): EnginePart {
	const depth = offset - PLANE_SIZE / 4;
	// Turns the z axis to the normal, about their common perpendicular.
	const half = Math.sqrt((1 + z) / 2);
	const orientation: Quaternion = z > -1 + 1e-12 ? [half, -y / (2 * half), x / (2 * half), 0] : [0, 1, 0, 0];
	const size: Vector = [PLANE_SIZE, PLANE_SIZE, PLANE_SIZE / 2];
	return { kind: "box", size, position: [depth * x, depth * y, depth * z], orientation };
}
