/** Shares of a W with rows: a rank gets its rows, and as ghosts the blocks that these name and others own. */
import type { BlockMatrix } from "@stickslip/core";
import { type AssembledShare, ghostPlace, joinPlans, type Plan } from "@stickslip/core/parallel";
import { tilesOf } from "./owners.js";
import { type Flow, planOf } from "./plans.js";
import type { Cut } from "./shares.js";

/** Own ids of a rank: tiles that need no ghosts, those that do, equality blocks. */
interface Own {
	readonly ids: Int32Array;
	readonly contacts: number;
	readonly interior: number;
	/** Ids by owner, then by id. */
	readonly ghosts: Int32Array;
}

export class AssembledCut {
	readonly #plan: Plan;
	readonly #matrix: BlockMatrix;
	readonly #owner: Int32Array;
	readonly #tile: Int32Array;
	/** Whether a tile has a row with a block of another rank's. */
	readonly #waits: Uint8Array;
	readonly #own: readonly Own[];
	/** The place of each block at its owner. */
	readonly #place: Int32Array;

	constructor(plan: Plan, owner: Int32Array, ranks: number) {
		if (plan.matrix === undefined) throw new Error("an assembled plan without rows");
		this.#plan = plan;
		this.#matrix = plan.matrix;
		this.#owner = owner;
		this.#tile = tilesOf(plan);
		this.#waits = this.#findWaiting();
		const places: number[][] = Array.from({ length: ranks }, () => []);
		for (const id of plan.layout.order) places[owner[id]!]!.push(id);
		this.#own = places.map((ids, rank) => this.#ownOf(rank, ids));
		this.#place = new Int32Array(plan.blocks);
		for (const { ids } of this.#own) for (const [at, id] of ids.entries()) this.#place[id] = at;
	}

	#findWaiting(): Uint8Array {
		const { rowStart, column, rows } = this.#matrix;
		const waits = new Uint8Array(this.#plan.layout.tileColour.length);
		for (let a = 0; a < rows; a += 1) {
			for (let k = rowStart[a]!; k < rowStart[a + 1]!; k += 1) {
				if (this.#owner[column[k]!] !== this.#owner[a]) waits[this.#tile[a]!] = 1;
			}
		}
		return waits;
	}

	#ownOf(rank: number, ids: readonly number[]): Own {
		const { contacts } = this.#plan.problem;
		const { rowStart, column } = this.#matrix;
		const owner = this.#owner;
		const isContact = (id: number) => id < contacts;
		const isWaiting = (id: number) => this.#waits[this.#tile[id]!] === 1;
		const front = ids.filter((id) => isContact(id) && !isWaiting(id));
		const back = ids.filter((id) => isContact(id) && isWaiting(id));
		const rest = ids.filter((id) => !isContact(id));
		const ghosts = new Set<number>();
		for (const a of ids) {
			for (let k = rowStart[a]!; k < rowStart[a + 1]!; k += 1) if (owner[column[k]!] !== rank) ghosts.add(column[k]!);
		}
		const free = rest.some(isWaiting) || back.length > 0 ? 0 : rest.length;
		return {
			ids: Int32Array.from([...front, ...back, ...rest]),
			contacts: front.length + back.length,
			interior: front.length + free,
			ghosts: Int32Array.from(ghosts).sort((a, b) => owner[a]! - owner[b]! || a - b),
		};
	}

	cut(rank: number): Cut {
		const { ids, contacts, ghosts, interior } = this.#own[rank]!;
		const { tileColour, steps } = this.#plan.layout;
		const flows = this.#flows(rank);
		const ofStep = (step: number) => this.#flows(rank, (id) => tileColour[this.#tile[id]!] === step);
		return {
			ids,
			ownContacts: contacts,
			ghosts,
			operator: this.#rows(ids, ghosts, interior),
			halo: planOf(rank, 3, flows),
			passed: joinPlans(
				Array.from({ length: steps }, (_, step) => planOf(rank, 3, ofStep(step))),
				3,
			),
			waits: (tile) => this.#waits[tile] === 1,
		};
	}

	/** What the rank sends and receives of the blocks that are wanted. */
	#flows(rank: number, isWanted: (id: number) => boolean = () => true): Flow[] {
		const flows: Flow[] = [];
		for (const to of this.#own.keys()) {
			const first = ghostPlace(this.#own[to]!.ids.length);
			const byOwner = new Map<number, { send: number[]; receive: number[] }>();
			for (const [g, id] of this.#own[to]!.ghosts.entries()) {
				const from = this.#owner[id]!;
				if ((from !== rank && to !== rank) || !isWanted(id)) continue;
				const flow = byOwner.get(from) ?? { send: [], receive: [] };
				byOwner.set(from, flow);
				flow.send.push(this.#place[id]!);
				flow.receive.push(first + g);
			}
			for (const [from, flow] of byOwner) flows.push({ from, to, ...flow });
		}
		return flows;
	}

	/** Own rows, their columns numbered by ascending id over own blocks and ghosts. */
	#rows(ids: Int32Array, ghosts: Int32Array, interior: number): AssembledShare {
		const { rowStart, column, values } = this.#matrix;
		const known = Int32Array.from([...ids, ...ghosts]).sort();
		const number = new Map<number, number>();
		for (const [i, id] of known.entries()) number.set(id, i);
		const local = new Int32Array(known.length);
		for (const [at, id] of ids.entries()) local[number.get(id)!] = at;
		for (const [g, id] of ghosts.entries()) local[number.get(id)!] = ghostPlace(ids.length) + g;
		const start = new Int32Array(ids.length + 1);
		for (const [at, id] of ids.entries()) start[at + 1] = start[at]! + rowStart[id + 1]! - rowStart[id]!;
		const columns = new Int32Array(start[ids.length]!);
		const blocks = new Float64Array(9 * columns.length);
		for (const [at, id] of ids.entries()) {
			const from = rowStart[id]!;
			const end = rowStart[id + 1]!;
			for (let k = from; k < end; k += 1) columns[start[at]! + k - from] = number.get(column[k]!)!;
			blocks.set(values.subarray(9 * from, 9 * end), 9 * start[at]!);
		}
		const matrix = { rows: ids.length, rowStart: start, column: columns, values: blocks };
		return { kind: "assembled", matrix, row: Int32Array.from(ids.keys()), local, interior };
	}
}
