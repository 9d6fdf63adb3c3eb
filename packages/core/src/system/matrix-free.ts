/**
 * The matrix-free operator of rigid bodies: assembly/bodies.ts has formulas and layout. 15 numbers and two body ids per contact in storage order, 13 numbers per
 * body; a Gauss-Seidel sweep runs in body space and costs a contact its two bodies, not its row of W.
 *
 * The sums of a body go in the order of the whole problem, whoever owns its contacts: bodies that no other rank touches are summed over own contacts while ghosts
 * are on their way, shared ones over own contacts and ghosts when these have come. In either pass the bodies of the other are replaced by the obstacle.
 */
import type { StoredOfRank } from "../factor/body-matrix.js";
import type { Arena, IntVector, Vector } from "../kernels/arena.js";
import { RIGID_BATCH_SCRATCH } from "../kernels/rigid-batch.js";
import type { MatrixFreeShare } from "../parallel/share.js";
import { ROLLING } from "../problem/rolling.js";
import { type BodyRun, bodyRuns } from "./body-runs.js";
import { COULOMB } from "./cone-ranges.js";
import { countUnsent, type Halo } from "./halo.js";
import type { Operator, SweepData } from "./operator.js";

const OF_CONTACT = 15;
const OF_BODY = 7;

/** Numbers that a sweep works on, as many as where contacts roll (240, assembly/laws/rolling-visit.ts) or more. */
const SCRATCH = Math.max(RIGID_BATCH_SCRATCH, 240);

/** Contacts as the kernels want them: their geometry, and their bodies. */
interface Contacts {
	readonly count: number;
	readonly h: Vector;
	readonly body: IntVector;
	readonly runs: readonly BodyRun[];
}

export class MatrixFreeOperator implements Operator {
	readonly kind = "matrix-free";
	/** Nothing is looked at here. */
	readonly isFinite = false;
	readonly bytes: number;
	readonly #arena: Arena;
	readonly #halo: Halo;
	readonly #bodies: number;
	readonly #own: Contacts;
	/** Which pairs of own contacts wait for each other (assembly/waits.ts). */
	readonly #flags: IntVector;
	/** The own contacts' bodies with the obstacle in place of shared ones; the same as theirs where none is shared. */
	readonly #alone: IntVector;
	/** Contacts at shared bodies, the others being the obstacle; where they stand, and their x. */
	readonly #shared: Contacts;
	readonly #place: Int32Array;
	readonly #x: Vector;
	/** Body data, body velocities. */
	readonly #m: Vector;
	readonly #v: Vector;
	readonly #scratch: Vector;

	/** `scale` is that of own contacts and ghosts by place. */
	constructor(arena: Arena, share: MatrixFreeShare, scale: Float64Array, halo: Halo) {
		const before = arena.bytes;
		const { rigid, contact, sharedContact, sharedPlace, isShared } = share;
		this.#arena = arena;
		this.#halo = halo;
		this.#bodies = rigid.inverseMass.length;
		this.#own = this.#contacts(share, contact, scale, undefined, undefined);
		this.#flags = this.#markWaits();
		this.#alone = isShared.includes(1) ? this.#bodyIds(share, contact, 0) : this.#own.body;
		this.#shared = this.#contacts(share, sharedContact, scale, sharedPlace, 1);
		this.#place = sharedPlace;
		this.#x = arena.vector(6 * Math.ceil(sharedPlace.length / 2));
		// One more than there are: the obstacle, which has no inverse mass.
		this.#m = arena.room(OF_BODY * (this.#bodies + 1), OF_BODY);
		this.#v = arena.room(6 * (this.#bodies + 1));
		this.#scratch = arena.vector(SCRATCH);
		this.#writeMasses(rigid);
		this.bytes = arena.bytes - before;
	}

	#markWaits(): IntVector {
		const pairs = Math.ceil(this.#own.count / 2);
		const flags = this.#arena.integerRoom(pairs);
		const before = this.#arena.bytes;
		const seen = this.#arena.integerRoom(this.#bodies + 1);
		this.#arena.kernels.markBodyWaits(pairs, this.#own.body.at, this.#bodies, flags.at, seen.at);
		this.#arena.rewind(before);
		return flags;
	}

	#writeMasses({ inverseMass, inverseInertia }: MatrixFreeShare["rigid"]): void {
		const { values } = this.#m;
		for (let b = 0, to = 0; b < this.#bodies; b += 1, to += OF_BODY) {
			values[to] = inverseMass[b]!;
			for (let k = 0; k < 6; k += 1) values[to + 1 + k] = inverseInertia[6 * b + k]!;
		}
	}

	/** `places` is where they stand, one after another where it is left out. */
	#contacts(
		share: MatrixFreeShare,
		ids: Int32Array,
		scale: Float64Array,
		places: Int32Array | undefined,
		only: 0 | 1 | undefined,
	): Contacts {
		const { frame, arm } = share.rigid;
		const h = this.#arena.room(2 * OF_CONTACT * Math.ceil(ids.length / 2), 2 * OF_CONTACT);
		const { values } = h;
		for (let k = 0; k < ids.length; k += 1) {
			const id = ids[k]!;
			const s = scale[places === undefined ? k : places[k]!]!;
			const to = 2 * OF_CONTACT * (k >> 1) + (k & 1);
			const f = 9 * id;
			values[to] = s * frame[f]!;
			values[to + 2] = s * frame[f + 1]!;
			values[to + 4] = s * frame[f + 2]!;
			values[to + 6] = s * frame[f + 3]!;
			values[to + 8] = s * frame[f + 4]!;
			values[to + 10] = s * frame[f + 5]!;
			values[to + 12] = s * frame[f + 6]!;
			values[to + 14] = s * frame[f + 7]!;
			values[to + 16] = s * frame[f + 8]!;
			for (let i = 0; i < 6; i += 1) values[to + 18 + 2 * i] = arm[6 * id + i]!;
		}
		const runs = bodyRuns(ids, share.rigid.moment);
		return { count: ids.length, h, body: this.#bodyIds(share, ids, only), runs };
	}

	/** Two bodies per contact; where `only` is given, those that are not shared (0) or shared (1), and the obstacle for the rest. */
	#bodyIds({ rigid, isShared }: MatrixFreeShare, ids: Int32Array, only: 0 | 1 | undefined): IntVector {
		const body = this.#arena.integerRoom(4 * Math.ceil(ids.length / 2));
		const { values } = body;
		const obstacle = this.#bodies;
		for (let k = 2 * ids.length; k < values.length; k += 1) values[k] = obstacle;
		for (let k = 0; k < 2 * ids.length; k += 1) {
			const b = rigid.body[2 * ids[k >> 1]! + (k & 1)]!;
			values[k] = b >= 0 && (only === undefined || isShared[b] === only) ? b : obstacle;
		}
		return body;
	}

	get stored(): StoredOfRank {
		const { count, h, body } = this.#own;
		const shared = { sharedPlace: this.#place, sharedBody: this.#shared.body };
		return { contacts: count, bodies: this.#bodies, h, body, m: this.#m, ...shared };
	}

	/** Body velocities v = M^-1 H^T x. */
	#gather(x: Vector): void {
		const { kernels } = this.#arena;
		const [own, shared, v] = [this.#own, this.#shared, this.#v];
		const { full } = this.#halo;
		full.begin(x.values);
		kernels.fill(v.at, 0, v.values.length);
		this.#gatherRuns(own, this.#alone, x);
		full.finish(x.values);
		if (shared.count > 0) {
			this.#takeShared(x.values);
			this.#gatherRuns(shared, shared.body, this.#x);
		}
		// What stood for others' bodies has no meaning, and no mass: an infinity there would become something that is no number.
		v.values.fill(0, 6 * this.#bodies);
		kernels.setInMotion(this.#bodies + 1, this.#m.at, v.at);
	}

	/** Adds what contacts give to the sums of these bodies, in their order. */
	#gatherRuns({ runs, h }: Contacts, body: IntVector, x: Vector): void {
		const { kernels } = this.#arena;
		const v = this.#v.at;
		for (const { kind, from, to } of runs) {
			if (kind === "pairs") {
				kernels.gatherImpulses(to - from, h.at + OF_CONTACT * from, body.at + 2 * from, x.at + 3 * from, v);
			} else kernels.gatherSingles(kind === "rolling" ? 1 : 0, from, to, h.at, body.at, x.at, v);
		}
	}

	#takeShared(from: Float64Array): void {
		const to = this.#x.values;
		const places = this.#place;
		for (let k = 0; k < places.length; k += 1) {
			const at = 3 * places[k]!;
			to[3 * k] = from[at]!;
			to[3 * k + 1] = from[at + 1]!;
			to[3 * k + 2] = from[at + 2]!;
		}
	}

	apply(x: Vector, y: Vector): void {
		this.#gather(x);
		const { runs, h, body } = this.#own;
		const { kernels } = this.#arena;
		const v = this.#v.at;
		for (const { kind, from, to } of runs) {
			if (kind === "pairs") {
				kernels.contactVelocities(to - from, h.at + OF_CONTACT * from, body.at + 2 * from, v, y.at + 3 * from);
			} else kernels.singleVelocities(kind === "rolling" ? 1 : 0, from, to, h.at, body.at, v, y.at);
		}
	}

	sweep(data: SweepData, r: Vector, backward: boolean, relax: number, alpha = 0, omega = 0): void {
		this.#gather(r);
		const stretches = backward ? this.#halo.backward : this.#halo.forward;
		for (let i = 0; i < stretches.length; i += 1) {
			const { incoming, counted, interior, boundary } = stretches[i]!;
			// The first stretch is of the sums just made.
			if (i > 0) incoming.begin(this.#v.values);
			this.#sweepPieces(interior, data, r, backward, relax, alpha, omega);
			if (i > 0) incoming.finish(this.#v.values);
			this.#sweepPieces(boundary, data, r, backward, relax, alpha, omega);
			countUnsent(counted, this.#v);
		}
	}

	#sweepPieces(
		pieces: Int32Array,
		data: SweepData,
		r: Vector,
		backward: boolean,
		relax: number,
		alpha: number,
		omega: number,
	): void {
		const { kernels } = this.#arena;
		const { count, h, body } = this.#own;
		for (let k = 0; k < pieces.length; k += 3) {
			const [from, to, law] = [pieces[k]!, pieces[k + 1]!, pieces[k + 2]!];
			if (law !== COULOMB) {
				kernels.lawRigidSweep(
					law,
					from,
					to,
					backward ? 1 : 0,
					h.at,
					body.at,
					this.#m.at,
					this.#v.at,
					relax,
					alpha,
					omega,
					data.q.at,
					data.w.at,
					data.cones.parametersAt,
					r.at,
					this.#scratch.at,
				);
				continue;
			}
			kernels.rigidSweep(
				from,
				to,
				backward ? 1 : 0,
				count,
				h.at,
				body.at,
				this.#flags.at,
				this.#m.at,
				this.#v.at,
				relax,
				alpha,
				omega,
				data.q.at,
				data.w.at,
				data.cones.mu.at,
				r.at,
				this.#scratch.at,
			);
		}
	}

	triangle(p: Vector, x: Vector, c: Vector, z: Vector): void {
		const { kernels } = this.#arena;
		kernels.fill(z.at, 0, z.values.length);
		kernels.fill(this.#v.at, 0, this.#v.values.length);
		const { forward } = this.#halo;
		for (let i = 0; i < forward.length; i += 1) {
			const { incoming, counted, interior, boundary } = forward[i]!;
			if (i > 0) incoming.begin(this.#v.values);
			this.#trianglePieces(interior, p, x, c, z);
			if (i > 0) incoming.finish(this.#v.values);
			this.#trianglePieces(boundary, p, x, c, z);
			countUnsent(counted, this.#v);
		}
	}

	#trianglePieces(pieces: Int32Array, p: Vector, x: Vector, c: Vector, z: Vector): void {
		const { kernels } = this.#arena;
		const { h, body } = this.#own;
		for (let k = 0; k < pieces.length; k += 3) {
			const solve = pieces[k + 2] === ROLLING ? kernels.rollingTriangle : kernels.rigidTriangle;
			solve(
				pieces[k]!,
				pieces[k + 1]!,
				h.at,
				body.at,
				this.#m.at,
				this.#v.at,
				p.at,
				x.at,
				c.at,
				z.at,
				this.#scratch.at,
			);
		}
	}
}
