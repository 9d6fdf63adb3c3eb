/**
 * Contacts that do not wait for each other in a sweep, visited in two passes: first the products of their rows and the cases that take no
 * search (pair.ts), then the search of those that slide, two of them at a time whatever pairs they are of (slide.ts). A pass is short enough for the
 * processor to work on several contacts at once. What comes out has the bits of one visit after another.
 */
import { getInt } from "./memory";
import { RECORD, settleBoth } from "./pair";
import { pairSums } from "./sell";
import { SEARCH, slideEquation, slideReactions, slideSearch } from "./slide";

/** Flags of a pair of rows: they couple; one of them couples to a pair before it, as far back as the last one that waits. */
export const COUPLED: i32 = 1;
export const WAITS_FOR_EARLIER: i32 = 2;

/** The most pairs of a batch. */
export const PAIRS_MAX: i32 = 16;
/** Numbers of scratch: the products of two rows, a block, records, a list of who slides, and searches. */
const BATCH_SCRATCH: i32 = 6 + 9 + 10 * PAIRS_MAX + PAIRS_MAX + SEARCH * PAIRS_MAX;

/** Visits pairs from `first` on that lie before `end`, are free of each other and have friction; returns the one after the last. */
export function visitBatch(
	first: i32,
	end: i32,
	start: i32,
	column: i32,
	values: i32,
	flags: i32,
	alpha: f64,
	q: i32,
	w: i32,
	mu: i32,
	r: i32,
	u: i32,
): i32 {
	const last: i32 = min(end, first + PAIRS_MAX);
	const sums: usize = (<usize>u) << 3;
	const records: usize = sums + 15 * 8;
	const list: usize = records + (<usize>PAIRS_MAX) * RECORD;
	let next: usize = list;
	let pair: i32 = first;
	for (let wanted: i32 = COUPLED; pair < last; pair += 1) {
		if ((getInt(flags + pair) & wanted) != 0 || !hasFriction(mu + 2 * pair)) break;
		wanted = COUPLED | WAITS_FOR_EARLIER;
		pairSums(getInt(start + pair), getInt(start + pair + 1), column, values, r, u);
		const record: usize = records + (<usize>(pair - first)) * RECORD;
		const slides: i32 = settleBoth(2 * pair, v128.load(sums), v128.load(sums, 16), v128.load(sums, 32), alpha, q, w, mu, r, record);
		next = listSliding(next, pair, slides);
	}
	slideListed(list, next, first, records, list + (<usize>PAIRS_MAX) * 8, alpha, w, mu, r, u + 6);
	return pair;
}

/** Puts those contacts of a pair on the list that slide; returns where the next ones go. */
@inline
export function listSliding(at: usize, pair: i32, slides: i32): usize {
	store<i32>(at, 2 * pair);
	at += (<usize>(slides & 1)) << 2;
	store<i32>(at, 2 * pair + 1);
	return at + ((<usize>(slides & 2)) << 1);
}

/** Solves what is on a list, two contacts a search and two searches at a time; there is room for all of these, and `block` is scratch for nine numbers. */
export function slideListed(
	list: usize,
	end: usize,
	first: i32,
	records: usize,
	searches: usize,
	alpha: f64,
	w: i32,
	mu: i32,
	r: i32,
	block: i32,
): void {
	// An odd last one is searched for twice.
	if (((end - list) & 4) != 0) store<i32>(end, load<i32>(end - 4));
	const step: usize = (<usize>SEARCH) << 3;
	let search: usize = searches;
	for (let at: usize = list; at < end; at += 8) {
		const a: i32 = load<i32>(at);
		const b: i32 = load<i32>(at, 4);
		slideEquation(a, b, recordOf(a, first, records), recordOf(b, first, records), alpha, w, mu, search);
		search += step;
	}
	for (let at: usize = searches; at < search; at += 2 * step) {
		slideSearch(at, at + step < search ? at + step : at);
	}
	search = searches;
	for (let at: usize = list; at < end; at += 8) {
		const a: i32 = load<i32>(at);
		const b: i32 = load<i32>(at, 4);
		const other: usize = recordOf(b, first, records);
		slideReactions(a, b, recordOf(a, first, records), other, alpha, w, mu, r, block, search);
		search += step;
	}
}

/** A contact's lane of its pair's record. */
@inline
function recordOf(a: i32, first: i32, records: usize): usize {
	return records + (<usize>((a >> 1) - first)) * RECORD + ((<usize>(a & 1)) << 3);
}

@inline
export function hasFriction(mu: i32): bool {
	const at: usize = (<usize>mu) << 3;
	return load<f64>(at) > 0 && load<f64>(at, 8) > 0;
}
