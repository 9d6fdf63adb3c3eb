/** The fixed tree over leaves: neighbours are added level by level, an odd last one is handed up as it is. */
import { get, set } from "./memory";

/** Adds leaves x width partials in place, the first `used` of each leaf; the sums end up in the first `used` numbers. */
export function treeSum(partials: i32, leaves: i32, width: i32, used: i32): void {
	let count: i32 = leaves;
	while (count > 1) {
		const pairs: i32 = count >> 1;
		for (let i: i32 = 0; i < pairs; i += 1) {
			for (let j: i32 = 0; j < used; j += 1) {
				set(partials + i * width + j, get(partials + 2 * i * width + j) + get(partials + (2 * i + 1) * width + j));
			}
		}
		if (count > 2 * pairs) {
			for (let j: i32 = 0; j < used; j += 1) set(partials + pairs * width + j, get(partials + 2 * pairs * width + j));
		}
		count = count - pairs;
	}
}
