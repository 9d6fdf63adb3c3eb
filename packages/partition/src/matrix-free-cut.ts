/**
 * Shares of rigid bodies: a rank gets its contacts and the bodies they touch, and as ghosts the contacts of others at those bodies. Sums
 * of a shared body are made anew on every rank that has it, from the same contacts in the same order; in a sweep the rank whose tile
 * touched it last tells the others its velocity.
 */
import type { RigidContacts } from "@stickslip/core";
import { ghostPlace, joinPlans, type MatrixFreeShare, type Plan } from "@stickslip/core/parallel";
import { tilesOf } from "./owners.js";
import { type Flow, planOf } from "./plans.js";
import type { Cut } from "./shares.js";

interface Own {
	/** Contacts, in the order of the whole problem. */
	readonly ids: Int32Array;
	/** Ids by owner, then by id. */
	readonly ghosts: Int32Array;
	/** Bodies that own contacts touch, ascending. */
	readonly bodies: Int32Array;
	/** Their numbers by global id. */
	readonly numbers: ReadonlyMap<number, number>;
}

/** A body, and the rank whose tile touches it. */
interface Touched {
	readonly body: number;
	readonly toucher: number;
}

export class MatrixFreeCut {
	readonly #plan: Plan;
	readonly #rigid: RigidContacts;
	readonly #owner: Int32Array;
	readonly #tile: Int32Array;
	/** Contacts by body. */
	readonly #start: Int32Array;
	readonly #touching: Int32Array;
	/** Whether a body has contacts of more than one rank. */
	readonly #isShared: Uint8Array;
	readonly #own: readonly Own[];
	/** The place of each contact at its owner. */
	readonly #place: Int32Array;

	constructor(plan: Plan, owner: Int32Array, ranks: number) {
		const { rigid, contacts } = plan.problem;
		if (rigid === undefined) throw new Error("a matrix-free plan without bodies");
		this.#plan = plan;
		this.#rigid = rigid;
		this.#owner = owner;
		this.#tile = tilesOf(plan);
		const bodies = rigid.inverseMass.length;
		this.#start = new Int32Array(bodies + 1);
		for (const b of rigid.body) if (b >= 0) this.#start[b + 1]! += 1;
		for (let b = 0; b < bodies; b += 1) this.#start[b + 1]! += this.#start[b]!;
		const next = this.#start.slice(0, bodies);
		this.#touching = new Int32Array(this.#start[bodies]!);
		for (let k = 0; k < 2 * contacts; k += 1) {
			const b = rigid.body[k]!;
			if (b < 0) continue;
			this.#touching[next[b]!] = k >> 1;
			next[b]! += 1;
		}
		this.#isShared = new Uint8Array(bodies);
		for (let b = 0; b < bodies; b += 1) {
			const all = this.#at(b);
			if (all.some((a) => owner[a] !== owner[all[0]!])) this.#isShared[b] = 1;
		}
		const places: number[][] = Array.from({ length: ranks }, () => []);
		for (const id of plan.layout.order) places[owner[id]!]!.push(id);
		this.#own = places.map((ids, rank) => this.#ownOf(rank, ids));
		this.#place = new Int32Array(contacts);
		for (const { ids } of this.#own) for (const [at, id] of ids.entries()) this.#place[id] = at;
	}

	/** Contacts at a body, by id. */
	#at(b: number): Int32Array {
		return this.#touching.subarray(this.#start[b]!, this.#start[b + 1]!);
	}

	/** The bodies of a contact that move. */
	#bodiesOf(a: number): number[] {
		return [this.#rigid.body[2 * a]!, this.#rigid.body[2 * a + 1]!].filter((b) => b >= 0);
	}

	#ownOf(rank: number, ids: readonly number[]): Own {
		const owner = this.#owner;
		const touched = new Set<number>();
		for (const a of ids) for (const b of this.#bodiesOf(a)) touched.add(b);
		const ghosts = new Set<number>();
		for (const b of touched) {
			if (this.#isShared[b] === 1) for (const a of this.#at(b)) if (owner[a] !== rank) ghosts.add(a);
		}
		const bodies = Int32Array.from(touched).sort();
		return {
			ids: Int32Array.from(ids),
			ghosts: Int32Array.from(ghosts).sort((a, b) => owner[a]! - owner[b]! || a - b),
			bodies,
			numbers: new Map(Array.from(bodies, (b, i) => [b, i])),
		};
	}

	cut(rank: number): Cut {
		const own = this.#own[rank]!;
		const { steps } = this.#plan.layout;
		return {
			ids: own.ids,
			ownContacts: own.ids.length,
			ghosts: own.ghosts,
			operator: this.#bodies(own),
			halo: planOf(rank, 3, this.#contactFlows(rank)),
			passed: joinPlans(
				Array.from({ length: steps }, (_, step) => planOf(rank, 6, this.#bodyFlows(rank, step))),
				6,
			),
			// What a tile needs of others stands in the velocities of its bodies: there is nothing to wait for meanwhile.
			waits: () => false,
		};
	}

	#contactFlows(rank: number): Flow[] {
		const flows: Flow[] = [];
		for (const [to, { ids, ghosts }] of this.#own.entries()) {
			const byOwner = new Map<number, { send: number[]; receive: number[] }>();
			for (const [g, id] of ghosts.entries()) {
				const from = this.#owner[id]!;
				if (from !== rank && to !== rank) continue;
				const flow = byOwner.get(from) ?? { send: [], receive: [] };
				byOwner.set(from, flow);
				flow.send.push(this.#place[id]!);
				flow.receive.push(ghostPlace(ids.length) + g);
			}
			for (const [from, flow] of byOwner) flows.push({ from, to, ...flow });
		}
		return flows;
	}

	/** Shared bodies that tiles of a step touch, from the rank that owns the tile to all others that have the body. */
	#bodyFlows(rank: number, step: number): readonly Flow[] {
		this.#flowsBySteps ??= this.#makeBodyFlows();
		return this.#flowsBySteps[step]![rank]!;
	}

	#flowsBySteps: Flow[][][] | undefined;

	/** By step and rank the flows that it has a part in: each body of each step is looked at once. */
	#makeBodyFlows(): Flow[][][] {
		const having = new Map<number, number[]>();
		for (const [rank, { bodies }] of this.#own.entries()) {
			for (const b of bodies) {
				if (this.#isShared[b] === 0) continue;
				const ranks = having.get(b);
				if (ranks) ranks.push(rank);
				else having.set(b, [rank]);
			}
		}
		return this.#sortBySteps().map((shared) => this.#flowsOf(shared, having));
	}

	#flowsOf(shared: readonly Touched[], having: ReadonlyMap<number, readonly number[]>): Flow[][] {
		const byPair = new Map<number, { from: number; to: number; send: number[]; receive: number[] }>();
		const byRank: Flow[][] = this.#own.map(() => []);
		for (const { body: b, toucher } of shared) {
			for (const to of having.get(b)!) {
				if (to === toucher) continue;
				const key = toucher * this.#own.length + to;
				let flow = byPair.get(key);
				if (flow === undefined) {
					flow = { from: toucher, to, send: [], receive: [] };
					byPair.set(key, flow);
					byRank[toucher]!.push(flow);
					byRank[to]!.push(flow);
				}
				flow.send.push(this.#own[toucher]!.numbers.get(b)!);
				flow.receive.push(this.#own[to]!.numbers.get(b)!);
			}
		}
		return byRank;
	}

	#colourOf(a: number): number {
		return this.#plan.layout.tileColour[this.#tile[a]!]!;
	}

	/** By step the shared bodies that a tile of it touches, ascending. Tiles of a colour share no body, so it is one tile, of one rank. */
	#sortBySteps(): Touched[][] {
		const lists: Touched[][] = Array.from({ length: this.#plan.layout.steps }, () => []);
		for (const [body, isShared] of this.#isShared.entries()) {
			if (isShared === 0) continue;
			const seen = new Set<number>();
			for (const a of this.#at(body)) {
				const step = this.#colourOf(a);
				if (seen.has(step)) continue;
				seen.add(step);
				lists[step]!.push({ body, toucher: this.#owner[a]! });
			}
		}
		return lists;
	}

	/** Own contacts and ghosts, with their bodies as the rank numbers them; a body that it does not have is like an obstacle. */
	#bodies({ ids, ghosts, bodies, numbers }: Own): MatrixFreeShare {
		const { body, frame, arm, inverseMass, inverseInertia } = this.#rigid;
		const all = Int32Array.from([...ids, ...ghosts]);
		const rigid = {
			body: new Int32Array(2 * all.length),
			frame: new Float64Array(9 * all.length),
			arm: new Float64Array(6 * all.length),
			inverseMass: Float64Array.from(bodies, (b) => inverseMass[b]!),
			inverseInertia: new Float64Array(6 * bodies.length),
		};
		for (const [k, id] of all.entries()) {
			for (let side = 0; side < 2; side += 1) rigid.body[2 * k + side] = numbers.get(body[2 * id + side]!) ?? -1;
			rigid.frame.set(frame.subarray(9 * id, 9 * id + 9), 9 * k);
			rigid.arm.set(arm.subarray(6 * id, 6 * id + 6), 6 * k);
		}
		for (const [i, b] of bodies.entries()) rigid.inverseInertia.set(inverseInertia.subarray(6 * b, 6 * b + 6), 6 * i);
		const isShared = Uint8Array.from(bodies, (b) => this.#isShared[b]!);
		return {
			kind: "matrix-free",
			rigid,
			contact: Int32Array.from(ids.keys()),
			isShared,
			...this.#shared(all, ids.length, rigid.body, isShared),
		};
	}

	/** Contacts at shared bodies, in the order of the whole problem: where they stand, and which of `all` they are. */
	#shared(all: Int32Array, own: number, body: Int32Array, isShared: Uint8Array) {
		const { place } = this.#plan.layout;
		const at: number[] = [];
		for (const k of all.keys()) {
			const [first, second] = [body[2 * k]!, body[2 * k + 1]!];
			if ((first >= 0 && isShared[first] === 1) || (second >= 0 && isShared[second] === 1)) at.push(k);
		}
		at.sort((p, q) => place[all[p]!]! - place[all[q]!]!);
		return {
			sharedContact: Int32Array.from(at),
			sharedPlace: Int32Array.from(at, (k) => (k < own ? k : ghostPlace(own) + k - own)),
		};
	}
}
