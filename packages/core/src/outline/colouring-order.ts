/** Ids by small integer keys: a counting sort, which takes a moment for a million where comparing does not. */

/** Ids 0 to keys.length - 1 by ascending key (0 to keyMax), those of a key by id. */
export function idsByKey(key: Int32Array, keyMax: number): Int32Array {
	const next = new Int32Array(keyMax + 2);
	for (const k of key) next[k + 1]! += 1;
	for (let k = 0; k <= keyMax; k += 1) next[k + 1]! += next[k]!;
	const ids = new Int32Array(key.length);
	for (let id = 0; id < key.length; id += 1) {
		const k = key[id]!;
		ids[next[k]!] = id;
		next[k]! += 1;
	}
	return ids;
}
