/**
 * Connected components of W: blocks that are coupled through moving bodies, joints or equality rows, over all ranks. A component on one rank
 * is known there alone; one that crosses ranks has the same number on each of them.
 */
import type { Arena, IntVector } from "../kernels/arena.js";
import type { Components } from "../measures/measures.js";
import type { Communicator } from "../parallel/communicator.js";
import { ghostPlace, type Share } from "../parallel/share.js";
import { ROLLING } from "../problem/rolling.js";
import type { ConeRange } from "./cone-ranges.js";
import { pass } from "./halo.js";
import type { Operator } from "./operator.js";

/** Collective. */
export function componentsOf(
	arena: Arena,
	share: Omit<Share, "operator">,
	given: Share["operator"],
	operator: Operator,
	ranges: readonly ConeRange[],
	communicator: Communicator,
): Components {
	const blocks = share.ids.length;
	const before = arena.bytes;
	const { kernels } = arena;
	const [starts, members] = [arena.integerRoom(blocks + 1), arena.integerRoom(blocks)];
	const parent = arena.integerRoom(nodesOf(share, given));
	for (let a = 0; a < parent.values.length; a += 1) parent.values[a] = a;
	joinCoupled(arena, share, given, operator, parent);
	for (const { law, from, to } of ranges) {
		// A rolling contact is two blocks.
		for (let a = from; law === ROLLING && a < to; a += 2) kernels.joinComponents(parent.at, a, a + 1);
	}
	const next = arena.integerRoom(blocks);
	const count = kernels.groupComponents(blocks, parent.at, starts.at, members.at, next.at);
	const keep = () => {
		// Kernels do not read the members of a component that has all blocks.
		const [from, list] = [starts.values.slice(0, count + 1), members.values.slice(0, count > 1 ? blocks : 0)];
		arena.rewind(before);
		const [start, member] = [arena.integerRoom(from.length), arena.integerRoom(list.length)];
		start.values.set(from);
		member.values.set(list);
		return { count, start, member };
	};
	if (communicator.size === 1) return { ...keep(), crossing: undefined, crossings: 0 };
	const names = new Int32Array(count).fill(2 ** 31 - 1);
	const componentOf = next.values.slice();
	for (let a = 0; a < blocks; a += 1) names[componentOf[a]!] = Math.min(names[componentOf[a]!]!, share.ids[a]!);
	const pairs = pairsOf(arena, share, parent.values, componentOf, names, communicator);
	const kept = keep();
	const numbers = crossingNumbers(pairs, communicator);
	const crossing = names.map((name) => numbers.get(name) ?? -1);
	return { ...kept, crossing, crossings: new Set(numbers.values()).size };
}

/** Nodes of the graph: own blocks, behind them ghosts or the degrees of freedom of a global form. */
function nodesOf({ ids, ghosts }: Omit<Share, "operator">, given: Share["operator"]): number {
	return given.kind === "global" ? ids.length + given.lu.size : ghostPlace(ids.length) + ghosts.length;
}

function joinCoupled(
	arena: Arena,
	share: Omit<Share, "operator">,
	given: Share["operator"],
	{ rows, stored }: Operator,
	parent: IntVector,
): void {
	const { kernels } = arena;
	if (rows) kernels.joinRows(share.ids.length, rows.start.at, rows.column.at, parent.at);
	else if (stored) {
		const { contacts, bodies, body, sharedPlace, sharedBody } = stored;
		const first = arena.integerRoom(bodies);
		first.values.fill(-1);
		kernels.joinBodies(contacts, bodies, body.at, -1, first.at, parent.at);
		if (sharedPlace.length === 0) return;
		const place = arena.integerRoom(sharedPlace.length);
		place.values.set(sharedPlace);
		kernels.joinBodies(sharedPlace.length, bodies, sharedBody.at, place.at, first.at, parent.at);
	} else if (given.kind === "global") joinGlobal(arena, share, given, parent);
}

/** Joins blocks and degrees of freedom by the entries of M, H and G. */
function joinGlobal(
	{ kernels }: Arena,
	{ ids, contacts }: Omit<Share, "operator">,
	{ global: { M, H, G } }: Extract<Share["operator"], { kind: "global" }>,
	parent: IntVector,
): void {
	const placeOf = new Int32Array(ids.length);
	for (let at = 0; at < ids.length; at += 1) placeOf[ids[at]!] = at;
	const join = ({ rowStart, column }: typeof M, other: (column: number) => number) => {
		for (let row = 0; row + 1 < rowStart.length; row += 1) {
			for (let k = rowStart[row]!; k < rowStart[row + 1]!; k += 1) {
				kernels.joinComponents(parent.at, ids.length + row, other(column[k]!));
			}
		}
	};
	join(M, (column) => ids.length + column);
	join(H, (column) => placeOf[Math.floor(column / 3)]!);
	if (G) join(G, (column) => placeOf[contacts + Math.floor(column / 3)]!);
}

/** Collective. The names of two components of different ranks that are one, in pairs: a component is named by its least own id. */
function pairsOf(
	arena: Arena,
	{ ids, ghosts, halo }: Omit<Share, "operator">,
	parent: Int32Array,
	componentOf: Int32Array,
	names: Int32Array,
	communicator: Communicator,
): Int32Array {
	const first = ghostPlace(ids.length);
	const named = arena.vector(first + ghosts.length);
	for (let a = 0; a < ids.length; a += 1) named.values[a] = names[componentOf[a]!]!;
	const exchange = communicator.open({ ...halo, width: 1 });
	pass(exchange, named);
	exchange.close();
	const seen = new Set<string>();
	const pairs: number[] = [];
	for (let ghost = first; ghost < first + ghosts.length; ghost += 1) {
		let root = ghost;
		while (parent[root] !== root) root = parent[root]!;
		if (root >= ids.length) continue;
		const pair = [names[componentOf[root]!]!, named.values[ghost]!] as const;
		const key = pair.join(" ");
		if (!seen.has(key)) pairs.push(...pair);
		seen.add(key);
	}
	return Int32Array.from(pairs);
}

/** Collective. One rank joins all pairs and sends the number of each name to all: components are numbered by their least name. */
function crossingNumbers(pairs: Int32Array, communicator: Communicator): Map<number, number> {
	const parts = communicator.gather(bytesOf(pairs), 0);
	const numbers = communicator.broadcast(parts && bytesOf(numbered(parts.map(integersOf))), 0);
	const list = integersOf(numbers);
	const map = new Map<number, number>();
	for (let i = 0; i < list.length; i += 2) map.set(list[i]!, list[i + 1]!);
	return map;
}

function numbered(parts: readonly Int32Array[]): Int32Array {
	const parent = new Map<number, number>();
	const rootOf = (name: number): number => {
		let root = name;
		for (let above = parent.get(root); above !== undefined && above !== root; above = parent.get(root)) root = above;
		parent.set(name, root);
		return root;
	};
	for (const pairs of parts) {
		for (let i = 0; i < pairs.length; i += 2) {
			const [a, b] = [rootOf(pairs[i]!), rootOf(pairs[i + 1]!)];
			parent.set(Math.max(a, b), Math.min(a, b));
		}
	}
	const names = [...parent.keys()].sort((a, b) => a - b);
	const numbers = new Map<number, number>();
	return Int32Array.from(
		names.flatMap((name) => {
			const root = rootOf(name);
			if (!numbers.has(root)) numbers.set(root, numbers.size);
			return [name, numbers.get(root)!];
		}),
	);
}

function bytesOf(integers: Int32Array): Uint8Array {
	return new Uint8Array(integers.buffer, integers.byteOffset, integers.byteLength);
}

function integersOf(bytes: Uint8Array): Int32Array {
	return new Int32Array(bytes.slice().buffer);
}
