/** Ranks without ranks: the sums of parts are caught on their way, merged in any tree, and handed back. */

import type { Random } from "../base/random.js";
import type { Arena } from "../kernels/arena.js";
import type { Merge } from "../parallel/communicator.js";
import { SelfCommunicator } from "../parallel/self.js";
import { Reducer } from "../sums/reducer.js";
import { Sums } from "../sums/sums.js";

/** Merges messages two by two, either into the other, until one is left. */
export function mergeInTree(messages: readonly Float64Array[], merge: Merge, random: Random): Float64Array {
	const left = messages.map((message) => message.slice());
	while (left.length > 1) {
		const [from] = left.splice(random.below(left.length), 1);
		merge(left[random.below(left.length)]!, from!);
	}
	return left[0]!;
}

class Post extends SelfCommunicator {
	readonly sent: Float64Array[] = [];
	merge: Merge | undefined;
	answer: Float64Array | undefined;

	override reduce(values: Float64Array, merge: Merge): void {
		super.reduce(values, merge);
		this.merge = merge;
		if (this.answer) values.set(this.answer);
		else this.sent.push(values.slice());
	}
}

export interface Merged {
	readonly total: number;
	/** The sum as it travelled: its top bin and three bins. */
	readonly top: number;
	readonly bins: readonly number[];
	/** The request that came with it. */
	readonly stop: number;
}

/** The sum over all parts of terms; part k asks for `requests[k]`. */
export function mergedSum(
	arena: Arena,
	parts: readonly (readonly number[])[],
	random: Random,
	requests: readonly number[] = [],
): Merged {
	const post = new Post();
	const reducer = new Reducer(post);
	const sums = new Sums(arena, reducer, 1);
	for (const [k, part] of parts.entries()) {
		reducer.request = requests[k] ?? 0;
		sums.terms(part.length, (i) => part[i]!);
		sums.reduce();
	}
	const merged = mergeInTree(post.sent, post.merge!, random);
	post.answer = merged;
	sums.terms(0, () => 0);
	const total = sums.reduce()[0]!;
	return { total, top: merged[2]!, bins: [...merged.subarray(3)], stop: reducer.stop };
}

/** Terms in a random order, cut into so many parts at random places; some may be empty. */
export function scattered(terms: readonly number[], parts: number, random: Random): number[][] {
	const order = random.shuffle(Float64Array.from(terms));
	const cuts = Array.from({ length: parts - 1 }, () => random.below(terms.length + 1)).sort((a, b) => a - b);
	return [0, ...cuts].map((from, k) => [...order.subarray(from, cuts[k] ?? terms.length)]);
}
