/** The entries of an old-style group: a tree of one node whose leaves name objects, by places in a heap of words. */
import { NotPlainError, type PlainBytes, type PlainView } from "./plain-bytes.js";

const TREE_BYTES = 24;
const KEY_BYTES = 8;
const CHILDREN_MAX = 32;
const LEAF_BYTES = 8;
const LEAF_ENTRIES_MAX = 8;
const ENTRY_BYTES = 40;
const HEAP_BYTES = 32;
const WORDS_BYTES_MAX = 2 ** 16;
/** Ends the list of what is free. */
const NO_MORE = 1;

export function readEntries(file: PlainBytes, treeAt: number, heapAt: number): ReadonlyMap<string, number> {
	const words = readWords(file, heapAt);
	const entries = new Map<string, number>();
	const tree = file.view(treeAt, TREE_BYTES);
	tree.expectWord(0, "TREE");
	tree.expect16(4, 0);
	const count = tree.get16(6);
	if (count > CHILDREN_MAX) throw new NotPlainError("tree");
	tree.expectNowhere(8);
	tree.expectNowhere(16);
	const children = file.view(treeAt + TREE_BYTES, count * 2 * KEY_BYTES + KEY_BYTES);
	let last = words.word(children.get64(0));
	if (last !== "") throw new NotPlainError("tree");
	for (let k = 0; k < count; k += 1) {
		const at = 2 * KEY_BYTES * k + KEY_BYTES;
		last = readLeaf(file, children.get64(at), words, last, entries);
		// HDF5 finds a name by what stands between the leaves, and so has to find the same.
		if (words.word(children.get64(at + KEY_BYTES)) !== last) throw new NotPlainError("tree");
	}
	return entries;
}

/** Adds a leaf's entries, whose names ascend from the last one on; returns its own last. */
function readLeaf(
	file: PlainBytes,
	at: number,
	words: PlainView,
	before: string,
	entries: Map<string, number>,
): string {
	const head = file.view(at, LEAF_BYTES);
	head.expectWord(0, "SNOD");
	head.expect16(4, 1);
	const count = head.get16(6);
	if (count === 0 || count > LEAF_ENTRIES_MAX) throw new NotPlainError("leaf");
	const leaf = file.view(at + LEAF_BYTES, count * ENTRY_BYTES);
	let last = before;
	for (let k = 0; k < count; k += 1) {
		const place = k * ENTRY_BYTES;
		const name = words.word(leaf.get64(place));
		// Neither links nor what is out of order.
		if (leaf.get32(place + 16) > 1 || leaf.get32(place + 20) !== 0 || name <= last) throw new NotPlainError("leaf");
		entries.set(name, leaf.get64(place + 8));
		last = name;
	}
	return last;
}

function readWords(file: PlainBytes, at: number): PlainView {
	const heap = file.view(at, HEAP_BYTES);
	heap.expectWord(0, "HEAP");
	heap.expect32(4, 0);
	const length = heap.get64(8);
	if (length > WORDS_BYTES_MAX) throw new NotPlainError("heap");
	const words = file.view(heap.get64(24), length);
	checkFree(words, heap.get64(16));
	return words;
}

/** HDF5 follows the list of what is free in a heap: each piece tells where the next one is, and its own size. */
function checkFree(words: PlainView, first: number): void {
	let at = first;
	for (let left = words.length; at !== NO_MORE; ) {
		const size = words.get64(at + 8);
		left -= size;
		if (size === 0 || at + size > words.length || left < 0) throw new NotPlainError("heap");
		at = words.get64(at);
	}
}
