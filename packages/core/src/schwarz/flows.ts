/**
 * Who sends which blocks to the ranks that have their subdomains, and gets which back. All stand in one vector: own blocks by place, then the
 * blocks of the subdomains of this rank one after another, then the answers to own blocks.
 */
import type { HaloPlan } from "../parallel/communicator.js";
import type { Subdomains } from "./decide.js";
import type { SubdomainBlocks } from "./members.js";

/** An exchange, and places from and to, by twos, of what stays on this rank. */
export interface Flow {
	/** Of `width` 3. */
	readonly plan: HaloPlan;
	readonly own: Int32Array;
}

export interface Flows {
	readonly forward: Flow;
	readonly back: Flow;
	/** Blocks of the vector. */
	readonly length: number;
	/** Where the answers to each own block begin: one, or as many as it has subdomains. */
	readonly answerStart: Int32Array;
}

/** One block of one subdomain, as either side sees it. */
interface Passage {
	readonly subdomain: number;
	readonly id: number;
	/** The other side. */
	readonly rank: number;
	readonly place: number;
	/** Where its answer stands: with the subdomain the same place, and -1 where none is wanted. */
	readonly answer: number;
}

/** `isAdditive`: every subdomain of a block answers, not its own alone. */
export function flowsOf(
	rank: number,
	{ of, owner }: Subdomains,
	here: readonly SubdomainBlocks[],
	idAt: (place: number) => number,
	isAdditive: boolean,
): Flows {
	const blocks = of.length;
	const inside: Passage[] = [];
	for (const { number, ids, homes, isOwn } of here) {
		for (const [i, id] of ids.entries()) {
			const place = blocks + inside.length;
			const answer = isAdditive || isOwn[i] === 1 ? place : -1;
			inside.push({ subdomain: number, id, rank: homes[i]!, place, answer });
		}
	}
	const answerStart = new Int32Array(blocks + 1);
	const home: Passage[] = [];
	let length = blocks + inside.length;
	for (let place = 0; place < blocks; place += 1) {
		answerStart[place] = length;
		for (const [k, subdomain] of of[place]!.entries()) {
			const isAnswered = isAdditive || k === 0;
			home.push({ subdomain, id: idAt(place), rank: owner[place]![k]!, place, answer: isAnswered ? length : -1 });
			if (isAnswered) length += 1;
		}
		answerStart[place + 1] = length;
	}
	home.sort(byKey);
	inside.sort(byKey);
	const [answered, wanted] = [inside, home].map((list) => list.filter(({ answer }) => answer >= 0));
	return {
		forward: flowOf(rank, home, inside, (from) => from.place),
		back: flowOf(rank, answered!, wanted!, (from) => from.answer),
		length,
		answerStart,
	};
}

/** What both sides list in: by subdomain, then by id. */
function byKey(a: Passage, b: Passage): number {
	return a.subdomain - b.subdomain || a.id - b.id;
}

function flowOf(
	rank: number,
	from: readonly Passage[],
	to: readonly Passage[],
	placeOf: (passage: Passage) => number,
): Flow {
	const [sent, received] = [from, to].map((list) => sideOf(rank, list, placeOf)) as [Side, Side];
	const plan = {
		width: 3,
		...{ targets: sent.ranks, sendStart: sent.start, send: sent.places },
		...{ sources: received.ranks, receiveStart: received.start, receive: received.places },
	};
	const own = new Int32Array(2 * sent.own.length);
	for (const [i, place] of sent.own.entries()) {
		own[2 * i] = place;
		own[2 * i + 1] = received.own[i]!;
	}
	return { plan, own };
}

interface Side {
	readonly ranks: Int32Array;
	readonly start: Int32Array;
	readonly places: Int32Array;
	readonly own: readonly number[];
}

function sideOf(rank: number, list: readonly Passage[], placeOf: (passage: Passage) => number): Side {
	const byRank = new Map<number, number[]>();
	for (const passage of list) {
		const places = byRank.get(passage.rank);
		if (places === undefined) byRank.set(passage.rank, [placeOf(passage)]);
		else places.push(placeOf(passage));
	}
	const own = byRank.get(rank) ?? [];
	byRank.delete(rank);
	const ranks = Int32Array.from([...byRank.keys()].sort((a, b) => a - b));
	const start = new Int32Array(ranks.length + 1);
	for (const [i, other] of ranks.entries()) start[i + 1] = start[i]! + byRank.get(other)!.length;
	return { ranks, start, places: Int32Array.from([...ranks].flatMap((other) => byRank.get(other)!)), own };
}
