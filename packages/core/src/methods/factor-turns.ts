/**
 * When phases with factors have their turn in a relay. They are dear: where a phase has ended, so many products have to have been made as factors
 * cost (factor-work.ts); in the middle of sweeps, near a solution, those would have to take longer for what is left: Newton on the active
 * contacts, interior points if that has failed, and Newton again for several times as much.
 */
import type { SavedRecord } from "../state/saved.js";
import type { PlainRecord } from "../state/state.js";
import type { System } from "../system/system.js";
import type { HalvingRate } from "./halving-rate.js";
import type { PhaseMethods } from "./phase-methods.js";
import type { FactorKind, Phase } from "./schedules.js";

/** After Newton has failed the next try has to be worth so many times as much. */
const RELUCTANCE = 4;
/** Sweeps from one look at whether factors are worth it to the next, and how many come before the first on very few contacts (assembly/tiny.ts knows of these). */
const LOOK = 8;
const FIRST_LOOK = 30;
const VERY_FEW = 32;

/** When sweeps are interrupted. */
export interface FactorRules {
	/** Below this error they are near a solution. */
	readonly near: number;
	/** What factors may cost, as a share of what sweeps would take for what is left. */
	readonly share: number;
}

export const factorRules: FactorRules = { near: 1e-4, share: 0.15 };

export function isFactored(kind: Phase["kind"]): kind is FactorKind {
	return kind === "active" || kind === "interior";
}

export class FactorTurns {
	/** What factors have cost so far, in sweeps. */
	work = 0;
	readonly #system: System;
	readonly #methods: PhaseMethods;
	readonly #rules: FactorRules;
	/** The kinds that there are. */
	readonly #kinds: readonly FactorKind[];
	#reluctance = 1;
	#isInteriorTried = false;

	constructor(system: System, methods: PhaseMethods, phases: readonly Phase[], rules: FactorRules) {
		this.#system = system;
		this.#methods = methods;
		this.#rules = rules;
		this.#kinds = phases.map(({ kind }) => kind).filter(isFactored);
	}

	start(): void {
		this.#methods.start();
		this.work = 0;
		this.#reluctance = 1;
		this.#isInteriorTried = false;
	}

	get state(): PlainRecord {
		const [reluctance, isInteriorTried] = [this.#reluctance, this.#isInteriorTried];
		return { work: this.work, reluctance, isInteriorTried, methods: this.#methods.state };
	}

	/** Collective. */
	resume(from: SavedRecord): void {
		this.work = from.number("work");
		this.#reluctance = from.number("reluctance");
		this.#isInteriorTried = from.flag("isInteriorTried");
		this.#methods.resume(from.record("methods"));
		from.end();
	}

	/** Whether Newton has failed before: sweeps have been interrupted. */
	get hasFailed(): boolean {
		return this.#reluctance > 1;
	}

	/** A step of this kind was made. */
	count(kind: FactorKind): void {
		this.work += this.#methods.stepWork(kind);
	}

	/** A phase of this kind begins. */
	begin(kind: FactorKind): void {
		this.#isInteriorTried ||= kind === "interior";
	}

	fail(): void {
		this.#reluctance *= RELUCTANCE;
	}

	/** Collective. The kind that is worth interrupting sweeps for, which have this error and were this many products; undefined for none. */
	due(error: number, rate: HalvingRate, products: number): FactorKind | undefined {
		const { near, share } = this.#rules;
		if (this.#kinds.length === 0 || !(error <= near) || rate.iterations % LOOK !== LOOK - 1) return undefined;
		if (this.#system.share.contacts <= VERY_FEW && products < FIRST_LOOK) return undefined;
		const wanted = this.hasFailed && !this.#isInteriorTried ? "interior" : "active";
		const kind = this.#kinds.find((each) => each === wanted) ?? this.#kinds[0]!;
		return this.isWithin(share * rate.perHalving * this.#system.best.halvingsLeft, kind) ? kind : undefined;
	}

	/** Collective. Whether a phase costs no more than this, in sweeps: at a guess, and if so by the size of its factors. */
	isWithin(most: number, kind: FactorKind): boolean {
		if (!(this.#cost(kind) <= most)) return false;
		if (this.#methods.isAnalysed) return true;
		this.#methods.analyse();
		this.work += this.#methods.analysisWork;
		return this.#cost(kind) <= most;
	}

	/** Collective the first time. */
	#cost(kind: FactorKind): number {
		if (!this.#methods.hasFactors || (kind === "interior" && this.#isInteriorTried)) return Number.POSITIVE_INFINITY;
		return (kind === "active" ? this.#reluctance : 1) * this.#methods.cost(kind);
	}
}
