/**
 * The linearisations of Koziara and Bicanic 2008: what Newton's step asks of a contact, as P_a (W dR)_a + Q_a dR_a = Pi_a, from R, U and rho with
 * d = R - rho U (eqs. 45, 46) and U = W R + q, so that their T is zero. P and Q are 3x3 by rows, components (N, T1, T2).
 */
export type Linearisation = "newt" | "hyb" | "fix" | "unil";

/** What a contact is taken for. */
export const STATE = { open: 0, stick: 1, slip: 2 } as const;

/** What the step of a contact asks; `coupling` is what R_N does to the rows of a moment, three numbers of its block (cones.ts). */
export interface ContactStep {
	readonly p: Float64Array;
	readonly q: Float64Array;
	readonly right: Float64Array;
	readonly coupling: Float64Array;
}

/** Writes P, Q and Pi; returns the state. `bound` is b_N of FIX. */
export function lineariseContact(
	kind: Linearisation,
	mu: number,
	rho: number,
	bound: number,
	r: Float64Array,
	u: Float64Array,
	at: number,
	step: ContactStep,
): number {
	const { p, q, right } = step;
	const [rN, uN] = [r[at]!, u[at]!];
	const push = rho * uN;
	const block = 3 * at;
	p.fill(0, block, block + 9);
	q.fill(0, block, block + 9);
	if (rN - push < 0) {
		openRows(r, at, 0, step); // I_N: dR = -R
		return STATE.open;
	}
	// A_N: U_N = 0, which is all that UNIL asks for.
	p[block] = 1;
	right[at] = -uN;
	if (kind === "unil") {
		openRows(r, at, 1, step);
		return STATE.slip;
	}
	return tangentialRows(kind, mu, rho, push, rN, bound, r, u, at, step, q, block + 3, 3);
}

/** The same of a moment, whose force is the block before: rolling as tangential motion is, spinning in one direction. */
export function lineariseMoment(
	kind: Linearisation,
	rolling: number,
	spinning: number,
	rhoForce: number,
	rho: number,
	bound: number,
	r: Float64Array,
	u: Float64Array,
	at: number,
	step: ContactStep,
): number {
	const { p, q, coupling } = step;
	const rN = r[at - 3]!;
	const push = rhoForce * u[at - 3]!;
	const block = 3 * at;
	p.fill(0, block, block + 9);
	q.fill(0, block, block + 9);
	coupling.fill(0, at, at + 3);
	if (rN - push < 0) {
		openRows(r, at, 0, step);
		return STATE.open;
	}
	spinRow(kind, spinning, rho, push, rN, bound, r, u, at, step);
	return tangentialRows(kind, rolling, rho, push, rN, bound, r, u, at, step, coupling, at + 1, 1);
}

/** dR = -R in the rows from the first on. */
function openRows(r: Float64Array, at: number, first: number, { q, right }: ContactStep): void {
	for (let i = first; i < 3; i += 1) {
		q[3 * at + 4 * i] = 1;
		right[at + i] = -r[at + i]!;
	}
}

/** Rows 1 and 2 within mu times what R_N is taken for, `push` being rho U_N; what dR_N adds to them goes to `lead`, so many numbers apart. Returns the state. */
function tangentialRows(
	kind: Linearisation,
	mu: number,
	rho: number,
	push: number,
	rN: number,
	bound: number,
	r: Float64Array,
	u: Float64Array,
	at: number,
	step: ContactStep,
	lead: Float64Array,
	leadAt: number,
	apart: number,
): number {
	const { p, q, right } = step;
	const block = 3 * at;
	const dN = rN - push;
	const [r1, r2, u1, u2] = [r[at + 1]!, r[at + 2]!, u[at + 1]!, u[at + 2]!];
	const d1 = r1 - rho * u1;
	const d2 = r2 - rho * u2;
	const dT = Math.sqrt(d1 * d1 + d2 * d2);
	if (dT - mu * limitOf(kind, dN, rN, bound) < 0) {
		// I_T: U_T = 0; NEWT with what eq. 53 adds.
		p[block + 4] = p[block + 8] = 1;
		const share = kind === "newt" && dN > 0 ? 1 / dN : 0;
		lead[leadAt] = u1 * share;
		lead[leadAt + apart] = u2 * share;
		right[at + 1] = -(1 + push * share) * u1;
		right[at + 2] = -(1 + push * share) * u2;
		return STATE.stick;
	}
	const reach = mu * (kind === "fix" ? bound : dN);
	if (!(reach > 0) || dT === 0 || dN === 0) {
		openRows(r, at, 1, step);
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
		lead[leadAt] = -mu * v1;
		lead[leadAt + apart] = -mu * v2;
	}
	const normal = kind === "fix" ? bound : rN;
	right[at + 1] = mu * v1 * normal - r1;
	right[at + 2] = mu * v2 * normal - r2;
	return STATE.slip;
}

/** Row 0 of a moment within mu_s times what R_N is taken for: the rows above in one direction. */
function spinRow(
	kind: Linearisation,
	mu: number,
	rho: number,
	push: number,
	rN: number,
	bound: number,
	r: Float64Array,
	u: Float64Array,
	at: number,
	{ p, q, right, coupling }: ContactStep,
): void {
	const block = 3 * at;
	const dN = rN - push;
	const d = r[at]! - rho * u[at]!;
	if (Math.abs(d) - mu * limitOf(kind, dN, rN, bound) < 0) {
		p[block] = 1;
		const share = kind === "newt" && dN > 0 ? 1 / dN : 0;
		coupling[at] = u[at]! * share;
		right[at] = -(1 + push * share) * u[at]!;
		return;
	}
	const reach = mu * (kind === "fix" ? bound : dN);
	const sign = d < 0 ? -1 : 1;
	if (!(reach > 0) || d === 0) {
		q[block] = 1;
		right[at] = -r[at]!;
		return;
	}
	const m = (reach / Math.abs(d)) * (1 - (r[at]! * sign) / Math.max(reach, Math.abs(r[at]!)));
	p[block] = rho * m;
	q[block] = 1 - m;
	if (kind !== "fix") coupling[at] = -mu * sign;
	right[at] = mu * sign * (kind === "fix" ? bound : rN) - r[at]!;
}

/** What the sets are found with. */
function limitOf(kind: Linearisation, dN: number, rN: number, bound: number): number {
	return kind === "newt" ? dN : kind === "hyb" ? rN : bound;
}

/**
 * The first step from R = 0 and U = 0, so that T = W R + q - U = q and d = 0: every contact is closed and without friction, and no moment acts. U of
 * the next step is W R + q again, and T zero from then on.
 */
export function lineariseFirst(free: Float64Array, at: number, isMoment: boolean, step: ContactStep): number {
	const { p, q, right, coupling } = step;
	const block = 3 * at;
	p.fill(0, block, block + 9);
	q.fill(0, block, block + 9);
	coupling.fill(0, at, at + 3);
	right.fill(0, at, at + 3);
	q[block + 4] = q[block + 8] = 1;
	if (isMoment) {
		q[block] = 1;
		return STATE.slip;
	}
	p[block] = 1;
	right[at] = -free[at]!;
	return STATE.slip;
}

/**
 * The rows that say something of R, times W_ii, so that they are as large as those that say something of U: all three of an open contact, the
 * tangential ones of one that slips. And those of a moment.
 */
export function scaleRows(state: number, isMoment: boolean, w: Float64Array, at: number, step: ContactStep): void {
	if (isMoment && step.p[3 * at] !== 1) scaleRow(w, at, 0, step);
	if (state === STATE.stick) return;
	for (let i = state === STATE.open && !isMoment ? 0 : 1; i < 3; i += 1) scaleRow(w, at, i, step);
}

function scaleRow(w: Float64Array, at: number, i: number, { p, q, right, coupling }: ContactStep): void {
	const row = 3 * at + 3 * i;
	const own = w[row + i]!;
	if (!(own > 0)) return;
	for (let j = row; j < row + 3; j += 1) {
		p[j]! *= own;
		q[j]! *= own;
	}
	right[at + i]! *= own;
	coupling[at + i]! *= own;
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
	const cN = rN - Math.max(0, dN);
	return tangentialMerit(mu, rho, dN, r1, r2, u1, u2) + cN * cN;
}

/** C of eq. 43, squared: of friction, and with mu_r or mu_s in place of mu of a moment's parts. */
export function tangentialMerit(
	mu: number,
	rho: number,
	dN: number,
	r1: number,
	r2: number,
	u1: number,
	u2: number,
): number {
	const d1 = r1 - rho * u1;
	const d2 = r2 - rho * u2;
	const reach = mu * Math.max(0, dN);
	const most = Math.max(mu * dN, Math.sqrt(d1 * d1 + d2 * d2));
	const c1 = most * r1 - reach * d1;
	const c2 = most * r2 - reach * d2;
	return c1 * c1 + c2 * c2;
}
