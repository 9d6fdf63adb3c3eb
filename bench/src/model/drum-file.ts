/**
 * The contact problem of a settled drum as a file: its particles begin as in drum-large, and settle for some long steps on one rank. Kept under out/, as is
 * the state of a settling that was interrupted, which goes on from there.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { deserialize, serialize } from "node:v8";
import { saveGenerated } from "@stickslip/cluster-runner";
import { type Problem, rigidToGlobal } from "@stickslip/core";
import { type RunState, SelfCommunicator, toTheEnd } from "@stickslip/core/parallel";
import { buildScene, type ContactSolver, dealState, Simulation, TileSolver } from "@stickslip/mechanics";
import { type FilledDrum, filledDrum } from "../mechanics/settled-drum.js";

const kept = fileURLToPath(new URL("../../../out/model/", import.meta.url));
const STEP = 2e-3;
const TOLERANCE = 1e-2;
/** Seconds of steps between two states that are kept. */
const KEPT_SECONDS = 30;

export interface SettledDrum {
	readonly particles: number;
	readonly kind: NonNullable<FilledDrum["kind"]>;
	readonly steps: number;
}

export async function drumFile(drum: SettledDrum, print: (line: string) => void, folder = kept): Promise<string> {
	const { particles, kind, steps } = drum;
	const name = kind === "rigid" ? `drum-${particles}-${steps}` : `drum-${kind}-${particles}-${steps}`;
	const path = join(folder, `${name}.hdf5`);
	if (existsSync(path)) return path;
	mkdirSync(folder, { recursive: true });
	const statePath = join(folder, `${name}.state`);
	const problem = settled(drum, statePath, print);
	const origin = `bench model: drum with ${particles} ${kind} spheres, after ${steps} steps of ${STEP} s`;
	const { rigid, q } = problem;
	if (rigid === undefined) await saveGenerated(path, problem, "local", origin);
	else await saveGenerated(path, { ...problem, global: rigidToGlobal(rigid, q) }, "global", origin);
	rmSync(statePath, { force: true });
	return path;
}

/** The problem of the last step. */
function settled({ particles, kind, steps }: SettledDrum, statePath: string, print: (line: string) => void): Problem {
	const drum = filledDrum({ bodies: particles, kind, shape: "spheres", scheme: "velocity-impulse" });
	const tiles = new TileSolver();
	let last: Problem | undefined;
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
	if (existsSync(statePath)) simulation.resume(dealState(deserialize(readFileSync(statePath)) as RunState, 0, 1));
	print(`settling ${particles} ${kind} particles: ${simulation.steps} of ${steps} steps are done`);
	let then = performance.now();
	while (simulation.steps < steps) {
		toTheEnd(simulation.step());
		// The last step is not kept: the problem is its own.
		if (performance.now() - then < 1000 * KEPT_SECONDS || simulation.steps === steps) continue;
		writeFileSync(statePath, serialize(simulation.state()));
		then = performance.now();
	}
	if (last === undefined) throw new Error("a drum settles for one step at least");
	return last;
}
