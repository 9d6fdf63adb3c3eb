/**
 * The graph of a problem: contacts are vertices, joined where W has a block for the two, weighted by blocks per row (the row's own work). Without W,
 * contacts that share a body which is not an obstacle are joined: there W has its blocks.
 */
import { InputError, type Problem } from "@stickslip/core";
import { type Graph, graphOfPattern } from "./graph.js";

/**
 * The most contacts of one body that are all joined with each other. A body with more of them (a drum of many parts, a plate under a pile) would make a
 * clique of their square: instead its contacts, in the order of their ids, are joined to those 1, 2, 4, 8, ... places further round, with edges that
 * together weigh as much as the clique's. A cut through such a body costs about what it costs in the clique, and contacts near each other in the order stay
 * together. Vertex weights count all blocks, as they are.
 */
export const CLIQUE_MAX = 128;

/** Of W's pattern where the problem has W, otherwise of its bodies. */
export function graphOfProblem(problem: Problem): Graph {
	if (problem.W !== undefined) return graphOfPattern(problem.W.rowStart, problem.W.column);
	const body = problem.rigid?.body ?? problem.geometry?.body;
	if (body !== undefined) return graphOfBodies(body);
	throw new InputError(problem.name, "W", "W or a list of bodies is needed", "condense the global form first");
}

/** `body` has two bodies per contact, -1 for an obstacle. */
export function graphOfBodies(body: Int32Array): Graph {
	const contacts = body.length >> 1;
	const touching = contactsOfBodies(body);
	const hasHub = touching.start.some((first, b) => b > 0 && first - touching.start[b - 1]! > CLIQUE_MAX);
	const start = new Int32Array(contacts + 1);
	const neighbour = new Int32Array(edgeEnds(touching.start));
	const edgeWeight = hasHub ? new Int32Array(neighbour.length) : undefined;
	const vertexWeight = new Int32Array(contacts);
	/** Where the edge to each contact stands; older places are below the first of the present one. */
	const place = new Int32Array(contacts).fill(-1);
	let end = 0;
	for (let a = 0; a < contacts; a += 1) {
		const first = end;
		let wasRing = false;
		for (let side = 2 * a; side < 2 * a + 2; side += 1) {
			const b = body[side]!;
			if (b < 0 || (side & 1 && b === body[side - 1])) continue;
			const from = touching.start[b]!;
			const count = touching.start[b + 1]! - from;
			const steps = count > CLIQUE_MAX ? ringSteps(count) : undefined;
			const ends = steps === undefined ? count : 2 * steps.length;
			const weight = steps === undefined ? 1 : Math.max(1, Math.round((count - 1) / ends));
			const at = steps === undefined ? 0 : touching.place[side]!;
			for (let k = 0; k < ends; k += 1) {
				const round = steps === undefined ? k : k & 1 ? at + steps[k >> 1]! : at + count - steps[k >> 1]!;
				const other = touching.contact[from + (round >= count ? round - count : round)]!;
				if (other === a) continue;
				if (place[other]! >= first) {
					// The two share both bodies: a single block, and both bodies' part of the weight where either is a ring.
					if (steps !== undefined || wasRing) edgeWeight![place[other]!]! += weight;
					continue;
				}
				place[other] = end;
				neighbour[end] = other;
				if (edgeWeight !== undefined) edgeWeight[end] = weight;
				end += 1;
			}
			wasRing ||= steps !== undefined;
		}
		start[a + 1] = end;
		vertexWeight[a] = wasRing ? touching.blocksOf(a) : end - first + 1;
	}
	const graph = { vertices: contacts, start, neighbour: neighbour.slice(0, end), vertexWeight };
	return edgeWeight === undefined ? graph : { ...graph, edgeWeight: edgeWeight.slice(0, end) };
}

interface BodyContacts {
	/** Where the contacts of each body start; bodies + 1 entries. */
	readonly start: Int32Array;
	readonly contact: Int32Array;
	/** Where each side of each contact stands in its body's list. */
	readonly place: Int32Array;
	/** Blocks in the row of a contact at a ring: the contacts at either of its bodies, each once. */
	blocksOf(a: number): number;
}

function contactsOfBodies(body: Int32Array): BodyContacts {
	let bodies = 0;
	for (let k = 0; k < body.length; k += 1) bodies = Math.max(bodies, body[k]! + 1);
	const start = new Int32Array(bodies + 1);
	const isSecond = (k: number): boolean => (k & 1) === 1 && body[k] === body[k - 1];
	for (let k = 0; k < body.length; k += 1) if (body[k]! >= 0 && !isSecond(k)) start[body[k]! + 1]! += 1;
	for (let b = 0; b < bodies; b += 1) start[b + 1]! += start[b]!;
	const next = start.slice(0, bodies);
	const contact = new Int32Array(start[bodies]!);
	const place = new Int32Array(body.length);
	for (let k = 0; k < body.length; k += 1) {
		const b = body[k]!;
		if (b < 0 || isSecond(k)) continue;
		place[k] = next[b]! - start[b]!;
		contact[next[b]!] = k >> 1;
		next[b]! += 1;
	}
	const countAt = (b: number): number => (b < 0 ? 0 : start[b + 1]! - start[b]!);
	// Contacts between two bodies, of which one has a ring.
	const between = new Map<number, number>();
	const keyOf = (a: number) =>
		Math.min(body[2 * a]!, body[2 * a + 1]!) * bodies + Math.max(body[2 * a]!, body[2 * a + 1]!);
	for (let a = 0; 2 * a < body.length; a += 1) {
		if (Math.max(countAt(body[2 * a]!), countAt(body[2 * a + 1]!)) <= CLIQUE_MAX) continue;
		between.set(keyOf(a), (between.get(keyOf(a)) ?? 0) + 1);
	}
	const blocksOf = (a: number): number => {
		const first = body[2 * a]!;
		const second = body[2 * a + 1]!;
		if (first === second || first < 0 || second < 0) return countAt(Math.max(first, second));
		return countAt(first) + countAt(second) - between.get(keyOf(a))!;
	};
	return { start, contact, place, blocksOf };
}

/** How many neighbours the contacts have at most, all together. */
function edgeEnds(start: Int32Array): number {
	let ends = 0;
	for (let b = 1; b < start.length; b += 1) {
		const count = start[b]! - start[b - 1]!;
		ends += count * (count > CLIQUE_MAX ? 2 * ringSteps(count).length : count - 1);
	}
	return ends;
}

/** 1, 2, 4, ... below half of the ring, so that no step and its opposite meet. */
function ringSteps(count: number): number[] {
	const steps: number[] = [];
	for (let step = 1; 2 * step < count; step *= 2) steps.push(step);
	return steps;
}
