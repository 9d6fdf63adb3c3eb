/** Ours on one rank, by the scheme of the scene. */
import { openScene, runSteps } from "../simulate.js";
import { type Engine, runWorld } from "./engine.js";
import { uncheckedScene } from "./unchecked.js";

export function ours(tolerance: number): Engine {
	return {
		name: "stickslip",
		async run(scene) {
			const { description } = scene;
			const simulation = openScene(
				uncheckedScene({ ...description, solver: { ...description.solver, tolerance, measure: "natural" } }),
			);
			const world = {
				step: () => runSteps(simulation, 1),
				read(states: Parameters<Parameters<typeof runWorld>[0]["read"]>[0]) {
					const { position, orientation, velocity, spin, obstacles } = simulation.bodies;
					states.position.set(position.subarray(3 * obstacles));
					states.orientation.set(orientation.subarray(4 * obstacles));
					states.velocity.set(velocity.subarray(3 * obstacles));
					states.spin.set(spin.subarray(3 * obstacles));
				},
				close() {},
			};
			return { ...runWorld(world, scene), failedSteps: simulation.failedSteps };
		},
	};
}
