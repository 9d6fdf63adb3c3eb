/**
 * Names new parts after the old ones that they overlap most, so that what need not move stays: the heaviest overlaps first
 * (L. Oliker, R. Biswas 1998), each old and each new part once; parts left over get the labels left over.
 */
export function matchLabels(owner: Int32Array, parts: number, old: Int32Array, weight: Int32Array): Int32Array {
	const overlap = new Map<number, number>();
	for (let v = 0; v < owner.length; v += 1) {
		// Vertices without an owner, or with a former one that no longer exists, are not pulled anywhere.
		if (old[v]! < 0 || old[v]! >= parts) continue;
		const key = owner[v]! * parts + old[v]!;
		overlap.set(key, (overlap.get(key) ?? 0) + weight[v]!);
	}
	const label = new Int32Array(parts).fill(-1);
	const isTaken = new Uint8Array(parts);
	for (const [key] of [...overlap].sort(([a, x], [b, y]) => y - x || a - b)) {
		const part = Math.floor(key / parts);
		const name = key % parts;
		if (label[part]! >= 0 || isTaken[name] === 1) continue;
		label[part] = name;
		isTaken[name] = 1;
	}
	let free = 0;
	for (let part = 0; part < parts; part += 1) {
		if (label[part]! >= 0) continue;
		while (isTaken[free] === 1) free += 1;
		label[part] = free;
		isTaken[free] = 1;
	}
	return owner.map((part) => label[part]!);
}
