/** Contact detection: pieces that are near, the points in which they touch, and the contacts made of them in canonical order. */
import { type Bodies, KIND } from "../bodies/bodies.js";
import type { Model } from "../bodies/model.js";
import { PairSearch } from "../broad/pairs.js";
import { type Manifold, makeManifold, type PlacedPiece } from "../narrow/manifold.js";
import { touch } from "../narrow/touch.js";
import type { ContactList } from "./contact-list.js";

/** Numbers of features of one pair of pieces. */
const FEATURES = 2 ** 20;

function placedPiece(model: Model): PlacedPiece {
	return { convex: model.shapes[0]!.pieces[0]!, centre: new Float64Array(3), map: new Float64Array(9), isRigid: true };
}

export class ContactDetector {
	readonly #model: Model;
	readonly #search = new PairSearch();
	readonly #first: PlacedPiece;
	readonly #second: PlacedPiece;
	readonly #manifold = makeManifold();

	constructor(model: Model) {
		this.#model = model;
		this.#first = placedPiece(model);
		this.#second = placedPiece(model);
	}

	/** Fills `contacts` with all whose gap is at most the margin, and that are this rank's. */
	detect(bodies: Bodies, margin: number, contacts: ContactList): void {
		const search = this.#search;
		search.search(this.#model, bodies, margin);
		contacts.count = 0;
		const { place, piece } = search.boxes;
		const { shapes } = this.#model;
		const [first, second] = [this.#first, this.#second];
		let lastPlace = -1;
		for (let k = 0; k < search.count; k += 1) {
			const [one, other] = [search.pair[2 * k]!, search.pair[2 * k + 1]!];
			const [a, b] = [place[one]!, place[other]!];
			if (a !== lastPlace) placeBody(bodies, a, first);
			lastPlace = a;
			first.convex = shapes[bodies.shape[a]!]!.pieces[piece[one]!]!;
			second.convex = shapes[bodies.shape[b]!]!.pieces[piece[other]!]!;
			placeBody(bodies, b, second);
			for (let d = 0; d < 3; d += 1) second.centre[d] = bodies.position[3 * b + d]! - bodies.position[3 * a + d]!;
			touch(first, second, margin, this.#manifold);
			if (this.#manifold.count === 0) continue;
			const pieces = piece[one]! * shapes[bodies.shape[b]!]!.pieces.length + piece[other]!;
			this.#append(bodies, contacts, a, b, pieces * FEATURES);
		}
	}

	/** The points of the manifold by ascending feature. */
	#append(bodies: Bodies, contacts: ContactList, a: number, b: number, firstFeature: number): void {
		const manifold = this.#manifold;
		const { materials, laws } = this.#model;
		const law = laws[bodies.material[a]! * materials.length + bodies.material[b]!]!;
		sortByFeature(manifold);
		contacts.reserve(contacts.count + manifold.count);
		const { centre } = this.#second;
		for (let i = 0; i < manifold.count; i += 1) {
			const at = contacts.count;
			contacts.count += 1;
			contacts.body[2 * at] = a;
			contacts.body[2 * at + 1] = b;
			contacts.feature[at] = firstFeature + manifold.feature[i]!;
			contacts.gap[at] = manifold.gap[i]!;
			contacts.friction[at] = law.friction;
			contacts.restitution[at] = law.restitution;
			contacts.setNormal(at, manifold.normal[3 * i]!, manifold.normal[3 * i + 1]!, manifold.normal[3 * i + 2]!);
			for (let d = 0; d < 3; d += 1) {
				const point = manifold.point[3 * i + d]!;
				contacts.arm[6 * at + d] = point;
				contacts.arm[6 * at + 3 + d] = point - centre[d]!;
				contacts.point[3 * at + d] = bodies.position[3 * a + d]! + point;
			}
		}
	}
}

function placeBody(bodies: Bodies, place: number, piece: PlacedPiece): void {
	const { map } = piece;
	for (let k = 0; k < 9; k += 1) map[k] = bodies.map[9 * place + k]!;
	piece.isRigid = bodies.kind[place] !== KIND.pseudoRigid;
}

/** Sorts by insertion: there are few points. */
function sortByFeature(manifold: Manifold): void {
	for (let i = 1; i < manifold.count; i += 1) {
		for (let k = i; k > 0 && manifold.feature[k - 1]! > manifold.feature[k]!; k -= 1) swapPoints(manifold, k - 1, k);
	}
}

function swapPoints({ feature, gap, normal, point }: Manifold, i: number, k: number): void {
	swap(feature, i, k);
	swap(gap, i, k);
	for (let d = 0; d < 3; d += 1) {
		swap(normal, 3 * i + d, 3 * k + d);
		swap(point, 3 * i + d, 3 * k + d);
	}
}

function swap(values: Float64Array | Int32Array, i: number, k: number): void {
	const kept = values[i]!;
	values[i] = values[k]!;
	values[k] = kept;
}
