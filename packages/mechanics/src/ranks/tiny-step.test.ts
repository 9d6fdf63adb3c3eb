/** Steps of few contacts in one call: the reactions, counts and words of the way that ranks go, which a given budget asks for. */
import { Random } from "@stickslip/core";
import { toTheEnd } from "@stickslip/core/parallel";
import { expect, test } from "vitest";
import { buildScene, describeScene, type SceneDescription, Simulation } from "../index.js";
import type { ContactSolver, SolverOptions, StepProblem, StepSolution } from "./contact-solver.js";
import type { Domain } from "./domain.js";
import { TileSolver } from "./tile-solver.js";
import { TinySteps } from "./tiny-step.js";

/** Everything but the time. */
function facts({ reaction, report }: StepSolution) {
	const { status, reason, iterations, products, error, seconds } = report;
	expect(seconds).toBeGreaterThanOrEqual(0);
	return { reaction, status, reason, iterations, products, error };
}

/** Solves each step both ways, now and then from a start that has been spoilt, and counts what went which. */
class Comparer implements ContactSolver {
	tiny = 0;
	general = 0;
	handedOut = 0;
	sweeps = 0;
	readonly #tiles = new TileSolver();
	readonly #both = new TileSolver();
	readonly #steps = new TinySteps();
	readonly #random = new Random(7);

	*solve(given: StepProblem, options: SolverOptions, domain: Domain): Generator<void, StepSolution, void> {
		const step = { ...given, start: this.#spoilt(given.start) };
		const set = { products: 1e9 };
		const general = yield* this.#tiles.solve(step, { ...options, set }, domain);
		const outcome = this.#steps.solve(step, options, domain);
		if (outcome === undefined || "state" in outcome) {
			this.general += 1;
			if (outcome !== undefined) this.handedOut += 1;
			// Where the way of ranks goes on, it comes to the same.
			expect(facts(yield* this.#both.solve(step, options, domain))).toEqual(facts(general));
			return general;
		}
		const tiny = outcome.solution;
		this.tiny += 1;
		this.sweeps += tiny.report.iterations;
		expect(facts(tiny)).toEqual(facts(general));
		const twin = new TinySteps().solve(step, options, domain, "twin");
		expect(twin && "solution" in twin && facts(twin.solution)).toEqual(facts(general));
		return general;
	}

	#spoilt(start: Float64Array | undefined): Float64Array | undefined {
		const chance = this.#random.uniform();
		if (start === undefined || chance < 0.7) return start;
		if (chance < 0.8) return undefined;
		const size = chance < 0.9 ? 100 : 0.3;
		return start.map((value) => value * this.#random.between(-size, size));
	}
}

const scenes: [string, SceneDescription][] = [
	["at rest", describeScene("incline", { angle: 25, friction: 0.5 })],
	["sliding", describeScene("incline", { angle: 25, friction: 0.3, speed: 1 })],
	["stack", describeScene("stack", { bodies: 3, gap: 0.002, offset: 0.2 })],
	["tower of spheres", describeScene("stack", { bodies: 8, shape: "spheres", ratio: 10 })],
	["falling boxes", describeScene("pile", { bodies: 5 })],
	["planks in tiles", describeScene("pile", { bodies: 40, shape: "planks" })],
];

test.each(scenes)("%s: the answers of the way of ranks", (_, description) => {
	let [tiny, sweeps] = [0, 0];
	for (const [measure, tolerance] of [
		["natural", 1e-4],
		["energy", 1e-8],
		["merit", 1e-12],
	] as const) {
		const solver = new Comparer();
		const scene = buildScene({ ...description, solver: { measure, tolerance } });
		const simulation = new Simulation(scene, { solver, onFailure: "continue" });
		for (let i = 0; i < 100; i += 1) toTheEnd(simulation.step());
		tiny += solver.tiny;
		sweeps += solver.sweeps;
	}
	expect(tiny).toBeGreaterThan(50);
	expect(sweeps).toBeGreaterThan(0);
});

test("what asks for more goes the way of ranks", () => {
	const never: SolverOptions[] = [{ method: "pqn" }, { maxIterations: 3 }, { timeLimit: 0 }, { set: { products: 9 } }];
	const asked: boolean[] = [];
	const tiles = new TileSolver();
	const solver: ContactSolver = {
		*solve(step, options, domain) {
			const steps = new TinySteps();
			for (const more of never) asked.push(steps.solve(step, { ...options, ...more }, domain) !== undefined);
			return yield* tiles.solve(step, options, domain);
		},
	};
	toTheEnd(new Simulation(buildScene(describeScene("incline", {})), { solver }).step());
	expect(asked).toEqual(never.map(() => false));
});
