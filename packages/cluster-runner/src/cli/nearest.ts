/** The known name that was probably meant: the one with the fewest edits, swaps of neighbours included (Damerau, optimal alignment). */

/** The nearest of `names`, or undefined if none is near enough for a typing error. */
export function nearest(name: string, names: readonly string[]): string | undefined {
	let best: string | undefined;
	let least = Math.max(2, Math.floor(name.length / 2)) + 1;
	for (const candidate of names) {
		const starts = name.length >= 3 && candidate.startsWith(name);
		const distance = starts ? 1 : edits(name, candidate);
		if (distance >= least) continue;
		least = distance;
		best = candidate;
	}
	return best;
}

/** Insertions, deletions, replacements and swaps of neighbours that turn one word into the other. */
export function edits(from: string, to: string): number {
	let before: number[] = [];
	let last = Array.from({ length: to.length + 1 }, (_, j) => j);
	for (let i = 1; i <= from.length; i += 1) {
		const row = [i];
		for (let j = 1; j <= to.length; j += 1) {
			const same = from[i - 1] === to[j - 1];
			let cost = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (same ? 0 : 1));
			const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
			if (swapped) cost = Math.min(cost, at(before, j - 2) + 1);
			row.push(cost);
		}
		before = last;
		last = row;
	}
	return at(last, to.length);
}

function at(row: readonly number[], index: number): number {
	return row[index] ?? Infinity;
}
