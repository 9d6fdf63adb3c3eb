/**
 * Sums of one term per block over the connected components of W, and the largest of their quotients. Components never influence one
 * another, so each is compared with its own error at R = 0 (src/measures/measures.ts). Sums are order-proof (bins.ts), so a component has
 * the same value wherever its blocks are stored.
 */
import { deposit } from "./bins";
import { get, getInt, set, setInt } from "./memory";
import { BLOCK_BYTES } from "./sell-fill";
import { total } from "./total";

/** Terms that are gathered before they are summed. */
const CHUNK: i32 = 64;

/** Factor of a small error in components in which nothing slides (energy.ts). */
const TIGHTER: f64 = 10;

/** Squared error of a component from that without regard to sliding: E = 1, the error at R = 0, stays, and so does what is above it. */
export function tightened(square: f64, slides: i32): f64 {
	if (slides != 0 || !(square < 1)) return square;
	const plain: f64 = Math.sqrt(square);
	const error: f64 = (TIGHTER * plain) / (1 + (TIGHTER - 1) * plain);
	return error * error;
}

/**
 * Adds the terms of the blocks member[from..to-1] to one sum; returns 1 if one of them slides, and its term is negative. All blocks need no
 * list of members; `values` is scratch for 64 numbers.
 */
export function depositMembers(
	blocks: i32,
	member: i32,
	from: i32,
	to: i32,
	terms: i32,
	values: i32,
	sum: i32,
	table: i32,
): i32 {
	const isWhole: boolean = to - from == blocks;
	let least: f64 = 0;
	for (let k: i32 = from; k < to; k += CHUNK) {
		const count: i32 = to - k < CHUNK ? to - k : CHUNK;
		for (let i: i32 = 0; i < count; i += 1) {
			const term: f64 = get(terms + (isWhole ? k - from + i : getInt(member + k + i)));
			least = Math.min(least, term);
			set(values + i, Math.abs(term));
		}
		deposit(values, count, sum, table);
	}
	return least < 0 ? 1 : 0;
}

/** Writes the total of the terms of each of `count` components; those of component c are at member[start[c]..start[c + 1] - 1]. */
export function componentTotals(
	blocks: i32,
	count: i32,
	start: i32,
	member: i32,
	terms: i32,
	values: i32,
	sum: i32,
	table: i32,
	totals: i32,
): void {
	for (let c: i32 = 0; c < count; c += 1) {
		depositMembers(blocks, member, getInt(start + c), getInt(start + c + 1), terms, values, sum, table);
		set(totals + c, total(sum));
	}
}

/** Largest squared error of a component, its total over its denominator, 0 without components; NaN if one is NaN. */
export function largestSquare(
	blocks: i32,
	count: i32,
	start: i32,
	member: i32,
	terms: i32,
	denominators: i32,
	values: i32,
	sum: i32,
	table: i32,
): f64 {
	let largest: f64 = 0;
	for (let c: i32 = 0; c < count; c += 1) {
		const slides: i32 = depositMembers(
			blocks,
			member,
			getInt(start + c),
			getInt(start + c + 1),
			terms,
			values,
			sum,
			table,
		);
		largest = Math.max(largest, tightened(total(sum) / get(denominators + c), slides));
	}
	return largest;
}

/** An error at R = 0 below this fraction of the free motion counts as none: squared 1e-13, beyond which doubles do not resolve it. */
const RESOLVED: f64 = 1e-26;

/**
 * Denominator of a component from the sum of its terms at R = 0 and the energy of its free motion. Where R = 0 solves the component the free
 * motion takes its place, and 1 where nothing moves.
 */
export function componentDenominator(atZero: f64, free: f64): f64 {
	if (atZero > RESOLVED * free) return atZero;
	return free > 0 ? free : 1;
}

/** Root of a union-find tree; halves the path on the way. Roots are the least of their tree. */
function rootOf(parent: i32, block: i32): i32 {
	let a: i32 = block;
	while (getInt(parent + a) != a) {
		const above: i32 = getInt(parent + getInt(parent + a));
		setInt(parent + a, above);
		a = above;
	}
	return a;
}

/** Joins the components of two blocks. */
export function joinComponents(parent: i32, a: i32, b: i32): void {
	const first: i32 = rootOf(parent, a);
	const second: i32 = rootOf(parent, b);
	if (first < second) setInt(parent + second, first);
	else setInt(parent + first, second);
}

/** Joins the blocks that rows of W couple, which are stored as sell.ts has them. */
export function joinRows(rows: i32, start: i32, column: i32, parent: i32): void {
	for (let a: i32 = 0; a < rows; a += 1) {
		const pair: i32 = start + (a >> 1);
		const end: i32 = column + 2 * getInt(pair + 1);
		for (let k: i32 = column + 2 * getInt(pair) + (a & 1); k < end; k += 2) {
			joinComponents(parent, a, getInt(k) / BLOCK_BYTES);
		}
	}
}

/** Joins contacts at the same moving body; `first` has a contact of each body, or -1. Contact k stands at place[k], at k if place is -1. */
export function joinBodies(contacts: i32, bodies: i32, body: i32, place: i32, first: i32, parent: i32): void {
	for (let k: i32 = 0; k < contacts; k += 1) {
		const a: i32 = place < 0 ? k : getInt(place + k);
		for (let side: i32 = 0; side < 2; side += 1) {
			const b: i32 = getInt(body + 2 * k + side);
			if (b >= bodies) continue;
			if (getInt(first + b) < 0) setInt(first + b, a);
			else joinComponents(parent, getInt(first + b), a);
		}
	}
}

/** Groups blocks by their roots: the number of components; `start` has one entry more, `next` is scratch for as many as blocks. */
export function groupComponents(blocks: i32, parent: i32, start: i32, member: i32, next: i32): i32 {
	let count: i32 = 0;
	// A root comes before its members, so its component has a number when they are counted.
	for (let a: i32 = 0; a < blocks; a += 1) {
		const root: i32 = rootOf(parent, a);
		if (root == a) {
			setInt(next + a, count);
			setInt(start + count, 0);
			count += 1;
		} else setInt(next + a, getInt(next + root));
		const counter: i32 = start + getInt(next + a);
		setInt(counter, getInt(counter) + 1);
	}
	let end: i32 = 0;
	for (let c: i32 = 0; c < count; c += 1) {
		const size: i32 = getInt(start + c);
		setInt(start + c, end);
		end += size;
	}
	setInt(start + count, end);
	for (let a: i32 = 0; a < blocks; a += 1) {
		const at: i32 = start + getInt(next + a);
		setInt(member + getInt(at), a);
		setInt(at, getInt(at) + 1);
	}
	for (let c: i32 = count; c > 0; c -= 1) setInt(start + c, getInt(start + c - 1));
	setInt(start, 0);
	return count;
}
