/** Contact detection: pieces that are near, the points in which they touch, and the contacts made of them in canonical order. */
import { grown } from "../base/grow.js";
import { type Bodies, KIND } from "../bodies/bodies.js";
import { codesOf, writeLaw } from "../bodies/contact-parameters.js";
import { type ContactRange, touching } from "../bodies/contact-range.js";
import type { ContactLaw, Model } from "../bodies/model.js";
import { PairSearch } from "../broad/pairs.js";
import { type Manifold, makeManifold, makePlacedPiece, type PlacedPiece } from "../narrow/manifold.js";
import { mergePoints } from "../narrow/merge.js";
import { PairPoints } from "../narrow/pair-points.js";
import { touch } from "../narrow/touch.js";
import type { ContactList } from "./contact-list.js";
import { FastPairs } from "./fast-pairs.js";
import { nameFeatures, sortByFeature } from "./features.js";
import { NearEllipsoids } from "./near-ellipsoids.js";
import { gapRate } from "./velocity.js";

export class ContactDetector {
	readonly #model: Model;
	readonly #search = new PairSearch();
	/** The origin of a pair's frame is the centre of its first body. */
	readonly #first = makePlacedPiece();
	readonly #second = makePlacedPiece();
	readonly #manifold = makeManifold();
	readonly #points = new PairPoints();
	readonly #ellipsoids: NearEllipsoids;
	/** Codes of the laws that contacts may have; empty where all have Coulomb's. */
	readonly #laws: Int32Array;
	readonly fast: FastPairs;
	/** How far points of a pair that closes approach each other within the step, in depths that the pair may reach unseen; the largest of the last detection. */
	largestApproach = 0;
	/** True if contacts may have the law of guards. */
	readonly #hasCoulomb: boolean;
	/** By place, 1 for bodies whose contacts have to be known. */
	#isWanted = new Uint8Array(0);

	constructor(model: Model) {
		this.#model = model;
		this.#laws = codesOf(model.laws);
		this.#hasCoulomb = model.laws.some(({ law = "coulomb" }) => law === "coulomb");
		this.fast = new FastPairs(model);
		this.#ellipsoids = new NearEllipsoids(model);
	}

	/**
	 * Fills `contacts` with all that are in range. A number is a margin: the gaps that count. If one point of a pair closes within the step, all of its points
	 * that were found count, since those beside it may close by the impact of the first. Of contacts between ghosts, or of a ghost and an obstacle, those are
	 * found that may be at a body which a contact of the rank's own touches.
	 */
	detect(bodies: Bodies, range: ContactRange | number, contacts: ContactList): void {
		const near = typeof range === "number" ? touching(range) : range;
		const search = this.#search;
		search.search(this.#model, bodies, near);
		contacts.count = 0;
		this.largestApproach = 0;
		contacts.laws = this.#laws;
		const { pair, count } = search;
		const { place, sight } = search.boxes;
		const isWanted = this.#wanted(bodies);
		this.#ellipsoids.find(this.#model, bodies, search, isWanted);
		let lastPlace = -1;
		for (let from = 0, end = 0; from < count; from = end) {
			const a = place[pair[2 * from]!]!;
			const b = place[pair[2 * from + 1]!]!;
			end = from + 1;
			while (end < count && place[pair[2 * end]!] === a && place[pair[2 * end + 1]!] === b) end += 1;
			if (isWanted !== undefined && isWanted[a] === 0 && isWanted[b] === 0) continue;
			const { centre } = this.#second;
			for (let d = 0; d < 3; d += 1) centre[d] = bodies.position[3 * b + d]! - bodies.position[3 * a + d]!;
			let points: Manifold = this.#manifold;
			if (!this.#ellipsoids.take(from, points)) {
				if (a !== lastPlace) placeBody(bodies, a, this.#first);
				lastPlace = a;
				placeBody(bodies, b, this.#second);
				points = this.#pointsOf(bodies, a, b, from, end, sight[a]! + sight[b]!);
			}
			if (points.count > 0) this.#addPair(bodies, contacts, a, b, points, near);
		}
	}

	/** Own bodies, and ghosts that may touch an own one of smaller id: that contact is the rank's own. Undefined where there are no ghosts. */
	#wanted({ obstacles, own, count }: Bodies): Uint8Array | undefined {
		const ownEnd = obstacles + own;
		if (count === ownEnd) return undefined;
		this.#isWanted = grown(this.#isWanted, count).fill(0, 0, count).fill(1, obstacles, ownEnd);
		const isWanted = this.#isWanted;
		const { pair, count: pairs, boxes } = this.#search;
		for (let k = 0; k < 2 * pairs; k += 2) {
			const first = boxes.place[pair[k]!]!;
			if (first >= obstacles && first < ownEnd) isWanted[boxes.place[pair[k + 1]!]!] = 1;
		}
		return isWanted;
	}

	/** The points of two bodies by ascending feature; `from` to `end` are the pairs of their pieces. */
	#pointsOf(bodies: Bodies, a: number, b: number, from: number, end: number, margin: number): Manifold {
		const pieces = this.#model.shapes[bodies.shape[a]!]!.pieces;
		const others = this.#model.shapes[bodies.shape[b]!]!.pieces;
		const { pair, boxes } = this.#search;
		const manifold = this.#manifold;
		const isUnion = pieces.length * others.length > 1;
		const points = this.#points;
		points.count = 0;
		for (let k = from; k < end; k += 1) {
			const first = boxes.piece[pair[2 * k]!]!;
			const second = boxes.piece[pair[2 * k + 1]!]!;
			this.#first.convex = pieces[first]!;
			this.#second.convex = others[second]!;
			touch(this.#first, this.#second, margin, manifold);
			if (isUnion && manifold.count > 0) points.add(manifold, first, second);
		}
		if (isUnion) {
			mergePoints(points, this.#first, this.#second, pieces, others);
			nameFeatures(points, others.length);
		}
		const found = isUnion ? points : manifold;
		sortByFeature(found);
		return found;
	}

	#addPair(bodies: Bodies, contacts: ContactList, a: number, b: number, points: Manifold, near: ContactRange): void {
		const { materials, laws } = this.#model;
		const law = laws[bodies.material[a]! * materials.length + bodies.material[b]!]!;
		const depth = near.ahead > 0 ? this.fast.depth(bodies, a, b, near.ahead) : 0;
		const { sight } = this.#search.boxes;
		const range = sight[a]! + sight[b]!;
		const limit = closingLimit(law, near, depth);
		const first = contacts.count;
		this.#append(bodies, contacts, a, b, points, law);
		if (depth > 0 && limit > NEVER && this.#hasCoulomb && leastGap(points) > -depth) {
			this.fast.guard(bodies, a, b, points, this.#second.centre, range);
			this.#append(bodies, contacts, a, b, this.fast.guards, GUARD);
		}
		const beside = limit > 0 ? Math.min(near.beside, range) : NEVER;
		let [closes, approach] = [false, 0];
		for (let at = first; at < contacts.count && limit > NEVER; at += 1) {
			if (contacts.isMoment[at] === 1) continue;
			const change = near.ahead * gapRate(bodies, contacts, at);
			const gap = contacts.gap[at]!;
			if (gap <= beside || gap + change <= limit) closes = true;
			approach = Math.max(approach, -change);
		}
		if (closes) {
			if (depth > 0) this.largestApproach = Math.max(this.largestApproach, approach / depth);
			return;
		}
		contacts.count = first;
		this.#append(bodies, contacts, a, b, points, law, near.margin);
	}

	/** Appends the points whose gap is at most the margin. */
	#append(
		bodies: Bodies,
		contacts: ContactList,
		a: number,
		b: number,
		points: Manifold,
		law: ContactLaw,
		margin = Number.POSITIVE_INFINITY,
	): void {
		contacts.reserve(contacts.count + points.count);
		const rolls = law.law === "rolling";
		const { centre } = this.#second;
		const { normal } = points;
		for (let i = 0; i < points.count; i += 1) {
			if (points.gap[i]! > margin) continue;
			const at = contacts.count;
			contacts.count += 1;
			contacts.body[2 * at] = a;
			contacts.body[2 * at + 1] = b;
			contacts.feature[at] = points.feature[i]!;
			contacts.gap[at] = points.gap[i]!;
			contacts.friction[at] = law.friction;
			if (contacts.isMoment.length > 0) contacts.isMoment[at] = 0;
			contacts.restitution[at] = law.restitution;
			contacts.setNormal(at, normal[3 * i]!, normal[3 * i + 1]!, normal[3 * i + 2]!);
			if (this.#laws.length > 0) writeLaw(law, contacts, at, bodies.map, law.axisOf === 1 ? b : a);
			for (let d = 0; d < 3; d += 1) {
				const point = points.point[3 * i + d]!;
				contacts.arm[6 * at + d] = point;
				contacts.arm[6 * at + 3 + d] = point - centre[d]!;
				contacts.point[3 * at + d] = bodies.position[3 * a + d]! + point;
			}
			if (rolls) contacts.addMoment(at);
		}
	}
}

function leastGap({ count, gap }: Manifold): number {
	let least = gap[0]!;
	for (let k = 1; k < count; k += 1) least = Math.min(least, gap[k]!);
	return least;
}

const GUARD: ContactLaw = { friction: 0, restitution: 0 };
const NEVER = Number.NEGATIVE_INFINITY;
/** Laws of contacts that pull: they count only if bodies touch. */
const PULLING: readonly (string | undefined)[] = ["bilateral", "cohesive", "box"];

/**
 * A pair counts if a gap will be at most this at the end of the step. What bounces is left to touch, so that it keeps its energy, unless bodies would be deeper
 * than `depth` by then.
 */
function closingLimit(law: ContactLaw, near: ContactRange, depth: number): number {
	if (near.ahead === 0) return NEVER;
	if (near.anticipatesBounces) return near.margin + near.fall;
	if (PULLING.includes(law.law)) return NEVER;
	if (law.restitution === 0) return near.margin + near.fall;
	return depth > 0 ? -depth : NEVER;
}

function placeBody(bodies: Bodies, place: number, piece: PlacedPiece): void {
	const { map } = piece;
	for (let k = 0; k < 9; k += 1) map[k] = bodies.map[9 * place + k]!;
	piece.isRigid = bodies.kind[place] !== KIND.pseudoRigid;
}
