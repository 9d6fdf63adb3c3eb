/** Bodies gathered by their places: ghosts that come and go, bodies that move to another rank, bodies that an event adds. */
import { type Bodies, emptyBodies, FIELDS, type Field } from "./bodies.js";

/** The bodies at these places, in this order: obstacles first, then own ones, then ghosts. */
export function selectBodies(
	bodies: Bodies,
	places: ArrayLike<number>,
	counts: Pick<Bodies, "obstacles" | "own" | "total">,
): Bodies {
	const selected = emptyBodies({ ...counts, count: places.length }, bodies.rate.length > 0);
	for (let place = 0; place < places.length; place += 1) copyBody(bodies, places[place]!, selected, place);
	return selected;
}

/** Own bodies of higher ids, put between those that are there and the ghosts. */
export function addOwnBodies(bodies: Bodies, added: Bodies): Bodies {
	const own = bodies.own + added.own;
	const first = bodies.obstacles + bodies.own;
	const hasRates = bodies.rate.length > 0 || added.rate.length > 0;
	const counts = { obstacles: bodies.obstacles, own, count: bodies.count + added.own, total: bodies.total };
	const all = emptyBodies(counts, hasRates);
	for (let i = 0; i < first; i += 1) copyBody(bodies, i, all, i);
	for (let i = 0; i < added.own; i += 1) copyBody(added, added.obstacles + i, all, first + i);
	for (let i = first; i < bodies.count; i += 1) copyBody(bodies, i, all, added.own + i);
	return all;
}

const KEYS = Object.keys(FIELDS) as Field[];

function copyBody(from: Bodies, i: number, to: Bodies, j: number): void {
	for (const key of KEYS) {
		const width = FIELDS[key];
		const source = from[key];
		const target = to[key];
		if (source.length === 0 || target.length === 0) continue;
		for (let k = 0; k < width; k += 1) target[width * j + k] = source[width * i + k]!;
	}
}
