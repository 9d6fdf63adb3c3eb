/**
 * Shares of rigid bodies: a rank gets its contacts and the bodies they touch, and as ghosts the contacts of others at those bodies. Sums of a shared body
 * are made anew on every rank that has it, from the same contacts in the same order; in a sweep the rank whose tile touched it last tells its velocity to
 * those that touch it next. Tiles at shared bodies stand behind the others of their step: what comes in is received during work on the others.
 */
import type { RigidContacts } from "@stickslip/core";
import {
	ghostPlace,
	joinPlans,
	type MatrixFreeOutline,
	type MatrixFreeRows,
	type Plan,
	type ShareOutline,
} from "@stickslip/core/parallel";
import { type BodyContacts, bodyContactsOf, bordersOfBodies, SHARED_BODY } from "./body-contacts.js";
import { BodyFlows } from "./body-flows.js";
import { GhostFlows, placesIn, shareOut, tilesWith } from "./ghosts.js";
import { planOf } from "./plans.js";
import { rigidOfRank } from "./rigid-of-rank.js";
import type { Cut, ShareCutter } from "./shares.js";

interface Own {
	/** Contacts, in the order of the whole problem but for those of a step that stand side by side. */
	readonly ids: Int32Array;
	/** Ids by owner, then by id. */
	readonly ghosts: Int32Array;
	/** Bodies that own contacts touch, ascending: their place here is their number on the rank. */
	readonly bodies: Int32Array;
}

export class MatrixFreeCutter implements ShareCutter {
	readonly #plan: Plan;
	readonly #touching: BodyContacts;
	/** Whether a tile touches a shared body. */
	readonly #waits: Uint8Array;
	readonly #own: readonly Own[];
	readonly #ghostFlows: GhostFlows;
	readonly #bodyFlows: BodyFlows;
	readonly #owner: Int32Array;
	/** The place of each contact at its owner. */
	readonly #place: Int32Array;
	/** Scratch: the numbers of bodies with the rank that is cut, -1 for none, and of its ghosts. */
	readonly #bodyNumber: Int32Array;
	readonly #ghostNumber: Int32Array;

	constructor(plan: Plan, owner: Int32Array, tile: Int32Array, ranks: number) {
		const { rigid, contacts } = plan.problem;
		if (rigid === undefined) throw new Error("a matrix-free plan without bodies");
		this.#plan = plan;
		this.#touching = bodyContactsOf(rigid, owner);
		const { waiting, ghosts, bodies } = bordersOfBodies(this.#touching, owner, ranks);
		this.#waits = tilesWith(waiting, tile, plan.layout.tileColour.length);
		const lists = shareOut(this.#waitingLast(), owner, ranks);
		for (const ids of lists) this.#pairUp(ids, tile);
		this.#own = lists.map((ids, rank) => ({ ids, ghosts: ghosts[rank]!, bodies: bodies[rank]! }));
		const copies = this.#own.map(({ ids, ghosts }) => ({ own: ids.length, ghosts }));
		this.#owner = owner;
		this.#place = placesIn(lists, contacts);
		this.#ghostFlows = new GhostFlows(copies, owner, this.#place);
		this.#bodyFlows = new BodyFlows(plan.layout, tile, owner, this.#touching, bodies);
		this.#bodyNumber = new Int32Array(rigid.inverseMass.length).fill(-1);
		this.#ghostNumber = new Int32Array(contacts);
	}

	/**
	 * The order of the whole problem, but of tiles of one step that follow one another those that wait come last: they share no body, so
	 * that each body has its contacts in the same order still.
	 */
	#waitingLast(): Int32Array {
		const { order, tileStart, tileColour } = this.#plan.layout;
		const sorted = new Int32Array(order.length);
		const waiting = new Int32Array(order.length);
		let end = 0;
		for (let first = 0, last = 0; first < tileColour.length; first = last) {
			let late = 0;
			for (; last < tileColour.length && tileColour[last] === tileColour[first]; last += 1) {
				const isLate = this.#waits[last] === 1;
				for (let at = tileStart[last]!; at < tileStart[last + 1]!; at += 1) {
					if (isLate) {
						waiting[late] = order[at]!;
						late += 1;
					} else {
						sorted[end] = order[at]!;
						end += 1;
					}
				}
			}
			for (let i = 0; i < late; i += 1, end += 1) sorted[end] = waiting[i]!;
		}
		return sorted;
	}

	/**
	 * Contacts are swept two by two, from even places on. Where those that wait begin at an odd place and the one before is of the same step,
	 * it waits with them: no pair is split.
	 */
	#pairUp(ids: Int32Array, tile: Int32Array): void {
		const { tileColour } = this.#plan.layout;
		for (let at = 1; at < ids.length; at += 2) {
			const own = tile[ids[at]!]!;
			const before = tile[ids[at - 1]!]!;
			const isSplit = this.#waits[own] === 1 && this.#waits[before] === 0;
			if (isSplit && tileColour[own] === tileColour[before]) this.#waits[before] = 1;
		}
	}

	cut(rank: number): Cut {
		const own = this.#own[rank]!;
		return {
			ids: own.ids,
			ownContacts: own.ids.length,
			ghosts: own.ghosts,
			operator: this.#places(own, rank),
			halo: planOf(rank, 3, this.#ghostFlows.all(rank)),
			passed: joinPlans(
				this.#bodyFlows.bySteps(rank).map((flows) => planOf(rank, 6, flows)),
				6,
			),
			waits: this.#waits,
		};
	}

	/** Those that a rank's own contacts touch, ascending: their places here are their numbers on the rank. */
	bodies(rank: number): Int32Array {
		return this.#own[rank]!.bodies;
	}

	/** Own contacts and ghosts, with their bodies as the rank numbers them; a body that it does not have is like an obstacle. */
	rows(outline: ShareOutline): MatrixFreeRows {
		return { kind: "matrix-free", ...this.values(outline, this.#plan) };
	}

	/** The same out of a plan with the pattern of this one. */
	values({ rank, ids, ghosts }: ShareOutline, { problem }: Plan): { readonly rigid: RigidContacts } {
		const rigid = rigidOfRank(problem.rigid!, joined(ids, ghosts), this.#own[rank]!.bodies, this.#bodyNumber);
		return { rigid };
	}

	/** Contacts at shared bodies of the rank stand in the order of the whole problem: each once, also where both its bodies are shared. */
	#places({ ids, ghosts, bodies }: Own, rank: number): MatrixFreeOutline {
		const { rankOf, start, contact: touching } = this.#touching;
		const { place, order } = this.#plan.layout;
		const isShared = new Uint8Array(bodies.length);
		const shared: number[] = [];
		for (let i = 0; i < bodies.length; i += 1) {
			const b = bodies[i]!;
			if (rankOf[b] !== SHARED_BODY) continue;
			isShared[i] = 1;
			for (let k = start[b]!; k < start[b + 1]!; k += 1) shared.push(place[touching[k]!]!);
		}
		for (let g = 0; g < ghosts.length; g += 1) this.#ghostNumber[ghosts[g]!] = ids.length + g;
		const sharedContact = Int32Array.from(shared)
			.sort()
			.filter((at, i, all) => at !== all[i - 1])
			.map((at) => (this.#owner[order[at]!] === rank ? this.#place : this.#ghostNumber)[order[at]!]!);
		const ghostsFrom = ghostPlace(ids.length) - ids.length;
		const sharedPlace = sharedContact.map((k) => (k < ids.length ? k : ghostsFrom + k));
		const contact = new Int32Array(ids.length);
		for (let at = 0; at < contact.length; at += 1) contact[at] = at;
		return { kind: "matrix-free", contact, isShared, sharedContact, sharedPlace };
	}
}

function joined(ids: Int32Array, ghosts: Int32Array): Int32Array {
	const all = new Int32Array(ids.length + ghosts.length);
	all.set(ids);
	all.set(ghosts, ids.length);
	return all;
}
