/** Sends plain data between ranks: the bytes of `flatten`, four to a number, so that no number is a NaN whose bits a processor may change. */
import { assert, type Communicator, moveRecords, type Outbox } from "@stickslip/core/parallel";
import { flatten, unflatten } from "../protocol/large-message.js";

/** Words of one record: fewer than a round takes, so that the size of rounds is limited. */
const RECORD_WORDS = 2 ** 12;
/** Of a record: which array, how long it is in bytes, and the first of the words. */
const HEAD = 4;

/** What arrives from one rank. */
interface Arriving {
	readonly arrays: Uint8Array[];
	/** Words that have not arrived yet, of the arrays known so far. */
	words: number;
}

/**
 * Collective. Every rank gets the values that all ranks, itself included, have for it. `valueFor` is called rank by rank, each in its turn, and its result
 * is not kept; undefined is nothing.
 */
export function moveValues(communicator: Communicator, valueFor: (to: number) => unknown): Map<number, unknown> {
	const pieces = piecesOf(communicator.size, valueFor);
	let next = pieces.next();
	const produce = (outbox: Outbox): boolean => {
		for (; next.done !== true && !outbox.isFull; next = pieces.next()) writePiece(outbox, next.value);
		return next.done !== true;
	};
	const arriving = new Map<number, Arriving>();
	moveRecords(communicator, produce, (records, from) => {
		const all = arriving.get(from) ?? { arrays: [], words: 0 };
		arriving.set(from, all);
		for (let at = 0; at < records.length; ) at = readPiece(records, at, all);
	});
	return new Map(
		[...arriving].map(([from, { arrays, words }]) => {
			assert(words === 0, "plain data arrive whole");
			return [from, unflatten(arrays)];
		}),
	);
}

interface Piece {
	readonly to: number;
	readonly array: number;
	readonly bytes: Uint8Array;
	readonly word: number;
	readonly words: number;
}

function* piecesOf(ranks: number, valueFor: (to: number) => unknown): Generator<Piece, undefined> {
	for (let to = 0; to < ranks; to += 1) {
		const value = valueFor(to);
		if (value === undefined) continue;
		for (const [array, bytes] of flatten(value).entries()) {
			const all = Math.ceil(bytes.length / 4);
			for (let word = 0; word === 0 || word < all; word += RECORD_WORDS) {
				yield { to, array, bytes, word, words: Math.min(RECORD_WORDS, all - word) };
			}
		}
	}
	return undefined;
}

function writePiece(outbox: Outbox, { to, array, bytes, word, words }: Piece): void {
	const record = outbox.record(to, HEAD + words);
	record[0] = array;
	record[1] = bytes.length;
	record[2] = word;
	record[3] = words;
	for (let i = 0, at = 4 * word; i < words; i += 1, at += 4) {
		// Bytes beyond the end are undefined, which counts as 0.
		record[HEAD + i] = (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
	}
}

function readPiece(records: Float64Array, at: number, all: Arriving): number {
	const [array, length, word, words] = records.subarray(at, at + HEAD) as unknown as [number, number, number, number];
	if (all.arrays[array] === undefined) {
		all.arrays[array] = new Uint8Array(length);
		all.words += Math.ceil(length / 4);
	}
	const bytes = all.arrays[array];
	for (let i = 0, to = 4 * word; i < words; i += 1, to += 4) {
		const value = records[at + HEAD + i]!;
		// Bytes beyond the end are dropped.
		bytes[to] = value;
		bytes[to + 1] = value >>> 8;
		bytes[to + 2] = value >>> 16;
		bytes[to + 3] = value >>> 24;
	}
	all.words -= words;
	return at + HEAD + words;
}
