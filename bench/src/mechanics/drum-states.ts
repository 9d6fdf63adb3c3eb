/** Drums of ellipsoids at work, as states that any number of runs begin from: short ones from the scene itself, one of 20,000 from a lattice that has fallen together. */
import { type RunState, toTheEnd } from "@stickslip/core/parallel";
import { buildScene, dealState, makeScene, Simulation, type SimulationSetup } from "@stickslip/mechanics";
import { filledDrum } from "./settled-drum.js";

/** A simulation and where it stands. */
export interface Start {
	readonly setup: SimulationSetup;
	readonly state: RunState;
}

const SOLVER = { tolerance: 1e-4 } as const;

function runOn(simulation: Simulation, steps: number): void {
	for (let step = 0; step < steps; step += 1) toTheEnd(simulation.step());
}

/** The drum of the scene after each of these numbers of steps, which ascend. */
export function drumAfter(bodies: number, kind: "rigid" | "pseudo-rigid", steps: readonly number[]): Start[] {
	const setup = { ...makeScene("drum", { bodies, kind }), solver: SOLVER };
	const simulation = new Simulation(setup, { onFailure: "continue" });
	return steps.map((wanted) => {
		runOn(simulation, wanted - simulation.steps);
		return { setup, state: simulation.state() };
	});
}

/** The scheme and tolerance by which the lattice falls together, in steps twice as long; then steps of the scene until solves are warm. */
const LOOSE = { scheme: { name: "velocity-impulse" }, solver: { tolerance: 0.1 }, step: 2e-3 } as const;
const LOOSE_STEPS = 60;
const OWN_STEPS = 4;

/** The full drum, which turns from where it is handed over. */
export function filledDrumState(bodies: number): Start {
	const time = LOOSE.step * LOOSE_STEPS;
	const scene = filledDrum({ bodies, shape: "ellipsoids", scheme: "half-step" }, time);
	const loose = new Simulation(buildScene({ ...scene, ...LOOSE }), { onFailure: "continue" });
	runOn(loose, LOOSE_STEPS);
	const setup = { ...buildScene(scene), solver: SOLVER };
	const simulation = new Simulation(setup, { onFailure: "continue" });
	// Steps count the time.
	simulation.resume(dealState({ ...loose.state(), iteration: Math.round(time / setup.step) }, 0, 1));
	runOn(simulation, OWN_STEPS);
	return { setup, state: simulation.state() };
}
