/**
 * The problem: per contact a, U_a = sum_b W_ab R_b + q_a with R_a in K_a = { |R_T| <= mu_a R_N }, and -F(R) in the
 * normal cone of K at R, F = [U_N + mu |U_T|, U_T]. Components are (N, T1, T2) everywhere, as in FCLIB files;
 * docs/conventions.md has signs, units and what else is agreed on.
 *
 * A problem only refers to the arrays it was given; nothing is copied until an operator is made of it.
 */
import type { ContactLaws } from "./laws.js";

/** 3x3 blocks in compressed rows. A row may list its columns in any order, each column once. */
export interface BlockMatrix {
	/** Block rows (contacts). */
	readonly rows: number;
	/** Where each block row starts in `column`; rows + 1 entries. */
	readonly rowStart: Int32Array;
	/** The block column of each block. */
	readonly column: Int32Array;
	/** Nine values per block, by rows: NN, NT1, NT2, T1N, ... */
	readonly values: Float64Array;
}

/** A sparse matrix by entries, compressed by rows: the form of V, R, M, H and G once they are read. */
export interface CsrMatrix {
	readonly rows: number;
	readonly columns: number;
	readonly rowStart: Int32Array;
	readonly column: Int32Array;
	readonly values: Float64Array;
}

/**
 * Rigid bodies and the geometry of their contacts: all that the matrix-free product needs (W = H M^-1 H^T, never formed).
 * The relative velocity at a contact is that of body 1 minus that of body 0, seen in the contact's frame:
 * U = frame (v_1 + w_1 x arm_1 - v_0 - w_0 x arm_0), so the reaction pushes body 1 along +frame_N and body 0 against it.
 */
export interface RigidContacts {
	/** Two bodies per contact; -1 for an obstacle, which does not move. */
	readonly body: Int32Array;
	/** Nine values per contact: the unit vectors N, T1, T2 in world coordinates, one after another. */
	readonly frame: Float64Array;
	/** Six values per contact: from the centre of body 0, then of body 1, to the contact point, in world axes. */
	readonly arm: Float64Array;
	/** One per body. */
	readonly inverseMass: Float64Array;
	/** Six per body: the symmetric inverse inertia in world axes, xx, yy, zz, xy, xz, yz. */
	readonly inverseInertia: Float64Array;
	/**
	 * Where contacts roll, 1 for the block that is the moment of the one before (rolling.ts): it turns bodies and moves none, its U is the relative
	 * angular velocity, and its arms mean nothing. A problem's laws say so too, and whoever plans it writes it here.
	 */
	readonly moment?: Uint8Array;
}

/** Where contacts are, and between which bodies. */
export interface Geometry {
	/** Three coordinates per contact. */
	readonly point?: Float64Array;
	/** Two body ids per contact, -1 for an obstacle. */
	readonly body?: Int32Array;
}

/** Equality rows (FCLIB's mixed form): V^T R + Q l + s = 0 with l free, and U = W R + V l + q. */
export interface Equalities {
	readonly count: number;
	/** 3 contacts x count. */
	readonly V: CsrMatrix;
	/** count x count; FCLIB calls it R. */
	readonly R: CsrMatrix;
	readonly s: Float64Array;
}

/** The global form: M v = H r + G l + f, G^T v + b = 0, u = H^T v + w. */
export interface GlobalForm {
	readonly M: CsrMatrix;
	/** Degrees of freedom x 3 contacts. */
	readonly H: CsrMatrix;
	readonly f: Float64Array;
	readonly w: Float64Array;
	readonly G?: CsrMatrix;
	readonly b?: Float64Array;
	/** So many of the last freedoms were added for spins that a file of rolling contacts does not have (added-spins.ts). */
	readonly addedFreedoms?: number;
}

/** A reaction to start from, as files hold them; `l` belongs to the equality rows. */
export interface Guess {
	readonly r: Float64Array;
	readonly u?: Float64Array;
	readonly l?: Float64Array;
	/** Global velocity, in files of the global form. */
	readonly v?: Float64Array;
}

export interface Problem {
	/** For reports and error lines. */
	readonly name: string;
	readonly contacts: number;
	/** Free velocity, 3 per contact. */
	readonly q: Float64Array;
	/** Friction coefficient per contact. */
	readonly mu: Float64Array;
	/** The law of each contact; Coulomb's everywhere where absent. */
	readonly laws?: ContactLaws;
	/** At least one of these three says what W is; the operator is chosen among those that are there. */
	readonly W?: BlockMatrix;
	readonly rigid?: RigidContacts;
	readonly global?: GlobalForm;
	readonly equalities?: Equalities;
	readonly geometry?: Geometry;
	readonly guesses?: readonly Guess[];
}
