/**
 * Which subdomains each block is in, and which rank has them. One rank sees the whole pattern of W by global ids, so that subdomains depend on
 * nothing else; a subdomain is owned whole by the rank that has most of its blocks.
 */
import { graphOf } from "../factor/graph.js";
import type { Entries } from "../factor/stored-rows.js";
import type { Communicator } from "../parallel/communicator.js";
import { moveRecords } from "../parallel/records.js";
import { growSubdomains, withOverlap } from "./grow.js";

/** The rank that sees the whole pattern. */
const ROOT = 0;

/** Of each own block, by place: its own subdomain first, then the others that it overlaps, ascending; and the ranks that have them. */
export interface Subdomains {
	readonly of: readonly Int32Array[];
	readonly owner: readonly Int32Array[];
}

export interface SubdomainOptions {
	/** Blocks of a subdomain. */
	readonly size: number;
	/** Edges of the graph by which subdomains reach into each other. */
	readonly overlap: number;
}

/** Collective. `idAt` are the global ids of places, ghosts included; `all` is the number of blocks of the whole problem. */
export function decideSubdomains(
	communicator: Communicator,
	entries: Entries,
	idAt: (place: number) => number,
	all: number,
	options: SubdomainOptions,
): Subdomains {
	const pattern = new WholePattern(all);
	const blocks = entries.start.length - 1;
	let at = 0;
	moveRecords(
		communicator,
		(outbox) => {
			for (; at < blocks && !outbox.isFull; at += 1) {
				const [from, end] = [entries.start[at]!, entries.start[at + 1]!];
				const record = outbox.record(ROOT, 2 + end - from);
				record[0] = idAt(at);
				record[1] = end - from;
				for (let k = from; k < end; k += 1) record[2 + k - from] = idAt(entries.column[k]!);
			}
			return at < blocks;
		},
		(records, from) => pattern.take(records, from),
	);
	return tellOwners(communicator, pattern, idAt, blocks, options);
}

/** Collective. The root decides, and tells each rank of its blocks. */
function tellOwners(
	communicator: Communicator,
	pattern: WholePattern,
	idAt: (place: number) => number,
	blocks: number,
	options: SubdomainOptions,
): Subdomains {
	const decided = communicator.rank === ROOT ? pattern.decide(options) : undefined;
	const placeOf = new Map<number, number>();
	for (let place = 0; place < blocks; place += 1) placeOf.set(idAt(place), place);
	const of = new Array<Int32Array>(blocks);
	const owner = new Array<Int32Array>(blocks);
	let id = 0;
	moveRecords(
		communicator,
		(outbox) => {
			if (decided === undefined) return false;
			for (; id < pattern.home.length && !outbox.isFull; id += 1) {
				const own = decided.of[id]!;
				const record = outbox.record(pattern.home[id]!, 2 + 2 * own.length);
				record[0] = id;
				record[1] = own.length;
				for (let k = 0; k < own.length; k += 1) {
					record[2 + k] = own[k]!;
					record[2 + own.length + k] = decided.owner[own[k]!]!;
				}
			}
			return id < pattern.home.length;
		},
		(records) => {
			for (let from = 0; from < records.length; ) {
				const place = placeOf.get(records[from]!)!;
				const count = records[from + 1]!;
				of[place] = Int32Array.from(records.subarray(from + 2, from + 2 + count));
				owner[place] = Int32Array.from(records.subarray(from + 2 + count, from + 2 + 2 * count));
				from += 2 + 2 * count;
			}
		},
	);
	return { of, owner };
}

/** On the root, the columns of all rows by global id; elsewhere nothing. */
class WholePattern {
	/** The rank of each block. */
	readonly home: Int32Array;
	readonly #columns: Int32Array[];

	constructor(all: number) {
		this.home = new Int32Array(all);
		this.#columns = new Array<Int32Array>(all);
	}

	take(records: Float64Array, from: number): void {
		for (let at = 0; at < records.length; ) {
			const count = records[at + 1]!;
			this.home[records[at]!] = from;
			this.#columns[records[at]!] = Int32Array.from(records.subarray(at + 2, at + 2 + count));
			at += 2 + count;
		}
	}

	/** The subdomains of each block by id, and the rank of each subdomain. */
	decide({ size, overlap }: SubdomainOptions): { of: Int32Array[]; owner: Int32Array } {
		const all = this.home.length;
		const rowStart = new Int32Array(all + 1);
		for (let id = 0; id < all; id += 1) rowStart[id + 1] = rowStart[id]! + this.#columns[id]!.length;
		const column = new Int32Array(rowStart[all]!);
		for (let id = 0; id < all; id += 1) column.set(this.#columns[id]!, rowStart[id]!);
		const graph = graphOf(all, rowStart, column);
		const own = growSubdomains(graph, size);
		return { of: withOverlap(graph, own, overlap), owner: ownersOf(own, this.home) };
	}
}

/** The rank with most blocks of each subdomain, the least of several. */
function ownersOf(subdomain: Int32Array, home: Int32Array): Int32Array {
	const counts: number[][] = [];
	for (const [id, s] of subdomain.entries()) {
		counts[s] ??= [];
		counts[s][home[id]!] = (counts[s][home[id]!] ?? 0) + 1;
	}
	return Int32Array.from(counts, (ranks) => {
		let best = -1;
		for (const [rank, count] of ranks.entries()) if ((count ?? 0) > (best < 0 ? 0 : ranks[best]!)) best = rank;
		return best;
	});
}
