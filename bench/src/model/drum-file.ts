/** The contact problem of a settled drum as a file: its particles begin as in drum-large, and settle for some long steps on one rank. Kept under out/. */
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { saveGenerated } from "@stickslip/cluster-runner";
import { type GeneratedProblem, rigidToGlobal } from "@stickslip/core";
import { SelfCommunicator, toTheEnd } from "@stickslip/core/parallel";
import { buildScene, type ContactSolver, Simulation, TileSolver } from "@stickslip/mechanics";
import { filledDrum } from "../mechanics/settled-drum.js";

const kept = fileURLToPath(new URL("../../../out/model/", import.meta.url));
const STEP = 2e-3;
const TOLERANCE = 1e-2;

export async function drumFile(
	particles: number,
	steps: number,
	print: (line: string) => void,
	folder = kept,
): Promise<string> {
	const path = join(folder, `drum-${particles}-${steps}.hdf5`);
	if (existsSync(path)) return path;
	mkdirSync(folder, { recursive: true });
	print(`settling ${particles} particles for ${steps} steps`);
	const problem = settled(particles, steps);
	const { rigid, q } = problem;
	const origin = `bench model: drum with ${particles} spheres, after ${steps} steps of ${STEP} s`;
	await saveGenerated(path, { ...problem, global: rigidToGlobal(rigid, q) }, "global", origin);
	return path;
}

/** The problem of the last step. */
function settled(particles: number, steps: number): GeneratedProblem {
	const drum = filledDrum({ bodies: particles, shape: "spheres", scheme: "velocity-impulse" });
	const tiles = new TileSolver();
	let last: unknown;
	const solver: ContactSolver = {
		*solve(step, options, domain) {
			last = step.problem;
			return yield* tiles.solve(step, options, domain);
		},
	};
	const scene = buildScene({ ...drum, step: STEP, solver: { tolerance: TOLERANCE } });
	const simulation = new Simulation(scene, {
		communicator: new SelfCommunicator(),
		solver,
		onFailure: "continue",
	});
	for (let step = 0; step < steps; step += 1) toTheEnd(simulation.step());
	return last as GeneratedProblem;
}
