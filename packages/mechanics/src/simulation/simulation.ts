/**
 * The loop over steps. A step brings bodies where contacts are found, finds them, makes the contact problem of the free velocities, solves it and takes
 * the reactions to the bodies (time/scheme.ts has the equations, by their numbers). One rank and many are the same: whose bodies are whose is the domain's.
 */
import type { LawName, Problem } from "@stickslip/core";
import { type Communicator, type RunState, SelfCommunicator, toTheEnd } from "@stickslip/core/parallel";
import { grown } from "../base/grow.js";
import { KeptView } from "../base/kept-view.js";
import type { Bodies } from "../bodies/bodies.js";
import { haveMoments } from "../bodies/contact-parameters.js";
import { spinBody } from "../bodies/make.js";
import type { Model } from "../bodies/model.js";
import { ContactList } from "../contacts/contact-list.js";
import { ContactDetector } from "../contacts/detect.js";
import { ProblemMaker } from "../contacts/problem.js";
import { addImpulses, gapRate, relativeVelocity } from "../contacts/velocity.js";
import { WarmStarts } from "../contacts/warm-starts.js";
import { type ContactOwners, ownersOfContacts } from "../ranks/contact-owners.js";
import type { ContactSolver, SolverOptions } from "../ranks/contact-solver.js";
import { Domain, type DomainOptions } from "../ranks/domain.js";
import { TileSolver } from "../ranks/tile-solver.js";
import type { Scheme } from "../time/scheme.js";
import { makeScheme } from "../time/theta.js";
import { EventQueue } from "./event-queue.js";
import type { SimulationEvent } from "./events.js";
import { hashOfBodies } from "./hash.js";
import { RetryingSolver, type SolveAttempt, type SolvedStep, StepFailure } from "./retrying-solver.js";
import { readState, stateOf } from "./state.js";
import { measureMechanics, type PhaseSeconds, type StepStatistics } from "./statistics.js";

/** What is simulated: a scene, whoever made it. */
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

export interface SimulationOptions {
	readonly communicator?: Communicator;
	readonly solver?: ContactSolver;
	readonly domain?: DomainOptions;
	/** What becomes of a step that no remedy helps: stop (default) throws a StepFailure, continue takes the best reactions and counts it. */
	readonly onFailure?: "stop" | "continue";
	/** Is told of each solve, on all ranks, before one that failed is tried again. */
	readonly onSolve?: (attempt: SolveAttempt) => void;
}

export class Simulation {
	readonly setup: SimulationSetup;
	readonly domain: Domain;
	/** Found in the last step. */
	readonly contacts = new ContactList();
	/** Steps done. */
	steps = 0;
	failedSteps = 0;
	readonly #model: Model;
	readonly #scheme: Scheme;
	readonly #options: SimulationOptions;
	readonly #solver: RetryingSolver;
	readonly #detector: ContactDetector;
	readonly #problems = new ProblemMaker();
	readonly #laws: readonly LawName[];
	readonly #warm: WarmStarts;
	readonly #eventQueue: EventQueue;
	/** Contacts of all ranks whose reactions are remembered. */
	#remembered = 0;
	/** Contacts of each own body in the last step. */
	#work: Int32Array = new Int32Array(0);
	/** The same by place. */
	#counts = new Int32Array(0);
	#reaction: Float64Array = new Float64Array(0);
	#q = new Float64Array(0);
	readonly #parts = { reaction: new KeptView<Float64Array>(), work: new KeptView<Int32Array>() };
	readonly #impulses = { linear: new Float64Array(0), angular: new Float64Array(0), rate: new Float64Array(0) };

	constructor(setup: SimulationSetup, options: SimulationOptions = {}) {
		const { model, bodies, events } = setup;
		const { communicator = new SelfCommunicator() } = options;
		this.setup = setup;
		this.#options = options;
		this.#eventQueue = new EventQueue(events, setup.step);
		const { solver = new TileSolver(), onSolve } = options;
		this.#solver = new RetryingSolver(solver, setup.solver, onSolve);
		// Its own one: steps of two simulations of one scene may be under way at a time.
		this.#scheme = makeScheme(setup.scheme.options);
		this.#model = { ...model, gravity: model.gravity.slice() };
		this.#laws = [...new Set(model.laws.map(({ law = "coulomb" }) => law))];
		this.#detector = new ContactDetector(this.#model);
		const hasRates =
			bodies.rate.length > 0 || events.some((each) => each.kind === "add" && each.bodies.rate.length > 0);
		const obstacles = { ...bodies, own: 0, count: bodies.obstacles, total: bodies.obstacles };
		this.domain = new Domain(this.#model, obstacles, hasRates, communicator, options.domain);
		this.#warm = new WarmStarts(haveMoments(model.laws));
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
		return this.#parts.reaction.of(this.#reaction, 0, 3 * this.contacts.count);
	}

	/** Collective. The hash of the state of all bodies. */
	hash(): string {
		return hashOfBodies(this.bodies, this.domain.communicator);
	}

	/** Collective. What the simulation is after its last step, for another one of the same scene to go on from. */
	state(): RunState {
		return stateOf(this.steps, { scene: this.setup.name, failedSteps: this.failedSteps }, this.domain, this.#warm);
	}

	/** Collective. Goes on from a state that `dealState` dealt to this rank, instead of from the beginning. */
	resume(from: RunState): void {
		const saved = readState(from, this.domain, this.#warm);
		this.steps = saved.iteration;
		saved.scalars.word("scene", [this.setup.name]);
		this.failedSteps = saved.scalars.integer("failedSteps");
		this.#remembered = saved.space("contacts").count;
		saved.end();
		// Bodies were added and released then; what gravity has become is not among them.
		for (const event of this.#eventQueue.resume(this.steps)) {
			if (event.kind === "gravity") this.#model.gravity.set(event.gravity);
		}
	}

	/** Collective. So many steps, one after another. */
	*run(steps: number): Generator<StepStatistics, void, void> {
		for (let step = 0; step < steps; step += 1) yield toTheEnd(this.step());
	}

	/** Collective. One step; yields where the thread may do other work. */
	*step(): Generator<void, StepStatistics, void> {
		const { step: h } = this.setup;
		const { domain, contacts } = this;
		const model = this.#model;
		const scheme = this.#scheme;
		const t = this.time;
		const clock = new Clock();
		this.#happen();
		scheme.configure(model, domain.bodies, t, h); // eq. 1: where contacts are found
		clock.lap("rest");
		const near = { margin: scheme.margin(model), ahead: scheme.ahead(h) };
		const bodies = domain.arrange(this.steps, near, this.#work, this.#warm);
		this.#detector.detect(bodies, near.margin, contacts, near.ahead);
		clock.lap("detect");
		scheme.freeVelocity(model, bodies, t, h); // eq. 3: b
		clock.lap("rest");
		const { rank } = domain.communicator;
		const owner = ownersOfContacts(bodies, contacts, domain.owners, rank);
		const problem = this.#problem(bodies); // W = H A^-1 H^T, q = H b and what the scheme adds
		clock.lap("setup");
		const { solution, retries, seconds } = yield* this.#solve(problem, owner, bodies);
		clock.lap("setup");
		clock.move("setup", "solve", seconds);
		this.#react(bodies, solution.reaction); // H^T R
		scheme.finish(model, bodies, this.#impulses, t, h); // eqs. 2 and 5
		this.#warm.remember(bodies, contacts, this.reaction, owner.rank, rank);
		this.steps += 1;
		const mechanics = measureMechanics(model, bodies, contacts, owner.rank, domain);
		clock.lap("rest");
		const { status, iterations, products, error } = solution.report;
		return {
			step: this.steps,
			time: this.time,
			bodies: bodies.total - bodies.obstacles,
			...{ status, iterations, products, error, retries },
			failedSteps: this.failedSteps,
			seconds: clock.seconds,
			...mechanics,
		};
	}

	/** What is due before this step. */
	#happen(): void {
		for (const event of this.#eventQueue.take(this.steps)) {
			if (event.kind === "add") this.domain.add(event.bodies, this.bodies.total + event.bodies.own);
			else if (event.kind === "gravity") this.#model.gravity.set(event.gravity);
			else release(this.bodies, event);
		}
	}

	/** q = H b and what the scheme adds to it; with `least` 0 it takes no overlap back. */
	#problem(bodies: Bodies, least = -Infinity): Problem {
		const { step: h, name } = this.setup;
		const { contacts } = this;
		const scheme = this.#scheme;
		const { count, gap, restitution, isMoment } = contacts;
		const haveMoments = isMoment.length > 0;
		this.#q = grown(this.#q, 3 * count);
		relativeVelocity(bodies, contacts, bodies, this.#q);
		for (let a = 0; a < count; a += 1) {
			if (haveMoments && isMoment[a] === 1) continue;
			// What does not bounce has the same term however fast it comes.
			const before = restitution[a]! > 0 ? gapRate(bodies, contacts, a, scheme.before) : 0;
			this.#q[3 * a]! += scheme.contactTerm(Math.max(gap[a]!, least), restitution[a]!, before, h);
		}
		return this.#problems.make(name, bodies, contacts, scheme.inverseMasses, this.#q, h);
	}

	/** The same on all ranks, whoever has contacts that overlap. */
	get #takesBack(): boolean {
		return this.#scheme.contactTerm(-1, 0, 0, 1) < 0;
	}

	/** Starts from what is remembered of the last step. */
	*#solve(problem: Problem, owner: ContactOwners, bodies: Bodies) {
		const { contacts, domain } = this;
		const total = domain.totals.counts(Float64Array.of(owner.own))[0]!;
		const start = this.#remembered > 0 ? this.#warm.start(this.bodies, contacts) : undefined;
		this.#remembered = total;
		if (total === 0) return NOTHING;
		const kind = { contacts: total, laws: this.#laws };
		const solved = yield* this.#solver.solve(this.steps, { problem, contacts, owner, start }, kind, domain, () =>
			this.#takesBack ? this.#problem(bodies, 0) : undefined,
		);
		const { report } = solved.solution;
		if (report.status === "solved") return solved;
		this.failedSteps += 1;
		if (this.#options.onFailure !== "continue") throw new StepFailure(this.steps, report);
		return solved;
	}

	/** H^T R of the bodies. */
	#react(bodies: Bodies, reaction: Float64Array): void {
		const { contacts } = this;
		this.#reaction = reaction;
		const impulses = this.#impulses;
		impulses.linear = grown(impulses.linear, 3 * bodies.count).fill(0);
		impulses.angular = grown(impulses.angular, 3 * bodies.count).fill(0);
		impulses.rate = grown(impulses.rate, bodies.rate.length).fill(0);
		addImpulses(bodies, contacts, this.reaction, impulses);
		this.#countWork(bodies);
	}

	#countWork({ own, obstacles, count }: Bodies): void {
		this.#counts = grown(this.#counts, count).fill(0);
		const { body, count: contacts } = this.contacts;
		for (let k = 0; k < 2 * contacts; k += 1) this.#counts[body[k]!]! += 1;
		this.#work = this.#parts.work.of(this.#counts, obstacles, obstacles + own);
	}
}

const NOTHING: SolvedStep = {
	solution: {
		reaction: new Float64Array(0),
		report: {
			status: "solved",
			reason: "no contacts",
			iterations: 0,
			products: 0,
			error: 0,
			seconds: 0,
			missesDualCone: false,
		},
	},
	retries: 0,
	seconds: 0,
};

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
