/** Sends answers back from the owners of contacts to the parts that the contacts came in, and computes the hash of all reactions. */
import { type Communicator, moveRecords, type Outbox, PiecewiseHash, type RankResult } from "@stickslip/core/parallel";
import type { OwnContacts } from "./arrivals.js";
import type { HeldPart } from "./survey.js";

/** What a part gets back: three numbers per contact, in the order of its ids. */
export interface PartAnswer {
	readonly index: number;
	readonly reaction: Float64Array;
	readonly velocity: Float64Array;
}

/** Part, place in the part, reaction, velocity. */
const ANSWER = 8;
/** A contact and its reaction. */
const HASHED = 4;
/** Contacts of which the first rank has the reactions at a time. */
const WINDOW = 2 ** 16;

/** Collective. The answers of the parts of this rank. */
export function moveAnswers(
	communicator: Communicator,
	held: readonly HeldPart[],
	own: OwnContacts,
	{ reaction, velocity }: Pick<RankResult, "reaction" | "velocity">,
): PartAnswer[] {
	const answers = held.map(({ index, ids }) => ({
		index,
		reaction: new Float64Array(3 * ids.length),
		velocity: new Float64Array(3 * ids.length),
	}));
	const byIndex = new Map(answers.map((answer) => [answer.index, answer]));
	let next = 0;
	const produce = (outbox: Outbox): boolean => {
		for (; next < own.from.length && !outbox.isFull; next += 1) {
			const record = outbox.record(own.from[next]!, ANSWER);
			record[0] = own.part[next]!;
			record[1] = own.place[next]!;
			for (let k = 0; k < 3; k += 1) {
				record[2 + k] = reaction[3 * next + k]!;
				record[5 + k] = velocity[3 * next + k]!;
			}
		}
		return next < own.from.length;
	};
	moveRecords(communicator, produce, (records) => {
		for (let at = 0; at < records.length; at += ANSWER) {
			const answer = byIndex.get(records[at]!)!;
			const place = 3 * records[at + 1]!;
			answer.reaction.set(records.subarray(at + 2, at + 5), place);
			answer.velocity.set(records.subarray(at + 5, at + 8), place);
		}
	});
	return answers;
}

/** Collective. The hash of the whole reaction in the order of its contacts, which pass through the first rank in windows; every rank gets it. */
export function hashInParts(
	communicator: Communicator,
	contacts: number,
	held: readonly HeldPart[],
	answers: readonly PartAnswer[],
): string {
	const hash = new PiecewiseHash();
	/** How many contacts of each part have passed. */
	const passed = new Int32Array(held.length);
	for (let first = 0; first < contacts; first += WINDOW) {
		const count = Math.min(WINDOW, contacts - first);
		const window = new Float64Array(communicator.rank === 0 ? 3 * count : 0);
		let part = 0;
		const produce = (outbox: Outbox): boolean => {
			for (; part < held.length; part += 1) {
				const { ids } = held[part]!;
				const { reaction } = answers[part]!;
				for (let i = passed[part]!; i < ids.length && ids[i]! < first + count; i += 1) {
					if (outbox.isFull) return true;
					const record = outbox.record(0, HASHED);
					record[0] = ids[i]! - first;
					record.set(reaction.subarray(3 * i, 3 * i + 3), 1);
					passed[part] = i + 1;
				}
			}
			return false;
		};
		moveRecords(communicator, produce, (records) => {
			for (let at = 0; at < records.length; at += HASHED) {
				window.set(records.subarray(at + 1, at + HASHED), 3 * records[at]!);
			}
		});
		if (communicator.rank === 0) hash.add(window);
	}
	const own = communicator.rank === 0 ? new TextEncoder().encode(hash.finish()) : undefined;
	return new TextDecoder().decode(communicator.broadcast(own, 0));
}
