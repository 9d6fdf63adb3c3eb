/** Bodies that fly away while a scene is simulated, and become nonsense. What the step is too long for is in run-warnings.ts. */
import { InputError } from "@stickslip/core";
import type { Bodies } from "../bodies/bodies.js";
import type { Vector } from "../shapes/shape.js";
import { pathOfBody } from "./checks.js";
import type { Mistake } from "./mistakes.js";
import type { Scene } from "./scene.js";

/** Where a scene has no bounds: a body that is this many times the size of what is there away from it has flown away. */
const FAR = 100;
/** Metres, and metres per second: beyond, and where they are no numbers, sums of squares lose all meaning. */
const NONSENSE = 1e100;

interface Bounds {
	readonly lower: Vector;
	readonly upper: Vector;
}

export class SceneWatch {
	readonly found: Mistake[] = [];
	readonly #scene: Scene;
	readonly #bounds: Bounds;
	#isAwayTold = false;

	constructor(scene: Scene) {
		this.#scene = scene;
		this.#bounds = scene.description.bounds ?? boundsOf(scene);
	}

	/** After a step, of own bodies. Throws where one has become nonsense: nothing that comes after it would mean anything. */
	look(bodies: Bodies, time: number): void {
		const { description } = this.#scene;
		for (let i = bodies.obstacles; i < bodies.obstacles + bodies.own; i += 1) {
			this.#requireNumbers(bodies, i, time);
			if (!this.#isAwayTold && this.#isAway(bodies, 3 * i)) {
				this.#isAwayTold = true;
				const remedy = "look for what pushes it, give smaller steps, or change bounds in the scene";
				const problem = `left the bounds of the scene at ${shown(time)} s`;
				this.found.push({ path: pathOfBody(description, bodies.id[i]!), problem, remedy });
			}
		}
	}

	#requireNumbers({ position, velocity, id }: Bodies, i: number, time: number): void {
		for (let k = 3 * i; k < 3 * i + 3; k += 1) {
			if (Math.abs(position[k]!) < NONSENSE && Math.abs(velocity[k]!) < NONSENSE) continue;
			const path = pathOfBody(this.#scene.description, id[i]!);
			const problem = `is at ${position[k]} m with ${velocity[k]} m/s at ${shown(time)} s`;
			throw new InputError("simulation", path, problem, "look for what pushes it, or give smaller steps");
		}
	}

	#isAway({ position }: Bodies, at: number): boolean {
		const { lower, upper } = this.#bounds;
		for (let d = 0; d < 3; d += 1) {
			const x = position[at + d]!;
			if (x < lower[d]! || x > upper[d]!) return true;
		}
		return false;
	}
}

/** Around all bodies, with those of events, and obstacles that end somewhere. */
function boundsOf({ model, bodies, events }: Scene): Bounds {
	const lower = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
	const upper = lower.map((x) => -x);
	for (const list of [bodies, ...events.flatMap((event) => (event.kind === "add" ? [event.bodies] : []))]) {
		for (let i = 0; i < list.count; i += 1) {
			const { reach } = model.shapes[list.shape[i]!]!;
			if (!Number.isFinite(reach)) continue;
			for (let d = 0; d < 3; d += 1) {
				lower[d] = Math.min(lower[d]!, list.position[3 * i + d]! - reach);
				upper[d] = Math.max(upper[d]!, list.position[3 * i + d]! + reach);
			}
		}
	}
	const size = FAR * Math.max(0, ...upper.map((x, d) => x - lower[d]!));
	return {
		lower: [lower[0]! - size, lower[1]! - size, lower[2]! - size],
		upper: [upper[0]! + size, upper[1]! + size, upper[2]! + size],
	};
}

function shown(value: number): string {
	return String(Number(value.toPrecision(3)));
}
