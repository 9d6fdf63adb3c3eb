/** Where the contacts of each part go: to the rank that owns them, and if W is made of bodies also to those that have them as ghosts. */
import { placeIn, type ShareOutline } from "@stickslip/core/parallel";

/** The contacts of a part, and the rank that was given it. */
export interface HeldIds {
	readonly index: number;
	readonly rank: number;
	readonly ids: Int32Array;
}

export interface Destinations {
	readonly index: number;
	/** By contact of the part. */
	readonly owner: Int32Array;
	/** Contacts of the part, by their place in it, that go to these ranks as well. */
	readonly copied: Int32Array;
	readonly copiedTo: Int32Array;
}

/**
 * By the rank that has the parts. `holder` is the part of each contact; without owners there is one rank, which owns all. These ranks get their ghosts as
 * well.
 */
export function destinationsOf(
	parts: readonly HeldIds[],
	holder: Int32Array,
	owner: Int32Array | undefined,
	copiedFor: readonly ShareOutline[],
): Map<number, Destinations[]> {
	const copies = parts.map(() => ({ copied: [] as number[], copiedTo: [] as number[] }));
	for (const { rank, ghosts } of copiedFor) {
		for (const id of ghosts) {
			const part = holder[id]!;
			copies[part]!.copied.push(placeIn(parts[part]!.ids, id));
			copies[part]!.copiedTo.push(rank);
		}
	}
	const byRank = new Map<number, Destinations[]>();
	for (const { index, rank, ids } of parts) {
		const { copied, copiedTo } = copies[index]!;
		const own: Destinations = {
			index,
			owner: ids.map((id) => owner?.[id] ?? 0),
			copied: Int32Array.from(copied),
			copiedTo: Int32Array.from(copiedTo),
		};
		byRank.set(rank, [...(byRank.get(rank) ?? []), own]);
	}
	return byRank;
}
