/** A row of the table: what a step takes, and what of the states that an engine leaves is an error, in parts of the smallest body so that scenes can be compared. */
import type { EngineRun, EngineScene } from "./engine.js";
import { energyDrift, energyGain, farthest, lift, measureStates } from "./measures.js";

export type EngineRow = {
	readonly scene: string;
	readonly engine: string;
	/** Done, and wanted. */
	readonly steps: string;
	readonly wanted: string;
	/** Milliseconds per step in the second half: mean of processor time, and median by the clock. */
	readonly ms: string;
	readonly clock: string;
	/** Of the last state. */
	readonly contacts: string;
	/** Deepest overlap of all states after the first, and the mean one of contacts; of the last state where bodies overlap at the beginning. */
	readonly deepest: string;
	readonly depth: string;
	/** How far the body that went farthest went, where nothing should move. */
	readonly creep: string;
	/** How far any body was above where it may be. */
	readonly lift: string;
	/** Of energy, over the weight of all bodies times the size of the smallest: what is gained where none is given, or changes where nothing should. */
	readonly energy: string;
	/** Steps whose contact problem was not solved to the tolerance, where the engine knows. */
	readonly failed: string;
	/** Why it did not do all steps. */
	readonly ended: string;
};

export function rowOf(scene: EngineScene, engine: string, run: EngineRun): EngineRow {
	const { description, name, steps: wanted, truth, limit } = scene;
	const steps = run.seconds.length;
	if (steps === 0) return lostRow(scene, engine, `no step within ${limit} s`);
	const measured = run.states.map((states, k) =>
		measureStates(description, states, k * scene.every * description.step),
	);
	// One that was stopped before its second state has shown its speed alone.
	const after = truth.overlaps ? measured.slice(1).slice(-1) : measured.slice(1);
	const error = (value: () => number) => (after.length > 0 ? number(value()) : "");
	const size = smallest(description);
	const energies = measured.map(({ energy }) => energy);
	const energyError = truth.energy === "kept" ? energyDrift(energies) : energyGain(energies);
	return {
		...{ scene: name, engine, steps: String(steps), wanted: String(wanted) },
		ms: number(1000 * mean(run.seconds.slice(steps >> 1))),
		clock: number(1000 * median(run.clock.slice(steps >> 1))),
		contacts: String(measured.at(-1)!.contacts),
		deepest: error(() => Math.max(...after.map(({ deepest }) => deepest)) / size),
		depth: error(() => mean(after.map(({ meanDepth }) => meanDepth)) / size),
		creep: truth.isAtRest ? error(() => farthest(run.states) / size) : "",
		lift: truth.lift ? error(() => lift(run.states, truth.lift!.up, truth.lift!.highest) / size) : "",
		energy: truth.energy ? error(() => energyError / (weightOf(description) * size)) : "",
		failed: run.failedSteps === undefined ? "" : String(run.failedSteps),
		ended: steps < wanted ? `stopped at ${limit} s` : "",
	};
}

/** Of an engine that did not do a step. */
export function lostRow({ name, steps: wanted }: EngineScene, engine: string, ended: string): EngineRow {
	const nothing = {
		ms: "",
		clock: "",
		contacts: "",
		deepest: "",
		depth: "",
		creep: "",
		lift: "",
		energy: "",
		failed: "",
	};
	return { scene: name, engine, steps: "0", wanted: String(wanted), ...nothing, ended };
}

const number = (value: number) => value.toPrecision(3);

function mean(values: readonly number[]): number {
	return values.reduce((sum, each) => sum + each, 0) / values.length;
}

function median(values: readonly number[]): number {
	return [...values].sort((one, other) => one - other)[values.length >> 1]!;
}

/** Least diameter or edge. */
function smallest({ bodies, shapes }: EngineScene["description"]): number {
	const sizes = [...new Set(bodies.map(({ shape }) => shape))].map((name) => {
		const shape = shapes[name]!;
		return shape.kind === "sphere" ? 2 * shape.radius : shape.kind === "box" ? Math.min(...shape.size) : Number.NaN;
	});
	return Math.min(...sizes);
}

/** Of all bodies, newtons. */
function weightOf({ bodies, shapes, materials, gravity }: EngineScene["description"]): number {
	const g = Math.sqrt(gravity.reduce((sum, each) => sum + each * each, 0));
	const mass = bodies.reduce((sum, { shape: name, material }) => {
		const shape = shapes[name]!;
		const volume =
			shape.kind === "sphere"
				? (4 / 3) * Math.PI * shape.radius ** 3
				: shape.kind === "box"
					? shape.size[0] * shape.size[1] * shape.size[2]
					: Number.NaN;
		return sum + volume * materials[material]!.density!;
	}, 0);
	return g * mass;
}
