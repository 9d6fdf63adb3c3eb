/** Pairs of bodies that are one ellipsoid each, all at a time: the points in which they touch, with the bits that pair by pair they have (narrow/ellipsoids.ts). */
import { grown } from "../base/grow.js";
import { type Bodies, KIND } from "../bodies/bodies.js";
import type { Model } from "../bodies/model.js";
import type { PairSearch } from "../broad/pairs.js";
import { EllipsoidPairs, FAR, FOUND } from "../narrow/ellipsoid-pairs.js";
import { isCentred } from "../narrow/ellipsoids.js";
import { type Manifold, makePlacedPiece, takePoint } from "../narrow/manifold.js";
import { placeBall } from "../narrow/placed.js";

/** In place of the number of a pair that is none of these, and of one whose balls around do not touch. */
const NONE = -1;
const NOT_NEAR = -2;

const piece = makePlacedPiece();

export class NearEllipsoids {
	readonly #pairs = new EllipsoidPairs();
	/** By shape, 1 for one ellipsoid about the centre of mass. */
	readonly #isEllipsoid: Uint8Array;
	/** By pair of the search: its number among the pairs of ellipsoids, or one of the above. */
	#number = new Int32Array(0);
	/** By place: the body's number among the ellipsoids, and in which step it got that. */
	#ellipsoid = new Int32Array(0);
	#placedIn = new Int32Array(0);
	#step = 0;
	#ellipsoids = 0;

	constructor({ shapes }: Model) {
		const isOne = ({ pieces }: Model["shapes"][number]) =>
			pieces.length === 1 && pieces[0]!.kind === "ellipsoid" && isCentred(pieces[0]!);
		this.#isEllipsoid = Uint8Array.from(shapes, (shape) => (isOne(shape) ? 1 : 0));
	}

	/** Solves those pairs of the search at which a body is wanted, all where nobody says which are. */
	find(model: Model, bodies: Bodies, { pair, count, boxes }: PairSearch, isWanted: Uint8Array | undefined): void {
		const { place, sight } = boxes;
		const { shape, position, kind } = bodies;
		const { shapes } = model;
		const isEllipsoid = this.#isEllipsoid;
		const pairs = this.#pairs;
		this.#begin(bodies.count, count);
		const number = this.#number;
		for (let k = 0; k < count; k += 1) {
			const a = place[pair[2 * k]!]!;
			const b = place[pair[2 * k + 1]!]!;
			number[k] = NONE;
			if (isEllipsoid[shape[a]!] === 0 || isEllipsoid[shape[b]!] === 0) continue;
			if (isWanted !== undefined && isWanted[a] === 0 && isWanted[b] === 0) continue;
			const x = position[3 * b]! - position[3 * a]!;
			const y = position[3 * b + 1]! - position[3 * a + 1]!;
			const z = position[3 * b + 2]! - position[3 * a + 2]!;
			const margin = sight[a]! + sight[b]!;
			const reach = shapes[shape[a]!]!.pieces[0]!.reach + shapes[shape[b]!]!.pieces[0]!.reach + margin;
			const areRigid = kind[a] !== KIND.pseudoRigid && kind[b] !== KIND.pseudoRigid;
			if (areRigid && x * x + y * y + z * z > reach * reach) {
				number[k] = NOT_NEAR;
				continue;
			}
			const at = pairs.count;
			pairs.count += 1;
			number[k] = at;
			pairs.ellipsoid[2 * at] = this.#placed(model, bodies, a);
			pairs.ellipsoid[2 * at + 1] = this.#placed(model, bodies, b);
			pairs.c[3 * at] = x;
			pairs.c[3 * at + 1] = y;
			pairs.c[3 * at + 2] = z;
			pairs.limit[at] = margin;
		}
		pairs.solve();
	}

	#begin(bodies: number, pairs: number): void {
		this.#pairs.reset(bodies, pairs);
		this.#number = grown(this.#number, pairs);
		this.#ellipsoid = grown(this.#ellipsoid, bodies);
		this.#placedIn = grown(this.#placedIn, bodies);
		this.#step += 1;
		this.#ellipsoids = 0;
	}

	/** The number of a body among the ellipsoids, of which it becomes one. */
	#placed({ shapes }: Model, { map, shape }: Bodies, place: number): number {
		if (this.#placedIn[place] === this.#step) return this.#ellipsoid[place]!;
		const at = this.#ellipsoids;
		this.#ellipsoids += 1;
		this.#placedIn[place] = this.#step;
		this.#ellipsoid[place] = at;
		piece.convex = shapes[shape[place]!]!.pieces[0]!;
		for (let k = 0; k < 9; k += 1) piece.map[k] = map[9 * place + k]!;
		placeBall(piece, this.#pairs.ball, 9 * at);
		this.#pairs.placeSquare(at);
		return at;
	}

	/** Writes the points of a pair of the search; false where somebody else has to find them. */
	take(k: number, manifold: Manifold): boolean {
		const pair = this.#number[k]!;
		if (pair === NONE) return false;
		manifold.count = 0;
		if (pair === NOT_NEAR) return true;
		const { outcome, n, c, witness, gap } = this.#pairs;
		if (outcome[pair] !== FOUND) return outcome[pair] === FAR;
		const at = takePoint(manifold, 0);
		const { normal, point } = manifold;
		for (let d = 0; d < 3; d += 1) {
			const w = 6 * pair + d;
			normal[3 * at + d] = n[3 * pair + d]!;
			point[3 * at + d] = 0.5 * (witness[w]! + (c[3 * pair + d]! - witness[w + 3]!));
		}
		manifold.gap[at] = gap[pair]!;
		return true;
	}
}
