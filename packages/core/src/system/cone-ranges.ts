/** Runs of places with the same law: what kernels of a law are called for. */

/** The code of the law whose kernels are its own. */
export const COULOMB = 0;

/** Places from..to-1; `law` is a code of problem/laws.ts. */
export interface ConeRange {
	readonly law: number;
	readonly from: number;
	readonly to: number;
}

/** Of own blocks, by the law of each own contact. Equality blocks are free: kernels of Coulomb's law take them, which know how many contacts there are. */
export function coneRanges(contacts: number, blocks: number, law?: Uint8Array): readonly ConeRange[] {
	const ranges: ConeRange[] = [];
	for (let from = 0; from < blocks; ) {
		const own = lawAt(from, contacts, law);
		let to = law === undefined ? blocks : from + 1;
		while (to < blocks && lawAt(to, contacts, law) === own) to += 1;
		ranges.push({ law: own, from, to });
		from = to;
	}
	return ranges;
}

function lawAt(place: number, contacts: number, law: Uint8Array | undefined): number {
	return law === undefined || place >= contacts ? COULOMB : law[place]!;
}

/** Runs [from, to) one after another, cut where laws change: from, to and law of each piece. */
export function lawPieces(runs: readonly number[], ranges: readonly ConeRange[], backward: boolean): Int32Array {
	if (ranges.length === 1) return piecesOfOne(runs, ranges[0]!);
	const pieces: number[] = [];
	for (let k = 0; k < runs.length; k += 2) {
		const cut: number[] = [];
		for (let i = firstAfter(ranges, runs[k]!); i < ranges.length && ranges[i]!.from < runs[k + 1]!; i += 1) {
			const { law, from, to } = ranges[i]!;
			const piece = [Math.max(from, runs[k]!), Math.min(to, runs[k + 1]!), law];
			if (backward) cut.unshift(...piece);
			else cut.push(...piece);
		}
		pieces.push(...cut);
	}
	return new Int32Array(pieces);
}

/** The same where one law is all there is: nothing is cut. */
function piecesOfOne(runs: readonly number[], { law }: ConeRange): Int32Array {
	const pieces = new Int32Array(1.5 * runs.length);
	for (let k = 0, at = 0; k < runs.length; k += 2, at += 3) {
		pieces[at] = runs[k]!;
		pieces[at + 1] = runs[k + 1]!;
		pieces[at + 2] = law;
	}
	return pieces;
}

/** The first range that ends behind a place. */
function firstAfter(ranges: readonly ConeRange[], place: number): number {
	let low = 0;
	let high = ranges.length;
	while (low < high) {
		const middle = (low + high) >>> 1;
		if (ranges[middle]!.to <= place) low = middle + 1;
		else high = middle;
	}
	return low;
}
