/**
 * Reactions of the last step, by which the next solve starts: contacts are found again by their key, which is the ids of their bodies and the feature. They are
 * kept in world axes, so that frames may turn; keys ascend as contacts do, so that two lists are merged.
 */
import { grown } from "../base/grow.js";
import { KeptView } from "../base/kept-view.js";
import type { Bodies } from "../bodies/bodies.js";
import type { Contacts } from "./contacts.js";

/** Numbers of a key, and of a record that travels: key and reaction. */
export const KEY = 4;
const RECORD = KEY + 3;

export class WarmStarts {
	count = 0;
	/** Smaller id, larger id, feature, and 1 for the moment of a contact that rolls. */
	key = new Int32Array(0);
	/** In world axes, of the first body on the second. */
	reaction = new Float64Array(0);
	#obstacles = 0;
	#start = new Float64Array(0);
	readonly #part = new KeptView<Float64Array>();
	/** Whether contacts may have moments. */
	readonly haveMoments: boolean;

	constructor(haveMoments = false) {
		this.haveMoments = haveMoments;
	}

	/** Keeps the reactions of the rank's own contacts. */
	remember(bodies: Bodies, contacts: Contacts, R: Float64Array, owner: Int32Array, rank: number): void {
		const { body, feature, frame, isMoment } = contacts;
		this.#obstacles = bodies.obstacles;
		this.#reserve(contacts.count);
		const { key, reaction } = this;
		const haveMoments = isMoment.length > 0;
		let count = 0;
		for (let a = 0; a < contacts.count; a += 1) {
			if (owner[a] !== rank) continue;
			key[KEY * count] = bodies.id[body[2 * a]!]!;
			key[KEY * count + 1] = bodies.id[body[2 * a + 1]!]!;
			key[KEY * count + 2] = feature[a]!;
			key[KEY * count + 3] = haveMoments ? isMoment[a]! : 0;
			for (let d = 0; d < 3; d += 1) {
				const k = 9 * a + d;
				reaction[3 * count + d] = frame[k]! * R[3 * a]! + frame[k + 3]! * R[3 * a + 1]! + frame[k + 6]! * R[3 * a + 2]!;
			}
			count += 1;
		}
		this.count = count;
	}

	/** What was remembered of these contacts in their frames, zero for new ones. The next call writes over it. */
	start(bodies: Bodies, contacts: Contacts): Float64Array {
		this.#start = grown(this.#start, 3 * contacts.count);
		const start = this.#part.of(this.#start, 0, 3 * contacts.count).fill(0);
		const { body, feature, frame, isMoment } = contacts;
		const { key, reaction, count } = this;
		const { id } = bodies;
		const haveMoments = isMoment.length > 0;
		for (let a = 0, i = 0; a < contacts.count && i < count; a += 1) {
			const first = id[body[2 * a]!]!;
			const second = id[body[2 * a + 1]!]!;
			const part = haveMoments ? isMoment[a]! : 0;
			let order = compare(key, KEY * i, first, second, feature[a]!, part);
			while (order < 0) {
				i += 1;
				order = i < count ? compare(key, KEY * i, first, second, feature[a]!, part) : 1;
			}
			if (order > 0) continue;
			const x = reaction[3 * i]!;
			const y = reaction[3 * i + 1]!;
			const z = reaction[3 * i + 2]!;
			const k = 9 * a;
			start[3 * a] = frame[k]! * x + frame[k + 1]! * y + frame[k + 2]! * z;
			start[3 * a + 1] = frame[k + 3]! * x + frame[k + 4]! * y + frame[k + 5]! * z;
			start[3 * a + 2] = frame[k + 6]! * x + frame[k + 7]! * y + frame[k + 8]! * z;
		}
		return start;
	}

	/** Takes out what belongs to bodies that leave: a contact belongs to its body of smaller id that is no obstacle. */
	leave(rankOf: (id: number) => number, put: (rank: number, record: readonly number[]) => void): void {
		let kept = 0;
		for (let i = 0; i < this.count; i += 1) {
			const [first, second] = [this.key[KEY * i]!, this.key[KEY * i + 1]!];
			const rank = rankOf(first < this.#obstacles ? second : first);
			if (rank >= 0) put(rank, this.#record(i));
			else this.#move(i, kept++);
		}
		this.count = kept;
	}

	/** Puts records that `leave` took out elsewhere where they belong. */
	arrive(records: readonly Float64Array[]): void {
		if (records.length === 0) return;
		const sorted = [...records].sort((one, other) => {
			for (let k = 0; k < KEY; k += 1) if (one[k] !== other[k]) return one[k]! - other[k]!;
			return 0;
		});
		this.#reserve(this.count + sorted.length);
		let left = this.count - 1;
		this.count += sorted.length;
		for (let to = this.count - 1, next = sorted.length - 1; next >= 0; to -= 1) {
			const [first, second, feature, part] = sorted[next]!;
			if (left >= 0 && compare(this.key, KEY * left, first!, second!, feature!, part!) > 0) this.#move(left--, to);
			else this.#put(sorted[next--]!, to);
		}
	}

	/** All of it, of which `arrive` makes the same again; for a run that is gone on with. */
	get records(): readonly (readonly number[])[] {
		return Array.from({ length: this.count }, (_, i) => this.#record(i));
	}

	/** So many obstacles are there, whose ids are the lowest. */
	set obstacles(count: number) {
		this.#obstacles = count;
	}

	#record(i: number): number[] {
		return [...this.key.subarray(KEY * i, KEY * i + KEY), ...this.reaction.subarray(3 * i, 3 * i + 3)];
	}

	#put(record: Float64Array, i: number): void {
		for (let k = 0; k < KEY; k += 1) this.key[KEY * i + k] = record[k]!;
		for (let k = KEY; k < RECORD; k += 1) this.reaction[3 * i + k - KEY] = record[k]!;
	}

	#move(from: number, to: number): void {
		if (from === to) return;
		this.key.copyWithin(KEY * to, KEY * from, KEY * from + KEY);
		this.reaction.copyWithin(3 * to, 3 * from, 3 * from + 3);
	}

	#reserve(count: number): void {
		this.key = grown(this.key, KEY * count);
		this.reaction = grown(this.reaction, 3 * count);
	}
}

/** Whether the key at `at` comes before one of these numbers (below 0), is it (0), or comes after it. */
function compare(key: Int32Array, at: number, first: number, second: number, feature: number, part: number): number {
	return key[at]! - first || key[at + 1]! - second || key[at + 2]! - feature || key[at + 3]! - part;
}
