/**
 * Tests whether any reaction brings all velocities into the dual cones: is there an R with W R + q in K*? If so, the problem has a solution (Acary,
 * Cadoux, Lemaréchal and Malick 2011); if not, it may have none. The accelerated gradient method minimises half the squared distance
 * of V = W R + q from K*, in the metric of W, so that R itself is not needed:
 *
 *     Y = proj_K(-V)                      K* - V at its shortest: V + Y is the point of K* that is nearest to V
 *     V <- V + W Y / L                    with Nesterov's extrapolation, restarted when the distance grows
 *
 * Y ends as zero, or as a certificate: Y in K, W Y = 0 and <Y, q> < 0 leave no R, since <Y, W R + q> = <Y, q>, and no point of K* has a negative
 * product with Y. For W Y near zero the same line bounds <R, W R> from below by <Y, q>^2 / <Y, W Y>.
 */
import type { Vector } from "../kernels/arena.js";
import { lawCode } from "../problem/laws.js";
import { Sums } from "../sums/sums.js";
import type { System } from "../system/system.js";

/** Most iterations, a product and a reduction each. */
const ITERATIONS_MAX = 400;
/** Square of the distance over that of q at which V counts as inside. */
const INSIDE = 1e-20;
/** Least <R, W R> over <D^-1 q, q>, D the mean diagonals of W, that no solution has: ratios of masses up to this size occur. */
const ENERGY_MAX = 1e10;
/** Growth of the estimated norm of W when the distance does not fall. */
const NORM_FACTOR = 2;

/** Laws whose sets of reactions are no cones: a shift or a bound has no part in a certificate. */
const WITHOUT_CONE = [lawCode("cohesive"), lawCode("capped"), lawCode("box")];

/** Collective. True if a certificate shows that the dual cone is missed; false if not, or if the laws or equality rows leave no cone to test. */
export function missesDualCone(system: System): boolean {
	const { share, arena } = system;
	if (share.equalityRows > 0 || share.lawsUsed.some((law) => WITHOUT_CONE.includes(law))) return false;
	const before = arena.bytes;
	try {
		return new DualConeTest(system).run();
	} finally {
		arena.rewind(before);
	}
}

class DualConeTest {
	readonly #system: System;
	readonly #sums: Sums;
	readonly #v: Vector;
	readonly #last: Vector;
	/** V extrapolated. */
	readonly #z: Vector;
	readonly #y: Vector;
	readonly #wy: Vector;

	constructor(system: System) {
		this.#system = system;
		this.#sums = new Sums(system.arena, system.reducer, 5);
		this.#v = system.room();
		this.#last = system.room();
		this.#z = system.room();
		this.#y = system.operand();
		this.#wy = system.room();
	}

	run(): boolean {
		const { arena, length, q, operator } = this.#system;
		const { kernels } = arena;
		const [v, last, z, y, wy] = [this.#v.at, this.#last.at, this.#z.at, this.#y, this.#wy];
		kernels.copy(q.at, v, length);
		kernels.copy(q.at, last, length);
		const free = this.#freeEnergy();
		let [theta, beta, norm, distance] = [1, 0, 0, Number.POSITIVE_INFINITY];
		for (let iteration = 0; iteration < ITERATIONS_MAX; iteration += 1) {
			kernels.subtract(v, last, z, length);
			kernels.axpby(1, v, beta, z, length);
			kernels.fill(y.at, 0, length);
			kernels.axpby(-1, z, 0, y.at, length);
			this.#system.project(y);
			operator.apply(y, wy);
			const { square, image, energy, free: product, size } = this.#reduce();
			if (!(square > INSIDE * size)) return false;
			if (product < 0 && energy * ENERGY_MAX * free <= product * product) return true;
			if (square > distance) {
				// The first step after a restart has no extrapolation: then the norm was too small.
				if (beta === 0) norm *= NORM_FACTOR;
				[theta, beta] = [1, 0];
			}
			distance = square;
			norm = Math.max(norm, Math.sqrt(image / square));
			kernels.copy(v, last, length);
			kernels.copy(z, v, length);
			kernels.axpby(1 / norm, wy.at, 1, v, length);
			const next = (theta * (Math.sqrt(theta * theta + 4) - theta)) / 2;
			beta = (theta * (1 - theta)) / (theta * theta + next);
			theta = next;
		}
		return false;
	}

	/** <D^-1 q, q>, D = trace(W_aa) / 3: of the order of the energy that the contacts take out of the free motion. */
	#freeEnergy(): number {
		const { q, w } = this.#system;
		return this.#system.sumOver((a) => {
			const trace = w.values[9 * a]! + w.values[9 * a + 4]! + w.values[9 * a + 8]!;
			const [x, y, z] = [q.values[3 * a]!, q.values[3 * a + 1]!, q.values[3 * a + 2]!];
			return (3 * (x * x + y * y + z * z)) / trace;
		});
	}

	/** |Y|^2, |W Y|^2, <Y, W Y>, <Y, q> and |q|^2, in one reduction. */
	#reduce() {
		const { length, q } = this.#system;
		const [y, wy] = [this.#y.at, this.#wy.at];
		this.#sums.dots(y, 0, 0, 0, y, length);
		this.#sums.dots(wy, 0, 0, 0, wy, length);
		this.#sums.dots(y, 0, 0, 0, wy, length);
		this.#sums.dots(y, 0, 0, 0, q.at, length);
		this.#sums.dots(q.at, 0, 0, 0, q.at, length);
		const [square = 0, image = 0, energy = 0, free = 0, size = 0] = this.#sums.reduce();
		return { square, image, energy, free, size };
	}
}
