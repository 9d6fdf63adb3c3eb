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
import type { Impulses } from "../bodies/generalized.js";
import { spinBody } from "../bodies/make.js";
import type { Model } from "../bodies/model.js";
import { ContactList } from "../contacts/contact-list.js";
import type { Contacts } from "../contacts/contacts.js";
import { ContactDetector } from "../contacts/detect.js";
import { ProblemMaker } from "../contacts/problem.js";
import { addImpulses, gapRate, relativeVelocity } from "../contacts/velocity.js";
import { WarmStarts } from "../contacts/warm-starts.js";
import { type ContactOwners, ownersOfContacts } from "../ranks/contact-owners.js";
import type { ContactSolver, SolverOptions } from "../ranks/contact-solver.js";
import { Domain, type DomainOptions } from "../ranks/domain.js";
import { TileSolver } from "../ranks/tile-solver.js";
import { type Scheme, SUBSTEPS } from "../time/scheme.js";
import { makeScheme } from "../time/theta.js";
import { bothPhases, Compression } from "./compression.js";
import { EventQueue } from "./event-queue.js";
import type { SimulationEvent } from "./events.js";
import { ExtremeTracker, type RunExtremes } from "./extremes.js";
import { hashOfBodies } from "./hash.js";
import { PositionRecovery } from "./position-recovery.js";
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

/** Statistics of a part of a step. */
type SubstepStatistics = Omit<StepStatistics, "step" | "time" | "bodies" | "substeps" | "failedSteps">;

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
	readonly #recovery = new PositionRecovery();
	readonly #laws: readonly LawName[];
	readonly #warm: WarmStarts;
	/** First phase of Poisson's law of impact; undefined with Newton's law. */
	readonly #compression: Compression | undefined;
	readonly #eventQueue: EventQueue;
	readonly #extremes = new ExtremeTracker();
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
		if (setup.scheme.options.restitutionLaw === "poisson") this.#compression = new Compression(this.#scheme);
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

	/** Largest overlap and speed of all steps so far, those before a checkpoint as well. */
	get extremes(): RunExtremes {
		return this.#extremes.extremes;
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
		const { failedSteps } = this;
		const scalars = { scene: this.setup.name, failedSteps, extremes: this.#extremes.state() };
		return stateOf(this.steps, scalars, this.domain, this.#warm);
	}

	/** Collective. Goes on from a state that `dealState` dealt to this rank, instead of from the beginning. */
	resume(from: RunState): void {
		const saved = readState(from, this.domain, this.#warm);
		this.steps = saved.iteration;
		saved.scalars.word("scene", [this.setup.name]);
		this.failedSteps = saved.scalars.integer("failedSteps");
		this.#extremes.resume(saved.scalars);
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
		this.#happen();
		const { step: h } = this.setup;
		const { time: t } = this;
		const parts = this.#substeps(t, h);
		let all: SubstepStatistics | undefined;
		for (let part = 0; part < parts; part += 1) {
			const end = part + 1 < parts ? t + ((part + 1) * h) / parts : (this.steps + 1) * h;
			all = joined(all, yield* this.#substep(t + (part * h) / parts, h / parts, end));
		}
		this.steps += 1;
		const bodies = this.bodies.total - this.bodies.obstacles;
		return { step: this.steps, time: this.time, bodies, substeps: parts, failedSteps: this.failedSteps, ...all! };
	}

	/** Collective. The number of parts into which this step is divided, so that no bodies pass through each other in one. */
	#substeps(t: number, h: number): number {
		const most = this.#scheme.options.substeps ?? SUBSTEPS;
		if (most === 1) return 1;
		const { domain } = this;
		const model = this.#model;
		const { fast } = this.#detector;
		this.#scheme.moveObstacles(model, domain.bodies, t + h);
		const speed = domain.totals.largest(Float64Array.of(fast.largestSpeed(domain.bodies)))[0]!;
		if (!fast.mayBeFast(speed, h)) return 1;
		const near = this.#scheme.range(model, h);
		const bodies = domain.arrange(this.steps, near, this.#work, this.#warm);
		this.#detector.detect(bodies, near, this.contacts);
		const approach = domain.totals.largest(Float64Array.of(this.#detector.largestApproach))[0]!;
		return Math.min(most, Math.max(1, Math.ceil(approach)));
	}

	/** From time t to `end`, for the time h. */
	*#substep(t: number, h: number, end: number): Generator<void, SubstepStatistics, void> {
		const { domain, contacts } = this;
		const model = this.#model;
		const scheme = this.#scheme;
		const clock = new Clock();
		scheme.configure(model, domain.bodies, t, h); // eq. 1: where contacts are found
		clock.lap("rest");
		const near = scheme.range(model, h);
		const bodies = domain.arrange(this.steps, near, this.#work, this.#warm);
		this.#detector.detect(bodies, near, contacts);
		clock.lap("detect");
		scheme.freeVelocity(model, bodies, t, h); // eq. 3: b
		clock.lap("rest");
		const { rank } = domain.communicator;
		const owner = ownersOfContacts(bodies, contacts, domain.owners, rank);
		const compression = yield* this.#compress(bodies, owner, h);
		// The reactions of the compression are in the velocities already.
		const found = compression ? this.#compression!.expanding(contacts, compression.solution.reaction, h) : contacts;
		const problem = this.#problem(bodies, found, h); // W = H A^-1 H^T, q = H b and what the scheme adds
		clock.lap("setup");
		const expansion = yield* this.#solve(problem, owner, bodies, found, h);
		const { solution, retries, seconds } = compression ? bothPhases(compression, expansion) : expansion;
		this.#judge(solution.report);
		clock.lap("setup");
		clock.move("setup", "solve", seconds);
		const impulses = this.#impulsesOf(bodies, expansion.solution.reaction); // H^T R
		const pushing = scheme.recovery > 0 ? yield* this.#recovery.recover(model, domain, contacts, scheme, h) : 0;
		scheme.finish(model, bodies, impulses, t, h); // eqs. 2 and 5
		this.#countWork(bodies);
		this.#warm.remember(bodies, contacts, expansion.solution.reaction, owner.rank, rank);
		this.#reaction = solution.reaction;
		const mechanics = measureMechanics(model, bodies, contacts, owner.rank, domain);
		this.#extremes.add(mechanics, end);
		clock.lap("rest");
		const { status, iterations, error } = solution.report;
		const products = solution.report.products + pushing;
		return { status, iterations, products, error, retries, seconds: clock.seconds, ...mechanics };
	}

	/** What is due before this step. */
	#happen(): void {
		for (const event of this.#eventQueue.take(this.steps)) {
			if (event.kind === "add") this.domain.add(event.bodies, this.bodies.total + event.bodies.own);
			else if (event.kind === "gravity") this.#model.gravity.set(event.gravity);
			else release(this.bodies, event);
		}
	}

	/** Collective. Solves the compression of Poisson's law and applies its reactions to all bodies, ghosts too; undefined if nothing bounces. */
	*#compress(bodies: Bodies, owner: ContactOwners, h: number): Generator<void, SolvedStep | undefined, void> {
		const compression = this.#compression;
		if (compression === undefined) return undefined;
		const { name } = this.setup;
		const { contacts, domain } = this;
		const scheme = this.#scheme;
		const own = compression.count(bodies, contacts, owner.rank, domain.communicator.rank, h);
		if (domain.totals.counts(Float64Array.of(own))[0] === 0) return undefined;
		const q = compression.velocity(bodies, contacts, h);
		const problem = this.#problems.make(name, bodies, contacts, scheme.inverseMasses, q, h);
		const step = { problem, contacts, owner, start: undefined };
		const kind = { contacts: domain.totals.counts(Float64Array.of(owner.own))[0]!, laws: this.#laws };
		const solved = yield* this.#solver.solve(this.steps, step, kind, domain, () => undefined);
		scheme.push(bodies, this.#impulsesOf(bodies, solved.solution.reaction));
		domain.updateGhosts();
		// The expansion writes over it.
		return { ...solved, solution: { ...solved.solution, reaction: solved.solution.reaction.slice() } };
	}

	/** q = H b and what the scheme adds to it; with `least` 0 it takes no overlap back. */
	#problem(bodies: Bodies, contacts: Contacts, h: number, least = -Infinity): Problem {
		const { name } = this.setup;
		const scheme = this.#scheme;
		const { count, gap, restitution, isMoment } = contacts;
		const haveMoments = isMoment.length > 0;
		this.#q = grown(this.#q, 3 * count);
		relativeVelocity(bodies, contacts, bodies, this.#q);
		for (let a = 0; a < count; a += 1) {
			if (haveMoments && isMoment[a] === 1) continue;
			// What does not bounce has the same term however fast it comes.
			const e = this.#compression === undefined ? restitution[a]! : 0;
			const before = e > 0 ? gapRate(bodies, contacts, a, scheme.before) : 0;
			this.#q[3 * a]! += scheme.contactTerm(Math.max(gap[a]!, least), e, before, h);
		}
		return this.#problems.make(name, bodies, contacts, scheme.inverseMasses, this.#q, h);
	}

	/** The same on all ranks, whoever has contacts that overlap. */
	get #takesBack(): boolean {
		return this.#scheme.contactTerm(-1, 0, 0, 1) < 0;
	}

	/** Starts from what is remembered of the last step. */
	*#solve(problem: Problem, owner: ContactOwners, bodies: Bodies, contacts: Contacts, h: number) {
		const { domain } = this;
		const total = domain.totals.counts(Float64Array.of(owner.own))[0]!;
		const start = this.#remembered > 0 ? this.#warm.start(this.bodies, contacts) : undefined;
		this.#remembered = total;
		if (total === 0) return NOTHING;
		const kind = { contacts: total, laws: contacts === this.contacts ? this.#laws : EXPANDING };
		return yield* this.#solver.solve(this.steps, { problem, contacts, owner, start }, kind, domain, () =>
			this.#takesBack ? this.#problem(bodies, contacts, h, 0) : undefined,
		);
	}

	/** Counts a step that was not solved, or ends the run. */
	#judge(report: SolvedStep["solution"]["report"]): void {
		if (report.status === "solved") return;
		this.failedSteps += 1;
		if (this.#options.onFailure !== "continue") throw new StepFailure(this.steps, report);
	}

	/** H^T R of the bodies. The next call writes over it. */
	#impulsesOf(bodies: Bodies, reaction: Float64Array): Impulses {
		const { contacts } = this;
		const impulses = this.#impulses;
		impulses.linear = grown(impulses.linear, 3 * bodies.count).fill(0);
		impulses.angular = grown(impulses.angular, 3 * bodies.count).fill(0);
		impulses.rate = grown(impulses.rate, bodies.rate.length).fill(0);
		addImpulses(bodies, contacts, reaction, impulses);
		return impulses;
	}

	#countWork({ own, obstacles, count }: Bodies): void {
		this.#counts = grown(this.#counts, count).fill(0);
		const { body, count: contacts } = this.contacts;
		for (let k = 0; k < 2 * contacts; k += 1) this.#counts[body[k]!]! += 1;
		this.#work = this.#parts.work.of(this.#counts, obstacles, obstacles + own);
	}
}

/** Laws of the second phase of Poisson's law of impact. */
const EXPANDING: readonly LawName[] = ["preloaded"];

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

/** Joins the statistics of consecutive parts of a step: work is summed, and the worst of errors and overlaps counts. */
function joined(earlier: SubstepStatistics | undefined, later: SubstepStatistics): SubstepStatistics {
	if (earlier === undefined) return later;
	const { detect, setup, solve, rest } = earlier.seconds;
	return {
		...later,
		status: earlier.status === "solved" ? later.status : earlier.status,
		iterations: earlier.iterations + later.iterations,
		products: earlier.products + later.products,
		error: Math.max(earlier.error, later.error),
		retries: earlier.retries + later.retries,
		...(earlier.largestPenetration > later.largestPenetration && {
			largestPenetration: earlier.largestPenetration,
			deepestPair: earlier.deepestPair,
		}),
		seconds: {
			detect: detect + later.seconds.detect,
			setup: setup + later.seconds.setup,
			solve: solve + later.seconds.solve,
			rest: rest + later.seconds.rest,
		},
	};
}

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
