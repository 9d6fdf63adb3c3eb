/** Runs of blocks for the kernels of the product in the space of bodies: two contacts side by side in lanes, rolling ones, and what is left over between them. */

export interface BodyRun {
	/** `pairs` begin at even places, and an odd last contact has a neighbour of zeros; the others are taken one after another. */
	readonly kind: "pairs" | "rolling" | "singles";
	readonly from: number;
	readonly to: number;
}

/** Of the blocks `ids`; of all that there are, `moment` has 1 for those that are the moment of the one before. All are pairs where nothing rolls. */
export function bodyRuns(ids: Int32Array, moment: Uint8Array | undefined): readonly BodyRun[] {
	const count = ids.length;
	const runs: BodyRun[] = [];
	const add = (kind: BodyRun["kind"], from: number, to: number) => {
		if (to > from) runs.push({ kind, from, to });
	};
	const rolls = (at: number) => at + 1 < count && moment?.[ids[at + 1]!] === 1;
	for (let from = 0; from < count; ) {
		let to = from;
		if (rolls(from)) {
			while (rolls(to)) to += 2;
			add("rolling", from, to);
		} else {
			while (to < count && !rolls(to)) to += 1;
			const first = Math.min(to, from + (from & 1));
			// The neighbour of an odd last one is not there to be taken along, but behind the end.
			const last = to === count ? to : Math.max(first, to - (to & 1));
			add("singles", from, first);
			add("pairs", first, last);
			add("singles", last, to);
		}
		from = to;
	}
	return runs;
}
