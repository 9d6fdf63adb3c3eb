/** Runs scenes here, on one rank, for the benches: steps and what was told of them. */
import { toTheEnd } from "@stickslip/core/parallel";
import { type Scene, Simulation, type SimulationOptions, type StepStatistics } from "@stickslip/mechanics";

export function openScene(scene: Scene, options: SimulationOptions = { onFailure: "continue" }): Simulation {
	return new Simulation(scene, options);
}

/** So many steps; `each` sees what is told of each of them. */
export function runSteps(simulation: Simulation, steps: number, each: (told: StepStatistics) => void = () => {}): void {
	for (let step = 0; step < steps; step += 1) each(toTheEnd(simulation.step()));
}
