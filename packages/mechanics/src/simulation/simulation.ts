/**
 * The loop over steps. A step brings bodies where contacts are found, finds them, makes the contact problem of the free velocities, solves it and takes
 * the reactions to the bodies (time/scheme.ts has the equations). One rank and many are the same: whose bodies are whose is the domain's.
 */
import type { Problem } from "@stickslip/core";
import { type Communicator, SelfCommunicator } from "@stickslip/core/parallel";
import { grown } from "../base/grow.js";
import type { Bodies } from "../bodies/bodies.js";
import { spinBody } from "../bodies/make.js";
import type { Model } from "../bodies/model.js";
import { ContactList } from "../contacts/contact-list.js";
import { ContactDetector } from "../contacts/detect.js";
import { ProblemMaker } from "../contacts/problem.js";
import { addImpulses, relativeVelocity } from "../contacts/velocity.js";
import { WarmStarts } from "../contacts/warm-starts.js";
import type { ContactSolver, SolverOptions, StepSolution } from "../ranks/contact-solver.js";
import { Domain, type DomainOptions } from "../ranks/domain.js";
import { SingleRankSolver } from "../ranks/single-rank-solver.js";
import type { Scheme } from "../time/scheme.js";
import type { SimulationEvent } from "./events.js";
import { hashOfBodies } from "./hash.js";
import { measureMechanics, type PhaseSeconds, type StepStatistics } from "./statistics.js";

/** What is simulated. */
export interface SimulationSetup {
	readonly name: string;
	readonly model: Model;
	/** Obstacles, and the bodies that are there from the beginning: all of them, on every rank. */
	readonly bodies: Bodies;
	/** By ascending time. */
	readonly events: readonly SimulationEvent[];
	readonly scheme: Scheme;
	/** Length of a step in seconds. */
	readonly step: number;
	readonly solver: SolverOptions;
}

/** A solve that did not reach its tolerance. */
export interface FailedSolve {
	/** Of the step that was under way, counted from 0. */
	readonly step: number;
	readonly problem: Problem;
	readonly start: Float64Array | undefined;
	readonly options: SolverOptions;
	readonly report: StepSolution["report"];
}

export interface SimulationOptions {
	readonly communicator?: Communicator;
	readonly solver?: ContactSolver;
	readonly domain?: DomainOptions;
	/** What becomes of a step that no remedy helps: stop (default) throws a StepFailure, continue takes the best reactions and counts it. */
	readonly onFailure?: "stop" | "continue";
	/** Is told of each solve that failed, before it is tried again. */
	readonly onFailedSolve?: (failed: FailedSolve) => void;
}

/** A step whose solve failed, whatever was tried. */
export class StepFailure extends Error {
	readonly step: number;
	readonly report: StepSolution["report"];

	constructor(step: number, report: StepSolution["report"]) {
		super(`step ${step} was not solved: ${report.reason}`);
		this.name = "StepFailure";
		this.step = step;
		this.report = report;
	}
}

export class Simulation {
	readonly setup: SimulationSetup;
	readonly domain: Domain;
	/** Found in the last step. */
	readonly contacts = new ContactList();
	/** Steps done. */
	steps = 0;
	failedSteps = 0;
	readonly #model: { -readonly [Name in keyof Model]: Model[Name] };
	readonly #options: SimulationOptions;
	readonly #solver: ContactSolver;
	readonly #detector: ContactDetector;
	readonly #problems = new ProblemMaker();
	readonly #warm = new WarmStarts();
	#nextEvent = 0;
	/** Contacts of each own body in the last step. */
	#work = new Int32Array(0);
	#reaction = new Float64Array(0);
	#q = new Float64Array(0);
	#before = new Float64Array(0);
	#impulses = { linear: new Float64Array(0), angular: new Float64Array(0), rate: new Float64Array(0) };

	constructor(setup: SimulationSetup, options: SimulationOptions = {}) {
		const { model, bodies, events } = setup;
		const { communicator = new SelfCommunicator() } = options;
		this.setup = setup;
		this.#options = options;
		this.#solver = options.solver ?? new SingleRankSolver();
		this.#model = { ...model, motions: [...(model.motions ?? [])], gravity: model.gravity.slice() };
		this.#detector = new ContactDetector(this.#model);
		const hasRates =
			bodies.rate.length > 0 || events.some((each) => each.kind === "add" && each.bodies.rate.length > 0);
		const obstacles = { ...bodies, own: 0, count: bodies.obstacles, total: bodies.obstacles };
		this.domain = new Domain(this.#model, obstacles, hasRates, communicator, options.domain);
		this.#warm.obstacles = bodies.obstacles;
		this.domain.add(bodies, bodies.total);
	}

	/** Seconds since the beginning. */
	get time(): number {
		return this.steps * this.setup.step;
	}

	get bodies(): Bodies {
		return this.domain.bodies;
	}

	get model(): Model {
		return this.#model;
	}

	/** Of the contacts of the last step, in their frames: impulses. */
	get reaction(): Float64Array {
		return this.#reaction.subarray(0, 3 * this.contacts.count);
	}

	/** Collective. The hash of the state of all bodies. */
	hash(): string {
		return hashOfBodies(this.bodies, this.domain.communicator);
	}

	/** Collective. One step; yields where the thread may do other work. */
	*step(): Generator<void, StepStatistics, void> {
		const { scheme, step: h } = this.setup;
		const { domain, contacts } = this;
		const model = this.#model;
		const t = this.time;
		const clock = new Clock();
		this.#happen(t);
		scheme.configure(model, domain.bodies, t, h);
		clock.lap("rest");
		const margin = scheme.margin(model);
		const bodies = domain.arrange(this.steps, margin, this.#work, this.#warm);
		this.#detector.detect(bodies, margin, contacts);
		clock.lap("detect");
		scheme.freeVelocity(model, bodies, t, h);
		clock.lap("rest");
		const problem = this.#problem(bodies);
		const start = this.#warm.start(bodies, contacts);
		clock.lap("setup");
		const { solution, retries } = yield* this.#solve(problem, start);
		clock.lap("setup");
		clock.move("setup", "solve", solution.report.seconds);
		this.#react(bodies, solution.reaction);
		scheme.finish(model, bodies, this.#impulses, t, h);
		this.#warm.remember(bodies, contacts, this.reaction);
		this.steps += 1;
		const mechanics = measureMechanics(model, bodies, contacts, () => true, domain.totals);
		clock.lap("rest");
		const { status, iterations, products, error } = solution.report;
		return {
			step: this.steps,
			time: this.time,
			bodies: bodies.total - bodies.obstacles,
			contacts: contacts.count,
			...{ status, iterations, products, error, retries },
			failedSteps: this.failedSteps,
			seconds: clock.seconds,
			...mechanics,
		};
	}

	/** What is due at time t. */
	#happen(t: number): void {
		const { events, step } = this.setup;
		for (; this.#nextEvent < events.length; this.#nextEvent += 1) {
			const event = events[this.#nextEvent]!;
			// Times of events and of steps are rounded products.
			if (event.time > t + 1e-9 * step) return;
			if (event.kind === "add") this.domain.add(event.bodies, this.bodies.total + event.bodies.own);
			else if (event.kind === "gravity") this.#model.gravity = Float64Array.from(event.gravity);
			else if (event.kind === "motion") this.#model.motions = withMotion(this.#model, event.obstacle, event.motion);
			else release(this.bodies, event);
		}
	}

	/** q = H b and what the scheme adds to it. */
	#problem(bodies: Bodies): Problem {
		const { scheme, step: h, name } = this.setup;
		const { contacts } = this;
		const { count, gap, restitution } = contacts;
		this.#q = grown(this.#q, 3 * count);
		this.#before = grown(this.#before, 3 * count);
		relativeVelocity(bodies, contacts, bodies, this.#q);
		relativeVelocity(bodies, contacts, scheme.before, this.#before);
		for (let a = 0; a < count; a += 1) {
			this.#q[3 * a]! += scheme.contactTerm(gap[a]!, restitution[a]!, this.#before[3 * a]!, h);
		}
		return this.#problems.make(name, bodies, contacts, scheme.inverseMasses, this.#q);
	}

	/** Tries one remedy after another until the problem is solved. */
	*#solve(problem: Problem, start: Float64Array | undefined) {
		const { contacts, domain } = this;
		if (domain.totals.counts(Float64Array.of(contacts.count))[0] === 0) return { solution: NOTHING, retries: 0 };
		const { solver: options } = this.setup;
		let best: StepSolution | undefined;
		let retries = 0;
		for (const remedy of REMEDIES) {
			const tried = remedy(options, start);
			if (tried === undefined) continue;
			if (best !== undefined) retries += 1;
			const solution = yield* this.#solver.solve({ problem, contacts, start: tried.start }, tried.options, domain);
			if (best === undefined || solution.report.error < best.report.error) best = solution;
			if (solution.report.status === "solved") return { solution, retries };
			const failed = { step: this.steps, problem, start: tried.start, options: tried.options, report: solution.report };
			this.#options.onFailedSolve?.(failed);
		}
		this.failedSteps += 1;
		if (this.#options.onFailure !== "continue") throw new StepFailure(this.steps, best!.report);
		return { solution: best!, retries };
	}

	/** H^T R of the bodies. */
	#react(bodies: Bodies, reaction: Float64Array): void {
		const { contacts } = this;
		this.#reaction = grown(this.#reaction, 3 * contacts.count);
		this.#reaction.set(reaction.subarray(0, 3 * contacts.count));
		const { linear, angular, rate } = this.#impulses;
		this.#impulses = {
			linear: grown(linear, 3 * bodies.count).fill(0),
			angular: grown(angular, 3 * bodies.count).fill(0),
			rate: grown(rate, bodies.rate.length).fill(0),
		};
		addImpulses(bodies, contacts, this.reaction, this.#impulses);
		this.#countWork(bodies);
	}

	#countWork({ own, obstacles, count }: Bodies): void {
		const work = new Int32Array(count);
		for (let k = 0; k < 2 * this.contacts.count; k += 1) work[this.contacts.body[k]!]! += 1;
		this.#work = work.subarray(obstacles, obstacles + own);
	}
}

const NOTHING: StepSolution = {
	reaction: new Float64Array(0),
	report: { status: "solved", reason: "no contacts", iterations: 0, products: 0, error: 0, seconds: 0 },
};

interface Attempt {
	readonly options: SolverOptions;
	readonly start: Float64Array | undefined;
}

/** How a step is solved, and how it is tried again: from zero, by the method that is most robust, and by that with many more iterations. */
const REMEDIES: readonly ((options: SolverOptions, start: Float64Array | undefined) => Attempt | undefined)[] = [
	(options, start) => ({ options, start }),
	(options, start) => start && { options, start: undefined },
	({ set: _set, ...options }) => ({ options: { ...options, method: "auto" }, start: undefined }),
];

/** Seconds by phase. */
class Clock {
	readonly seconds: { -readonly [Phase in keyof PhaseSeconds]: number } = { detect: 0, setup: 0, solve: 0, rest: 0 };
	#last = performance.now();

	/** What has passed since the last call was this phase. */
	lap(phase: keyof PhaseSeconds): void {
		const now = performance.now();
		this.seconds[phase] += (now - this.#last) / 1000;
		this.#last = now;
	}

	move(from: keyof PhaseSeconds, to: keyof PhaseSeconds, seconds: number): void {
		this.seconds[from] -= seconds;
		this.seconds[to] += seconds;
	}
}

function withMotion({ motions = [] }: Model, obstacle: number, motion: NonNullable<Model["motions"]>[number]) {
	const changed = [...motions];
	changed[obstacle] = motion;
	return changed;
}

function release(bodies: Bodies, event: Extract<SimulationEvent, { kind: "release" }>): void {
	const { ids, velocity, spin } = event;
	const released = new Set(ids);
	for (let place = bodies.obstacles; place < bodies.count; place += 1) {
		if (!released.has(bodies.id[place]!)) continue;
		bodies.isHeld[place] = 0;
		if (velocity) bodies.velocity.set(velocity, 3 * place);
		if (spin === undefined) continue;
		bodies.spin.set(spin, 3 * place);
		spinBody(bodies, place);
	}
}
