/**
 * Velocities of shared bodies in a sweep. Tiles of a step share no body, so after a step each velocity has been written by one rank at most; it is sent to
 * the ranks that write it next, in a sweep forwards and in one backwards, and to no others: most bodies are touched by one rank several times in a row.
 */
import type { Plan } from "@stickslip/core/parallel";
import { type BodyContacts, SHARED_BODY } from "./body-contacts.js";
import type { Flow } from "./plans.js";

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
		const byPair = new Map<number, Flow>();
		const pass = (step: number, b: number, from: number, to: number): void => {
			const key = (step * bodies.length + from) * bodies.length + to;
			let flow = byPair.get(key);
			if (flow === undefined) {
				flow = { from, to, send: [], receive: [] };
				byPair.set(key, flow);
				flows[from]![step]!.push(flow);
				flows[to]![step]!.push(flow);
			}
			flow.send.push(numbers.of(b, from));
			flow.receive.push(numbers.of(b, to));
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
			for (let i = 0; i < steps.length; i += 1) {
				const from = rankAt[steps[i]!]!;
				const before = i > 0 ? rankAt[steps[i - 1]!]! : from;
				const after = i + 1 < steps.length ? rankAt[steps[i + 1]!]! : from;
				if (after !== from) pass(steps[i]!, b, from, after);
				if (before !== from && before !== after) pass(steps[i]!, b, from, before);
			}
			for (const step of steps) rankAt[step] = -1;
		}
	}

	/** By step what a rank sends and receives. */
	bySteps(rank: number): readonly Flow[][] {
		return this.#flows[rank]!;
	}
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
