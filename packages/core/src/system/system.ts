/**
 * The scaled system that methods work on, as much of it as one rank owns: R, U and q in storage order, W as an operator, sums through a
 * reducer. Storage places below `contacts` are own contacts, the rest are equality blocks, which are free (their cone is the whole
 * space); ghosts stand behind them in vectors that W is applied to. Vectors are padded with zeros to multiples of eight blocks: whole
 * pairs, and whole cache lines, so that they follow one another.
 */
import { beginPhase } from "../base/setup-phase.js";
import { Arena, type Vector } from "../kernels/arena.js";
import { unitFor } from "../kernels/generated/scaling.js";
import { type Components, type MeasureName, Measures } from "../measures/measures.js";
import { makePlan, type PlanOptions, planDefaults } from "../outline/plan.js";
import { wholeShare } from "../outline/whole.js";
import { bytesOf } from "../parallel/bytes-of.js";
import type { Communicator, Exchange, HaloPlan } from "../parallel/communicator.js";
import { SelfCommunicator } from "../parallel/self.js";
import { ghostPlace, type Share } from "../parallel/share.js";
import { lawCode, withoutRelaxation } from "../problem/laws.js";
import type { Guess, Problem } from "../problem/problem.js";
import { Reducer } from "../sums/reducer.js";
import { Sums } from "../sums/sums.js";
import { AssembledOperator } from "./assembled.js";
import { Best } from "./best.js";
import { blockedContact, blockedNumbers } from "./blocked.js";
import { componentsOf } from "./components.js";
import { Cones, isShifted } from "./cones.js";
import { GlobalOperator } from "./global.js";
import { Halo, pass } from "./halo.js";
import { MatrixFreeOperator } from "./matrix-free.js";
import type { Operator } from "./operator.js";
import { shiftedFree } from "./shifted-free.js";
import { stiffen } from "./stiffen.js";

/** What a rank decides of its own system, the same on all of them. */
export interface Settings {
	/** R, U and W scaled so that every diagonal block has norm 1, or W this many times what it is, with R and U in one unit: 1 for the problem's own. */
	readonly scaling: "contact" | number;
	/** WebAssembly, or its TypeScript twin. */
	readonly engine: "wasm" | "twin";
	/** The measure by which the best iterate is kept. */
	readonly measure: MeasureName;
	/** What it is to reach, for methods that compare what is left to do with what it costs. */
	readonly tolerance?: number;
	/** Whether contacts of the relaxed law are taken in Coulomb's. */
	readonly isExact?: boolean;
}

export interface SystemOptions extends PlanOptions, Settings {}

export const systemDefaults: SystemOptions = { ...planDefaults, scaling: "contact", engine: "wasm", measure: "energy" };

/** The system of a problem that is not shared out. */
export function systemOf(problem: Problem, options: SystemOptions = systemDefaults, start?: Guess): System {
	return new System(wholeShare(makePlan(problem, options), start), options, new SelfCommunicator());
}

export class System {
	readonly arena: Arena;
	/** The rank's share, without the operator's data: an operator has been made of it. */
	readonly share: Omit<Share, "operator">;
	/** Bytes of the share and of the arena when both were there. */
	readonly #shareBytes: number;
	/** Own contacts. */
	readonly contacts: number;
	/** Own contacts and equality blocks. */
	readonly blocks: number;
	/** Numbers in a vector, padding included, ghosts not. */
	readonly length: number;
	/** The same of the whole problem, as one rank would have it. */
	readonly lengthOfAll: number;
	readonly operator: Operator;
	/** Bytes of the operator that stand in the arena; a global one has its factors elsewhere. */
	readonly operatorArenaBytes: number;
	readonly reducer: Reducer;
	readonly q: Vector;
	/** q - W c of the unknowns R + c that measures know, c being what cones are shifted by; q itself where none is. And in the problem's units. */
	readonly free: Vector;
	readonly givenFree: Float64Array;
	/** The law of contact. */
	readonly cones: Cones;
	/** The scale of each block. */
	readonly s: Vector;
	/**
	 * A power of two that q, U and R are multiplied by so that q is about 1: the problem is homogeneous in them, so this changes
	 * no bit, and squares neither vanish nor overflow whatever the units are. 1 where the problem's own units are wanted.
	 */
	readonly unit: number = 1;
	/** Diagonal blocks of the scaled W. */
	readonly w: Vector;
	/** Storage places of the contacts whose diagonal block was singular. */
	readonly singular: ReadonlySet<number>;
	/** Id of a contact that approaches where its block of W has nothing to stop it; undefined where there is none. */
	readonly blocked: number | undefined;
	/** The iterate, with room for ghosts, and its velocity where a method keeps it fresh. */
	readonly r: Vector;
	readonly u: Vector;
	readonly components: Components;
	readonly measures: Measures;
	/** The best iterate in the measure that counts. */
	readonly best: Best;
	readonly #sums: Sums;
	readonly #halo: Halo | undefined;

	/** Collective. */
	constructor(given: Share, settings: Settings, communicator: Communicator) {
		const { laws } = given;
		const share = settings.isExact && laws ? { ...given, laws: withoutRelaxation(laws) } : given;
		const { operator, ...facts } = share;
		this.share = facts;
		this.#shareBytes = share.ranks > 1 ? bytesOf(share) : 0;
		this.contacts = share.ownContacts;
		this.blocks = share.ids.length;
		this.length = 3 * ghostPlace(this.blocks);
		this.lengthOfAll = 3 * ghostPlace(share.blocks);
		this.arena = new Arena(settings.engine);
		try {
			this.reducer = new Reducer(communicator);
			beginPhase("scale");
			this.s = this.arena.room(share.ghosts.length > 0 ? ghostPlace(this.blocks) + share.ghosts.length : this.blocks);
			this.w = this.arena.room(9 * this.blocks);
			this.#scaleBlocks(share.diagonal, settings.scaling);
			// What ranks exchange stands together: where each works in between, the slower one is waited for every time.
			if (settings.scaling === "contact" && share.ranks > 1) this.#scaleGhosts(share.halo, communicator);
			this.q = this.room();
			this.q.values.set(share.q);
			const largest = this.arena.kernels.scaleVelocity(this.blocks, this.s.at, this.q.at);
			this.cones = new Cones(this.arena, share);
			const numbers = blockedNumbers(share, this.cones.ranges, this.s.values, largest);
			this.reducer.largest(numbers);
			this.blocked = blockedContact(numbers);
			if (settings.scaling === "contact") {
				this.unit = unitFor(numbers[0]!);
				this.arena.kernels.multiply(this.unit, this.q.at, this.length);
			}
			beginPhase("fill");
			this.#halo = new Halo(share, communicator);
			const before = this.arena.bytes;
			this.operator = this.#makeOperator(operator, this.#halo);
			this.operatorArenaBytes = this.arena.bytes - before;
			beginPhase("allocate");
			this.r = this.operand();
			this.r.values.fill(0);
			this.u = this.room();
			beginPhase("scale");
			this.cones.scale(share, this.s.values, this.unit);
			this.singular = new Set(share.singular.length > 0 ? share.singular : undefined);
			for (const at of share.singular) stiffen(this.w.values, 9 * at);
			const hasShift = isShifted(share.lawsUsed);
			this.free = hasShift ? shiftedFree(this) : this.q;
			this.givenFree = hasShift ? this.load(this.free, 1) : share.q;
			beginPhase("measures");
			this.components = componentsOf(this.arena, share, operator, this.operator, this.cones.ranges, communicator);
			this.#sums = new Sums(this.arena, this.reducer, 1);
			const zero = this.#zero();
			this.measures = new Measures(this, zero);
			if (zero.u === this.u) this.r.values.fill(0);
			this.best = new Best(this, settings.measure, settings.tolerance);
		} catch (error) {
			this.close(error);
			throw error;
		}
	}

	/**
	 * Gives back the memory and the exchanges: nothing of this system is used afterwards. After an error an exchange may be under way, and
	 * cannot be closed; whoever runs the ranks ends them all with that error.
	 */
	close(error?: unknown): void {
		this.arena.release();
		try {
			this.#halo?.close();
		} catch (second) {
			if (error === undefined) throw second;
		}
	}

	/** Collective. The R nearest to zero that the laws allow, which is zero but for boxes and preloads, with its U. */
	#zero(): { readonly r: Vector; readonly u: Vector } {
		const { r, u, q } = this;
		if (!this.share.lawsUsed.some((law) => law === lawCode("box") || law === lawCode("preloaded"))) return { r, u: q };
		this.project(r);
		this.velocity(r, u);
		return { r, u };
	}

	#makeOperator(operator: Share["operator"], halo: Halo): Operator {
		const { arena, share, contacts, s, w } = this;
		if (operator.kind === "assembled") return new AssembledOperator(arena, operator, contacts, s, w, halo);
		if (operator.kind === "matrix-free") return new MatrixFreeOperator(arena, operator, s.values, halo);
		return new GlobalOperator(operator, share, s.values, halo);
	}

	/** Collective. An exchange of a method's own, which is closed with the system. */
	open(plan: HaloPlan): Exchange {
		return this.#halo!.open(plan);
	}

	/** The most bytes that the solver had at a time; what is shared with the caller, who gave the problem, is not counted. */
	get peakBytes(): number {
		return this.#shareBytes + this.arena.peakBytes;
	}

	/** s (also of ghosts where it is the same for all), and the own blocks of s W s. */
	#scaleBlocks(diagonal: Float64Array, scaling: Settings["scaling"]): void {
		const { arena, blocks, s, w } = this;
		w.values.set(diagonal);
		if (scaling === "contact") arena.kernels.scaleBlocks(blocks, w.at, s.at);
		else arena.kernels.multiply(scaling, w.at, 9 * blocks);
		if (scaling !== "contact") s.values.fill(Math.sqrt(scaling));
	}

	/** Collective. Each ghost has its owner's s: the same number as if its block were here. */
	#scaleGhosts(halo: HaloPlan, communicator: Communicator): void {
		const exchange = communicator.open({ ...halo, width: 1 });
		pass(exchange, this.s);
		exchange.close();
	}

	/** As many vectors as a method asks for, one after another in memory. */
	vectors(count: number): Vector[] {
		return this.arena.rooms(count, this.length, this.length - 3 * this.blocks);
	}

	/** A vector that is written before it is read, but for its padding, which is zero. */
	room(): Vector {
		return this.arena.room(this.length, this.length - 3 * this.blocks);
	}

	/** |x| */
	norm(x: Vector): number {
		this.#sums.dots(x.at, 0, 0, 0, x.at, this.length);
		return Math.sqrt(this.#sums.reduce()[0]!);
	}

	/** Collective. The sum of |x| in every direction, over all contacts. */
	sumOfSizes(x: Vector): number {
		this.#sums.sizes(this.contacts, x);
		return this.#sums.reduce()[0]!;
	}

	/** Collective. The sum of a term over all contacts, own ones by place. */
	sumOver(term: (place: number) => number): number {
		this.#sums.terms(this.contacts, term);
		return this.#sums.reduce()[0]!;
	}

	/** r <- proj_K(r) */
	project(r: Vector): void {
		this.cones.project(r);
	}

	/** r <- proj_K(r + factor d) */
	addProjected(factor: number, d: Vector, r: Vector): void {
		this.cones.addProjected(factor, d, r);
	}

	/** A vector of this system, zero. */
	vector(): Vector {
		return this.arena.vector(this.length);
	}

	/** A vector that W can be applied to: with room for ghosts behind it. Its own blocks are written before they are read. */
	operand(): Vector {
		const length = this.length + 24 * Math.ceil(this.share.ghosts.length / 8);
		return this.arena.room(length, length - 3 * this.blocks);
	}

	/** Takes numbers in the problem's units into the system's; power 1 multiplies by s (velocities), -1 divides (reactions). */
	store(from: Float64Array, to: Vector, power: 1 | -1): void {
		const { unit, blocks } = this;
		const { values } = to;
		for (let at = 0; at < blocks; at += 1) {
			const s = this.s.values[at]!;
			for (let i = 3 * at; i < 3 * at + 3; i += 1) values[i] = unit * (power === 1 ? from[i]! * s : from[i]! / s);
		}
	}

	/** The inverse of `store`, own blocks only, each to the block of `to` that `ids` says; in the order of storage without it. */
	load(
		from: Vector,
		power: 1 | -1,
		to: Float64Array = new Float64Array(3 * this.blocks),
		ids?: Int32Array,
	): Float64Array {
		const { blocks, s } = this;
		const { values } = from;
		// A power of two, as the unit is one: to multiply by it has the bits of a division.
		const inverse = 1 / this.unit;
		for (let at = 0, i = 0; at < blocks; at += 1, i += 3) {
			const scale = s.values[at]!;
			const k = ids === undefined ? i : 3 * ids[at]!;
			const x0 = values[i]! * inverse;
			const x1 = values[i + 1]! * inverse;
			const x2 = values[i + 2]! * inverse;
			to[k] = power === 1 ? x0 / scale : x0 * scale;
			to[k + 1] = power === 1 ? x1 / scale : x1 * scale;
			to[k + 2] = power === 1 ? x2 / scale : x2 * scale;
		}
		return to;
	}

	/** U = W R + q. */
	velocity(r: Vector, u: Vector): void {
		this.operator.apply(r, u);
		this.arena.kernels.axpby(1, this.q.at, 1, u.at, this.length);
	}

	/** Sets R to the share's start, or to zero. */
	startAt(r: Vector): void {
		r.values.fill(0);
		if (this.share.start) this.store(this.share.start, r, -1);
	}
}
