/**
 * The linearisations of Koziara and Bicanic 2008: what Newton's step asks of a contact, as P_a (W dR)_a + Q_a dR_a = Pi_a, from R, U and rho with
 * d = R - rho U (eqs. 45, 46) and U = W R + q, so that their T is zero. P and Q are 3x3 by rows, components (N, T1, T2).
 */
export type Linearisation = "newt" | "hyb" | "fix" | "unil";

/** What a contact is taken for. */
export const STATE = { open: 0, stick: 1, slip: 2 } as const;

/** R, U and so on of one contact, and what its step asks; `bound` is b_N of FIX. */
export interface ContactStep {
	readonly p: Float64Array;
	readonly q: Float64Array;
	readonly right: Float64Array;
}

/** Writes P, Q and Pi; returns the state. */
export function lineariseContact(
	kind: Linearisation,
	mu: number,
	rho: number,
	bound: number,
	r: Float64Array,
	u: Float64Array,
	at: number,
	{ p, q, right }: ContactStep,
): number {
	const [rN, r1, r2] = [r[at]!, r[at + 1]!, r[at + 2]!];
	const [uN, u1, u2] = [u[at]!, u[at + 1]!, u[at + 2]!];
	const dN = rN - rho * uN;
	const d1 = r1 - rho * u1;
	const d2 = r2 - rho * u2;
	const block = 3 * at;
	p.fill(0, block, block + 9);
	q.fill(0, block, block + 9);
	if (dN < 0) {
		// I_N: dR = -R.
		q[block] = q[block + 4] = q[block + 8] = 1;
		right[at] = -rN;
		right[at + 1] = -r1;
		right[at + 2] = -r2;
		return STATE.open;
	}
	// A_N: U_N = 0, which is all that UNIL asks for.
	p[block] = 1;
	right[at] = -uN;
	const dT = Math.sqrt(d1 * d1 + d2 * d2);
	const limit = mu * (kind === "newt" ? dN : kind === "hyb" ? rN : bound);
	if (kind !== "unil" && dT - limit < 0) {
		// I_T: U_T = 0; NEWT with what eq. 53 adds.
		p[block + 4] = p[block + 8] = 1;
		const share = kind === "newt" && dN > 0 ? 1 / dN : 0;
		q[block + 3] = u1 * share;
		q[block + 6] = u2 * share;
		right[at + 1] = -(1 + rho * uN * share) * u1;
		right[at + 2] = -(1 + rho * uN * share) * u2;
		return STATE.stick;
	}
	const reach = mu * (kind === "fix" ? bound : dN);
	if (kind === "unil" || !(reach > 0) || dT === 0 || dN === 0) {
		q[block + 4] = q[block + 8] = 1;
		right[at + 1] = -r1;
		right[at + 2] = -r2;
		return STATE.slip;
	}
	// Eqs. 55 to 59: M = e (I - F), v = d_T / |d_T|.
	const v1 = d1 / dT;
	const v2 = d2 / dT;
	const e = reach / dT;
	const most = Math.max(reach, Math.sqrt(r1 * r1 + r2 * r2));
	const m11 = e * (1 - (r1 * v1) / most);
	const m12 = -e * ((r1 * v2) / most);
	const m21 = -e * ((r2 * v1) / most);
	const m22 = e * (1 - (r2 * v2) / most);
	p[block + 4] = rho * m11;
	p[block + 5] = rho * m12;
	p[block + 7] = rho * m21;
	p[block + 8] = rho * m22;
	q[block + 4] = 1 - m11;
	q[block + 5] = -m12;
	q[block + 7] = -m21;
	q[block + 8] = 1 - m22;
	if (kind !== "fix") {
		q[block + 3] = -mu * v1;
		q[block + 6] = -mu * v2;
	}
	const normal = kind === "fix" ? bound : rN;
	right[at + 1] = mu * v1 * normal - r1;
	right[at + 2] = mu * v2 * normal - r2;
	return STATE.slip;
}

/**
 * The first step from R = 0 and U = 0, so that T = W R + q - U = q and d = 0: every contact is closed and without friction. U of the next step is
 * W R + q again, and T zero from then on.
 */
export function lineariseFirst(q: Float64Array, at: number, step: ContactStep): number {
	const block = 3 * at;
	step.p.fill(0, block, block + 9);
	step.q.fill(0, block, block + 9);
	step.p[block] = 1;
	step.q[block + 4] = step.q[block + 8] = 1;
	step.right[at] = -q[at]!;
	step.right[at + 1] = step.right[at + 2] = 0;
	return STATE.slip;
}

/**
 * The rows that say something of R, times W_ii, so that they are as large as those that say something of U: all three of an open contact, the
 * tangential ones of one that slips.
 */
export function scaleRows(state: number, w: Float64Array, at: number, { p, q, right }: ContactStep): void {
	if (state === STATE.stick) return;
	for (let i = state === STATE.open ? 0 : 1; i < 3; i += 1) {
		const row = 3 * at + 3 * i;
		const own = w[row + i]!;
		if (!(own > 0)) continue;
		for (let j = row; j < row + 3; j += 1) {
			p[j]! *= own;
			q[j]! *= own;
		}
		right[at + i]! *= own;
	}
}

/** C of eqs. 43 and 44, squared. */
export function contactMerit(
	mu: number,
	rho: number,
	rN: number,
	r1: number,
	r2: number,
	uN: number,
	u1: number,
	u2: number,
): number {
	const dN = rN - rho * uN;
	const d1 = r1 - rho * u1;
	const d2 = r2 - rho * u2;
	const reach = mu * Math.max(0, dN);
	const most = Math.max(mu * dN, Math.sqrt(d1 * d1 + d2 * d2));
	const c1 = most * r1 - reach * d1;
	const c2 = most * r2 - reach * d2;
	const cN = rN - Math.max(0, dN);
	return c1 * c1 + c2 * c2 + cN * cN;
}
