/** What goes wrong while a scene is simulated: bodies that fly away, and speeds that the step is too long for. Each kind is told once. */
import type { Bodies } from "../bodies/bodies.js";
import type { Mistake } from "./mistakes.js";
import type { Scene } from "./scene.js";

export class SceneWatch {
	readonly found: Mistake[] = [];
	readonly #scene: Pick<Scene, "description" | "speedLimit" | "step">;
	#isAwayTold = false;
	#isSpeedTold = false;

	constructor(scene: Pick<Scene, "description" | "speedLimit" | "step">) {
		this.#scene = scene;
	}

	/** After a step, of own bodies. */
	look(bodies: Bodies, time: number): void {
		for (let i = bodies.obstacles; i < bodies.obstacles + bodies.own; i += 1) {
			if (this.#isAwayTold && this.#isSpeedTold) break;
			const path = `body ${bodies.id[i]}`;
			if (!this.#isAwayTold && this.#isAway(bodies, 3 * i)) {
				this.#isAwayTold = true;
				const remedy = "look for what pushes it, give smaller steps, or change bounds in the scene";
				this.found.push({ path, problem: `left the bounds of the scene at ${shown(time)} s`, remedy });
			}
			const { speedLimit, step } = this.#scene;
			const [x, y, z] = [bodies.velocity[3 * i]!, bodies.velocity[3 * i + 1]!, bodies.velocity[3 * i + 2]!];
			const square = x * x + y * y + z * z;
			if (this.#isSpeedTold || !(square > speedLimit * speedLimit)) continue;
			this.#isSpeedTold = true;
			const problem = `moves at ${shown(Math.sqrt(square))} m/s at ${shown(time)} s: it may pass through others in a step`;
			const remedy = `give a step of at most ${shown((step * speedLimit) / Math.sqrt(square))}`;
			this.found.push({ path, problem, remedy });
		}
	}

	#isAway({ position }: Bodies, at: number): boolean {
		const { bounds } = this.#scene.description;
		if (bounds === undefined) return false;
		for (let d = 0; d < 3; d += 1) {
			const x = position[at + d]!;
			if (!(x >= bounds.lower[d]! && x <= bounds.upper[d]!)) return true;
		}
		return false;
	}
}

function shown(value: number): string {
	return String(Number(value.toPrecision(3)));
}
