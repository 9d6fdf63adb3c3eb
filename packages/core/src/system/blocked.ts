/**
 * Contacts that no reaction can stop: a velocity that the law forbids in a direction in which W_aa has next to nothing. What such contacts would need is
 * without bound, whatever the others do.
 */
import type { Share } from "../parallel/share.js";
import { lawCode, PARAMETERS } from "../problem/laws.js";
import { ROLLING } from "../problem/rolling.js";
import type { ConeRange } from "./cone-ranges.js";

/** Fraction of the block's largest diagonal entry below which a direction gives way to nothing. */
const BLOCKED = 1e-14;

const BILATERAL = lawCode("bilateral");
const BOX = lawCode("box");
const CAPPED = lawCode("capped");
const NONE = Number.POSITIVE_INFINITY;
/** Fraction of the largest velocity below which an approach is rounding. */
const ROUNDING = 1e-13;

type Rows = Pick<Share, "ids" | "singular" | "diagonal" | "q" | "laws">;

/** Largest number of q, largest approach that nothing can stop, and minus the least id of such a contact: of all ranks the largest count. */
export type BlockedNumbers = Float64Array;

/** The numbers of this rank; `largest` is the largest number of the scaled q. */
export function blockedNumbers(
	rows: Rows,
	ranges: readonly ConeRange[],
	s: Float64Array,
	largest: number,
): BlockedNumbers {
	const found = Float64Array.of(largest, 0, Number.NEGATIVE_INFINITY);
	if (rows.singular.length === 0) return found;
	const isSingular = new Set(rows.singular);
	for (const { law, from, to } of ranges) {
		// The moment behind a rolling force has bounds.
		for (let a = from; a < to; a += law === ROLLING ? 2 : 1) {
			if (!isSingular.has(a)) continue;
			const speed = s[a]! * approachOf(rows, law, a);
			if (!(speed > 0)) continue;
			found[1] = Math.max(found[1]!, speed);
			found[2] = Math.max(found[2]!, -rows.ids[a]!);
		}
	}
	return found;
}

/** The id of a contact that approaches and cannot be stopped, out of the largest numbers of all ranks; undefined where there is none. */
export function blockedContact([largest = 0, speed = 0, id = 0]: BlockedNumbers): number | undefined {
	return speed > ROUNDING * largest ? -id : undefined;
}

/** Largest forbidden velocity of a contact in directions that give way to nothing. */
function approachOf({ diagonal, q, laws }: Rows, law: number, a: number): number {
	const entries = [diagonal[9 * a]!, diagonal[9 * a + 4]!, diagonal[9 * a + 8]!];
	const least = BLOCKED * Math.max(...entries);
	const parameter = (k: number) => laws!.parameters[PARAMETERS * a + k]!;
	let approach = 0;
	for (let i = 0; i < 3; i += 1) {
		if (entries[i]! >= least) continue;
		const speed = q[3 * a + i]!;
		const isForbidden =
			law === BILATERAL ||
			(law === BOX ? parameter(speed < 0 ? 4 + i : 1 + i) === (speed < 0 ? NONE : -NONE) : i === 0 && speed < 0);
		if (isForbidden && !(law === CAPPED && parameter(1) < NONE)) approach = Math.max(approach, Math.abs(speed));
	}
	return approach;
}
