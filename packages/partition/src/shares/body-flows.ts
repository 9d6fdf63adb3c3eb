/**
 * Velocities of shared bodies in a sweep. Tiles of a step share no body, so after a step each velocity has been written by one rank at most; it is sent to
 * the rank that writes it next, and to no other: most bodies are touched by one rank several times in a row. It may travel after any step before that next
 * one, so that what one rank has for another goes in as few messages as there can be. A sweep backwards sends the same the other way.
 */
import type { Plan } from "@stickslip/core/parallel";
import { type BodyContacts, SHARED_BODY } from "./body-contacts.js";
import type { Flow } from "./plans.js";

/** A velocity on its way: after which steps it may travel, and its places at either end. */
interface Passage {
	readonly first: number;
	readonly last: number;
	readonly send: number;
	readonly receive: number;
}

export class BodyFlows {
	readonly #flows: readonly (readonly Flow[][])[];

	/** `bodies` are those of each rank, ascending. */
	constructor(
		layout: Plan["layout"],
		tile: Int32Array,
		owner: Int32Array,
		touching: BodyContacts,
		bodies: readonly Int32Array[],
	) {
		const flows = Array.from(bodies, () => Array.from({ length: layout.steps }, (): Flow[] => []));
		this.#flows = flows;
		const { start, contact, rankOf } = touching;
		const numbers = numbersOf(bodies, rankOf);
		const byPair = new Map<number, Passage[]>();
		const pass = (b: number, from: number, to: number, first: number, last: number): void => {
			const key = from * bodies.length + to;
			const passage = { first, last, send: numbers.of(b, from), receive: numbers.of(b, to) };
			const list = byPair.get(key);
			if (list === undefined) byPair.set(key, [passage]);
			else list.push(passage);
		};
		const rankAt = new Int32Array(layout.steps).fill(-1);
		for (let b = 0; b < rankOf.length; b += 1) {
			if (rankOf[b] !== SHARED_BODY) continue;
			const steps: number[] = [];
			for (let k = start[b]!; k < start[b + 1]!; k += 1) {
				const step = layout.tileColour[tile[contact[k]!]!]!;
				if (rankAt[step]! < 0) steps.push(step);
				rankAt[step] = owner[contact[k]!]!;
			}
			steps.sort((one, other) => one - other);
			for (let i = 1; i < steps.length; i += 1) {
				const [step, next] = [steps[i - 1]!, steps[i]!];
				if (rankAt[step] !== rankAt[next]) pass(b, rankAt[step]!, rankAt[next]!, step, next - 1);
			}
			for (const step of steps) rankAt[step] = -1;
		}
		for (const [key, passages] of byPair) {
			const [from, to] = [Math.floor(key / bodies.length), key % bodies.length];
			for (const { step, together } of joined(passages)) {
				const flow: Flow = {
					...{ from, to },
					send: together.map(({ send }) => send),
					receive: together.map(({ receive }) => receive),
				};
				flows[from]![step]!.push(flow);
				flows[to]![step]!.push(flow);
			}
		}
	}

	/** By step what a rank sends and receives after it in a sweep forwards; backwards the other way, after the next one. */
	bySteps(rank: number): readonly Flow[][] {
		return this.#flows[rank]!;
	}
}

/** Fewest messages: each goes when the first of those without one has to, and takes all that may go then; it is sent as soon as all of them are there. */
function joined(passages: readonly Passage[]): { readonly step: number; readonly together: readonly Passage[] }[] {
	const sorted = [...passages].sort((one, other) => one.last - other.last);
	const messages: { step: number; together: Passage[] }[] = [];
	let deadline = -1;
	for (const passage of sorted) {
		const { first, last } = passage;
		const message = messages.at(-1);
		if (message === undefined || first > deadline) {
			messages.push({ step: first, together: [passage] });
			deadline = last;
			continue;
		}
		message.step = Math.max(message.step, first);
		message.together.push(passage);
	}
	return messages;
}

/** The numbers that shared bodies have on the ranks that touch them. */
function numbersOf(bodies: readonly Int32Array[], rankOf: Int32Array) {
	const start = new Int32Array(rankOf.length + 1);
	const each = (visit: (b: number, rank: number, number: number) => void): void => {
		for (let rank = 0; rank < bodies.length; rank += 1) {
			const own = bodies[rank]!;
			for (let i = 0; i < own.length; i += 1) if (rankOf[own[i]!] === SHARED_BODY) visit(own[i]!, rank, i);
		}
	};
	each((b) => {
		start[b + 1]! += 1;
	});
	for (let b = 0; b < rankOf.length; b += 1) start[b + 1]! += start[b]!;
	const ranks = new Int32Array(start[rankOf.length]!);
	const numbers = new Int32Array(ranks.length);
	const next = start.slice(0, rankOf.length);
	each((b, rank, number) => {
		ranks[next[b]!] = rank;
		numbers[next[b]!] = number;
		next[b]! += 1;
	});
	return {
		of(b: number, rank: number): number {
			let k = start[b]!;
			while (ranks[k] !== rank) k += 1;
			return numbers[k]!;
		},
	};
}
