/** The methods that a relay hands over between. Those with factors are made when their turn comes for the first time, if ever. */
import { lawCode } from "../problem/laws.js";
import type { SavedRecord } from "../state/saved.js";
import type { PlainRecord } from "../state/state.js";
import type { System } from "../system/system.js";
import { ActiveNewton } from "./active-newton.js";
import { FactorWork } from "./factor-work.js";
import { InteriorPoint, interiorPointDefaults } from "./interior-point.js";
import type { Method } from "./method.js";
import { NewtonSystem, WHOLE_LU } from "./newton-system.js";
import type { Pqn } from "./pqn.js";
import type { FactorKind, Phase } from "./schedules.js";
import { secondOrderLaws } from "./second-order-cones.js";
import type { SweepMethod } from "./sweeps-with-descent.js";

/** Steps that a phase with factors is expected to take: it is tried where sweeps would take as long. */
const STEPS: Readonly<Record<FactorKind, number>> = { active: 8, interior: 20 };
/** A step, in steps of Newton. */
const STEP_WORK: Readonly<Record<FactorKind, number>> = { active: 1, interior: 3 };

/** What was trained on; a whole LU of more is dearer than it can be worth, and takes more memory than sweeps. */
const BLOCKS_MAX = 4000;

/** Laws that all phases with factors take. */
const FACTOR_LAWS: ReadonlySet<number> = new Set(secondOrderLaws.map((name) => lawCode(name)));

export class PhaseMethods {
	readonly newton: Pqn | undefined;
	readonly proximal: SweepMethod | undefined;
	readonly #system: System;
	readonly #omega: number;
	#linear: NewtonSystem | undefined;
	#active: ActiveNewton | undefined;
	#interior: InteriorPoint | undefined;
	#work: FactorWork | undefined;
	/** Whether the size of the factors is known in this solve. */
	#isKnown = false;

	/** omega is what smooths the residual of Newton on the active contacts. */
	constructor(system: System, omega: number, newton?: Pqn, proximal?: SweepMethod) {
		this.#system = system;
		this.#omega = omega;
		this.newton = newton;
		this.proximal = proximal;
	}

	get products(): number {
		const all = [this.newton, this.proximal, this.#active, this.#interior];
		return all.reduce((sum, method) => sum + (method?.products ?? 0), 0);
	}

	/** Whether there are rows to factor, not too many, and laws that phases with factors take. */
	get hasFactors(): boolean {
		const { operator, share } = this.#system;
		const isTaken = operator.rows !== undefined && share.lawsUsed.every((law) => FACTOR_LAWS.has(law));
		return isTaken && !this.isLarge;
	}

	/** More contacts than a whole LU is for. */
	get isLarge(): boolean {
		return this.#system.share.blocks > BLOCKS_MAX;
	}

	/** Collective where the method is new. */
	of(kind: Phase["kind"]): Method {
		const method = kind === "newton" ? this.newton : kind === "proximal" ? this.proximal : this.#factored(kind);
		if (method === undefined) throw new Error(`a relay without ${kind} has a phase of it`);
		return method;
	}

	/** Collective the first time. What a phase is expected to cost, in sweeps: at least, until the size of the factors is known. */
	cost(kind: FactorKind): number {
		return (this.#isKnown ? 0 : this.analysisWork) + STEPS[kind] * this.stepWork(kind);
	}

	/** Collective the first time. */
	get analysisWork(): number {
		return this.#factorWork.analysis;
	}

	/** Whether the size of the factors is known in this solve. */
	get isAnalysed(): boolean {
		return this.#isKnown;
	}

	/** Collective. Finds the order of the factors, and their size. */
	analyse(): void {
		this.#linear ??= this.#system.reducer.counter.leaveOut(() => new NewtonSystem(this.#system, "auto", WHOLE_LU));
		this.#isKnown = true;
	}

	/** Collective the first time. What one of its steps costs, in sweeps. */
	stepWork(kind: FactorKind): number {
		return STEP_WORK[kind] * this.#factorWork.step(this.#isKnown ? this.#linear?.size : undefined);
	}

	get #factorWork(): FactorWork {
		this.#work ??= this.#system.reducer.counter.leaveOut(() => new FactorWork(this.#system));
		return this.#work;
	}

	/** A solve begins: what the last one of this system has found out counts for nothing, or its repetition would go another way. */
	start(): void {
		this.#isKnown = false;
	}

	get state(): PlainRecord {
		return { isKnown: this.#isKnown };
	}

	/** Collective. */
	resume(from: SavedRecord): void {
		this.#isKnown = from.flag("isKnown");
		if (this.#isKnown) this.analyse();
		from.end();
	}

	#factored(kind: FactorKind): Method {
		this.analyse();
		const linear = this.#linear!;
		if (kind === "active") {
			this.#active ??= new ActiveNewton(this.#system, linear, this.#omega);
			return this.#active;
		}
		this.#interior ??= new InteriorPoint(this.#system, linear, interiorPointDefaults);
		return this.#interior;
	}
}
