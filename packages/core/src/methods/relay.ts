/**
 * The relay: phases of proximal sweeps, of methods with factors and of projected quasi-Newton, each run until it stops paying and then handed over.
 * All fail by cycling or creeping, not for lack of information, so a phase that stalls is followed by another kind, and
 * the next quasi-Newton phase has other (damping, m, epsilon). Rounds grow more patient, and where sweeps pay and quasi-Newton does not, the sweeps do. A phase ends when its best error has not halved in `patience`
 * iterations; patience is counted in iterations and the budget in products, never in seconds, so every machine takes the same phases.
 *
 * When phases with factors have their turn, in the middle of sweeps also, is said in factor-turns.ts; whatever they leave, the sweeps go on from the best
 * iterate.
 */

import { brief } from "../base/brief.js";
import type { SavedRecord, SavedSpace } from "../state/saved.js";
import type { System } from "../system/system.js";
import { type FactorRules, FactorTurns, factorRules, isFactored } from "./factor-turns.js";
import { HalvingRate } from "./halving-rate.js";
import type { Measurement, Method, MethodState } from "./method.js";
import type { PhaseMethods } from "./phase-methods.js";
import type { PqnSettings } from "./pqn.js";
import { type FactorKind, newtonWork, type Phase, type Schedule } from "./schedules.js";

/** A phase that ends this much worse than the best iterate is followed from the best, not from where it ended. */
const SETBACK = 10;
/** The free motion has energy error 1 at most: a phase beyond this has blown up. */
const BLOW_UP = 1e3;
/** A round is followed by one with this much more patience. */
const PATIENCE_GROWTH = 2;
/** The same for sweeps that gained where quasi-Newton gained nothing, which gets no more than it had. */
const SWEEPS_GROWTH = 4;
/** By what factor the best error falls in a phase that pays; quasi-Newton that falls short of the second gained nothing. */
const PAYS = 0.5;
const NOTHING = 0.9;
export class Relay implements Method {
	exhausted = false;
	readonly #system: System;
	readonly #schedule: Schedule;
	readonly #methods: PhaseMethods;
	readonly #productsMax: number;
	readonly #overrides: Partial<PqnSettings>;
	readonly #turns: FactorTurns;
	#current: Method;
	/** What was changed before the phase at work, which says for itself what it changes. */
	#remedies: string[] = [];
	#phase = 0;
	/** How much more patient the phases of a kind are than in the first round. */
	#patienceFactor = { proximal: 1, newton: 1 };
	/** The best error where this phase began, and whether the sweeps before it paid. */
	#bestBefore = Number.POSITIVE_INFINITY;
	#sweepsPaid = false;
	#productsBefore = 0;
	/** Of this phase. */
	readonly #rate = new HalvingRate();
	/** Whether factors have their turn in the middle of sweeps. */
	#isEarly = false;

	/** overrides: settings that a user fixed for all quasi-Newton phases. */
	constructor(
		system: System,
		schedule: Schedule,
		methods: PhaseMethods,
		productsMax: number,
		overrides: Partial<PqnSettings> = {},
		rules: FactorRules = factorRules,
	) {
		this.#system = system;
		this.#schedule = schedule;
		this.#methods = methods;
		this.#productsMax = productsMax;
		this.#overrides = overrides;
		this.#turns = new FactorTurns(system, methods, schedule.phases, rules);
		this.#current = methods.of(schedule.phases[0].kind);
	}

	get name(): string {
		return this.#current.name;
	}

	get products(): number {
		return this.#methods.products;
	}

	get velocityFresh(): boolean {
		return this.#current.velocityFresh;
	}

	get error(): number {
		return this.#current.error;
	}

	get measured(): Measurement | undefined {
		return this.#current.measured;
	}

	get remedies(): readonly string[] {
		return [...this.#remedies, ...this.#current.remedies];
	}

	start(): void {
		this.#phase = 0;
		this.#patienceFactor = { proximal: 1, newton: 1 };
		this.#bestBefore = Number.POSITIVE_INFINITY;
		this.#sweepsPaid = false;
		this.#isEarly = false;
		this.#turns.start();
		this.#productsBefore = this.products;
		this.exhausted = false;
		this.#remedies = [];
		this.#begin();
	}

	get state(): MethodState {
		const { scalars, vectors } = this.#current.state;
		const { proximal } = this.#methods;
		return {
			scalars: {
				phase: this.#phase,
				patienceFactor: { ...this.#patienceFactor },
				bestBefore: this.#bestBefore,
				sweepsPaid: this.#sweepsPaid,
				products: this.#spent,
				turns: this.#turns.state,
				pace: this.#rate.state,
				isEarly: this.#isEarly,
				remedies: [...this.#remedies],
				...(proximal && { alpha: proximal.alpha }),
				current: scalars,
			},
			vectors,
		};
	}

	/** The phases are those of the schedule; the one at work says for itself what it is in the middle of. */
	resume(from: SavedRecord, vectors: SavedSpace): void {
		this.#phase = from.integer("phase", 0, this.#schedule.phases.length - 1);
		const patienceFactor = from.record("patienceFactor");
		this.#patienceFactor = { proximal: patienceFactor.number("proximal"), newton: patienceFactor.number("newton") };
		patienceFactor.end();
		this.#bestBefore = from.number("bestBefore");
		this.#sweepsPaid = from.flag("sweepsPaid");
		this.#productsBefore = this.products - from.integer("products");
		this.exhausted = false;
		this.#remedies = from.texts("remedies");
		this.#turns.resume(from.record("turns"));
		this.#methods.proximal?.resumeAlpha(from);
		this.#selectPhase();
		const current = from.record("current");
		this.#current.resume(current, vectors);
		current.end();
		this.#rate.resume(from.record("pace"));
		this.#isEarly = from.flag("isEarly");
	}

	iterate(): void {
		if (this.#isOver() && !this.#goesOn()) this.#handOver();
		else if (this.#kind === "proximal") {
			const due = this.#turns.due(this.#current.error, this.#rate, this.#spent);
			if (due !== undefined) this.#handOver(due);
		}
		this.#current.iterate();
		this.#rate.note(this.#phaseError);
		if (isFactored(this.#kind)) this.#turns.count(this.#kind);
		this.exhausted = this.#spent >= this.#productsMax;
	}

	get #kind(): Phase["kind"] {
		return this.#schedule.phases[this.#phase]!.kind;
	}

	/** Of this solve, in sweeps: products, and what factors cost. */
	get work(): number {
		return this.#spent + this.#turns.work;
	}

	get #spent(): number {
		return this.products - this.#productsBefore;
	}

	/** Collective. Interior points do not know theirs, but U is fresh. */
	get #phaseError(): number {
		const { measures, r, u } = this.#system;
		return this.#kind === "interior" ? measures.energy(r, u) : this.#current.error;
	}

	#isOver(): boolean {
		const { error, velocityFresh, exhausted } = this.#current;
		if (exhausted) return true;
		const isKnown = this.#kind !== "interior";
		if (isKnown && (velocityFresh || this.#rate.iterations >= 2) && !(error <= BLOW_UP)) return true;
		if (this.#rate.iterations < 2) return false;
		const { kind, patience } = this.#schedule.phases[this.#phase]!;
		const factor = kind === "proximal" || kind === "newton" ? this.#patienceFactor[kind] : 1;
		return this.#rate.since >= patience * factor;
	}

	/** Collective. Sweeps of large problems that only sweeps could follow are not interrupted: a new anchor somewhere in the middle of the last one gains nothing. */
	#goesOn(): boolean {
		if (this.#kind !== "proximal" || !this.#methods.isLarge || !(this.#current.error <= BLOW_UP)) return false;
		if (this.#schedule.phases.some((phase) => phase.kind !== "proximal" && this.#isWorthwhile(phase))) return false;
		this.#patienceFactor.proximal *= PATIENCE_GROWTH;
		return true;
	}

	recover(): boolean {
		if (this.#system.best.value === Number.POSITIVE_INFINITY) return false;
		this.#handOver();
		return !this.exhausted;
	}

	#begin(): void {
		this.#selectPhase();
		const { proximal } = this.#methods;
		const kind = this.#kind;
		// In later rounds sweeps without an anchor have been tried, and the weight is what this problem has asked for.
		if (kind === "proximal" && (this.#patienceFactor.proximal > 1 || this.#turns.hasFailed)) proximal!.startAgain();
		else {
			// Interior points begin far inside the cones, wherever others have come.
			if (kind === "interior") this.#system.r.values.fill(0);
			this.#current.start();
		}
		this.#rate.start(this.#current.error);
	}

	/** The method of this phase, set as the phase says. */
	#selectPhase(): void {
		const phase = this.#schedule.phases[this.#phase]!;
		const { newton } = this.#methods;
		if (phase.kind === "newton" && newton) {
			newton.settings = { ...newton.settings, ...phase.settings, ...this.#overrides };
		}
		this.#current = this.#methods.of(phase.kind);
	}

	/**
	 * The next phase, or the one that is due in the middle of sweeps, from where this one ended unless that is far worse than the best; after factors
	 * from the best in any case.
	 */
	#handOver(due?: FactorKind): void {
		const { best } = this.#system;
		const kind = this.#kind;
		const value = best.offer(this.velocityFresh);
		if (!(value <= (isFactored(kind) ? 1 : SETBACK) * best.value)) best.restore();
		const left = best.value / this.#bestBefore;
		if (kind === "active" && !(left <= PAYS)) this.#turns.fail();
		this.#selectNext(due, left);
		const next = this.#kind;
		this.#isEarly = due !== undefined || (this.#isEarly && isFactored(next));
		if (isFactored(next)) this.#turns.begin(next);
		this.#bestBefore = best.value;
		this.#remedies.push(
			...this.#current.remedies,
			`after ${this.#spent} products at ${best.name} ${brief(value)}: ${this.#describe()}`,
		);
		this.#begin();
	}

	/** What is due; what polishes the answer of interior points; the sweeps that were interrupted; or the next phase of the schedule. */
	#selectNext(due: FactorKind | undefined, left: number): void {
		const { phases } = this.#schedule;
		const place = (wanted: FactorKind) => phases.findIndex(({ kind }) => kind === wanted);
		const isPolished = this.#kind === "interior" && left <= PAYS && place("active") >= 0;
		if (due !== undefined) this.#phase = place(due);
		else if (isPolished) this.#phase = place("active");
		else if (this.#isEarly) this.#phase = 0;
		else this.#nextPhase(left);
	}

	/** left: of the best error that this phase began with. */
	#nextPhase(left: number): void {
		const { phases, again } = this.#schedule;
		const patienceFactor = this.#patienceFactor;
		const kind = this.#kind;
		const isSweepsAlone = kind === "newton" && this.#sweepsPaid && !(left <= NOTHING);
		if (kind === "proximal") this.#sweepsPaid = left <= PAYS;
		do {
			this.#phase += 1;
			if (this.#phase < phases.length) continue;
			this.#phase = again;
			patienceFactor.proximal *= isSweepsAlone ? SWEEPS_GROWTH : PATIENCE_GROWTH;
			if (kind === "newton" && !isSweepsAlone) patienceFactor.newton *= PATIENCE_GROWTH;
		} while (!this.#isWorthwhile(phases[this.#phase]!));
	}

	/** Collective. Whether so much was done that a phase as dear as this may be tried. */
	#isWorthwhile(phase: Phase): boolean {
		if (isFactored(phase.kind)) return this.#turns.isWithin(this.#spent, phase.kind);
		if (phase.kind !== "newton" || !this.#schedule.newtonWaits || !this.#methods.isLarge) return true;
		return newtonWork(phase) <= this.#spent;
	}

	#describe(): string {
		const phase = this.#schedule.phases[this.#phase]!;
		if (phase.kind === "proximal") return "proximal-gauss-seidel";
		if (phase.kind === "active") return "newton on the active contacts";
		if (phase.kind !== "newton") return "interior-point from zero";
		const { damping, m, epsilon } = { ...phase.settings, ...this.#overrides };
		return `pqn with damping ${damping}, m ${m}, epsilon ${epsilon}`;
	}
}
