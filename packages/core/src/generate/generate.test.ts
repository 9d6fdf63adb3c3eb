import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { assembleRigid } from "../problem/assemble-rigid.js";
import { relativeVelocity } from "../problem/relative-velocity.js";
import { type GeneratedProblem, generate, generateNames } from "./generate.js";

const names = generateNames().map((entry) => entry.name);
const sphereNames = names.filter((name) => name.startsWith("spheres"));

/** SHA-256 over all that a problem holds, +0 and -0 alike. */
function hash({ q, mu, rigid, geometry, freeVelocity }: GeneratedProblem): string {
	const sum = createHash("sha256");
	const reals = [q, mu, rigid.frame, rigid.arm, rigid.inverseMass, rigid.inverseInertia, geometry.point, freeVelocity];
	for (const values of reals) sum.update(new Uint8Array(values.map((value) => value + 0).buffer));
	sum.update(new Uint8Array(rigid.body.slice().buffer));
	return sum.digest("hex").slice(0, 16);
}

/** Centres of the bodies, from the contacts' points and arms. */
function centres({ rigid, geometry, contacts }: GeneratedProblem): Float64Array {
	const centre = new Float64Array(3 * rigid.inverseMass.length);
	for (let c = 0; c < contacts; c += 1) {
		for (let side = 0; side < 2; side += 1) {
			const id = rigid.body[2 * c + side]!;
			if (id < 0) continue;
			for (let k = 0; k < 3; k += 1) {
				centre[3 * id + k] = geometry.point[3 * c + k]! - rigid.arm[6 * c + 3 * side + k]!;
			}
		}
	}
	return centre;
}

function contactsPerBody({ rigid }: GeneratedProblem): number {
	return rigid.body.filter((id) => id >= 0).length / rigid.inverseMass.length;
}

describe("generate: the size asked for", () => {
	it.each(names.flatMap((name) => [100, 1000, 10_000].map((asked) => [name, asked] as const)))(
		"%s of %i contacts to within a tenth, said in the name, consistent",
		(name, asked) => {
			const problem = generate(name, { contacts: asked });
			const { contacts, rigid } = problem;
			expect(Math.abs(contacts - asked)).toBeLessThanOrEqual(asked / 10);
			expect(problem.name).toContain(`${contacts} contacts`);
			expect(problem.q.length).toBe(3 * contacts);
			expect(problem.mu.length).toBe(contacts);
			expect(rigid.frame.length).toBe(9 * contacts);
			expect(rigid.arm.length).toBe(6 * contacts);
			expect(problem.geometry.point.length).toBe(3 * contacts);
			expect(rigid.inverseInertia.length).toBe(6 * rigid.inverseMass.length);
			expect(problem.q.every(Number.isFinite)).toBe(true);
			expect(new Set(rigid.body.filter((id) => id >= 0)).size).toBe(rigid.inverseMass.length);
		},
	);

	it.each(names)("%s of a number of bodies, exactly; and of a single one", (name) => {
		expect(generate(name, { bodies: 500 }).rigid.inverseMass.length).toBe(500);
		expect(generate(name, { bodies: 1 }).rigid.inverseMass.length).toBe(1);
		expect(generate(name, { contacts: 1 }).contacts).toBeGreaterThan(0);
	});

	const many = process.env.STICKSLIP_THOROUGH === "1" ? 1_000_000 : 150_000;
	it(`very many contacts: ${many}`, () => {
		for (const name of ["spheres", "planks"]) {
			const began = performance.now();
			const { contacts } = generate(name, { contacts: many });
			console.log(`${name}: ${contacts} contacts in ${((performance.now() - began) / 1000).toFixed(1)} s`);
			expect(Math.abs(contacts - many)).toBeLessThanOrEqual(0.1 * many);
		}
	});
});

describe("generate: the same bits", () => {
	// Taken once on Node 20, x64; no function is used whose bits engines may choose.
	it.each([
		["spheres", "8cd4301e0088b6b8"],
		["spheres-heavy", "f91a831a036234d9"],
		["spheres-layers", "fd056b7fd4195446"],
		["planks", "4553789690c68051"],
	])("%s of 300 contacts, seed 7, has its stored hash", (name, stored) => {
		expect(hash(generate(name, { contacts: 300, seed: 7 }))).toBe(stored);
	});

	it.each(names)("%s: other seeds differ, another range of mu leaves the rest alone", (name) => {
		const options = { contacts: 300, seed: 1 };
		const first = generate(name, options);
		expect(hash(generate(name, options))).toBe(hash(first));
		expect(hash(generate(name, { ...options, seed: 2 }))).not.toBe(hash(first));
		const other = generate(name, { ...options, mu: 0.8 });
		expect(other.q).toEqual(first.q);
		expect(other.mu.every((mu) => mu === 0.8)).toBe(true);
		expect(first.mu.every((mu) => mu >= 0.3 && mu < 0.6)).toBe(true);
	});
});

describe("generate: geometry", () => {
	it.each(names)("%s: right-handed orthonormal frames", (name) => {
		const { rigid } = generate(name, { contacts: 1000 });
		const f = rigid.frame;
		let worst = 0;
		for (let o = 0; o < f.length; o += 9) {
			const row = (i: number) => [f[o + 3 * i]!, f[o + 3 * i + 1]!, f[o + 3 * i + 2]!] as const;
			const [n, s, t] = [row(0), row(1), row(2)];
			const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, v, k) => sum + v * b[k]!, 0);
			const cross = [n[1] * s[2] - n[2] * s[1], n[2] * s[0] - n[0] * s[2], n[0] * s[1] - n[1] * s[0]];
			const errors = [dot(n, n) - 1, dot(s, s) - 1, dot(t, t) - 1, dot(n, s), dot(n, t), dot(s, t), dot(cross, t) - 1];
			worst = Math.max(worst, ...errors.map(Math.abs));
		}
		expect(worst).toBeLessThan(1e-14);
	});

	it.each(sphereNames)(
		"%s: N leads from body 0 through the point to body 1, spheres touch and none overlap",
		(name) => {
			const problem = generate(name, { contacts: 1000 });
			const { rigid, contacts } = problem;
			const bodies = rigid.inverseMass.length;
			const radius = new Float64Array(bodies);
			for (let c = 0; c < contacts; c += 1) {
				for (let side = 0; side < 2; side += 1) {
					const id = rigid.body[2 * c + side]!;
					if (id < 0) continue;
					const out = side === 0 ? 1 : -1;
					let along = 0;
					let square = 0;
					for (let k = 0; k < 3; k += 1) {
						const a = rigid.arm[6 * c + 3 * side + k]!;
						along += out * a * rigid.frame[9 * c + k]!;
						square += a * a;
					}
					expect(along).toBeGreaterThan(0);
					expect(Math.abs(along * along - square)).toBeLessThan(1e-5 * square);
					radius[id] = Math.max(radius[id]!, along);
				}
			}
			const x = centres(problem);
			const touching = new Set<number>();
			for (let c = 0; c < contacts; c += 1) touching.add(rigid.body[2 * c]! * bodies + rigid.body[2 * c + 1]!);
			for (let i = 0; i < bodies; i += 1) {
				for (let j = i + 1; j < bodies; j += 1) {
					const [dx, dy, dz] = [x[3 * i]! - x[3 * j]!, x[3 * i + 1]! - x[3 * j + 1]!, x[3 * i + 2]! - x[3 * j + 2]!];
					const gap = Math.sqrt(dx * dx + dy * dy + dz * dz) - radius[i]! - radius[j]!;
					// Radii are read off arms, which share out gaps of up to 1e-4 radii between two bodies.
					if (!(gap > -4e-6)) expect.fail(`bodies ${i} and ${j} overlap by ${-gap}`);
					const isClear = gap < -2e-6 || gap > 4e-6;
					if (isClear && touching.has(i * bodies + j) !== gap < 0) expect.fail(`bodies ${i} and ${j}, ${gap} apart`);
				}
			}
		},
	);

	it("planks: points lie on the faces of both planks", () => {
		const { rigid, contacts } = generate("planks", { contacts: 1000 });
		const half = 0.0078 / 2;
		for (let c = 0; c < contacts; c += 1) {
			for (let side = 0; side < 2; side += 1) {
				if (rigid.body[2 * c + side]! < 0) continue;
				const out = side === 0 ? 1 : -1;
				const at = 6 * c + 3 * side;
				const [ax, ay, az] = [rigid.arm[at]!, rigid.arm[at + 1]!, rigid.arm[at + 2]!];
				expect(out * rigid.frame[9 * c + 2]! * az).toBeCloseTo(half, 12);
				// Within the half diagonal of the longest plank.
				expect(ax * ax + ay * ay).toBeLessThanOrEqual((0.117 * 0.117 + 0.0234 * 0.0234) / 4 + 1e-12);
			}
		}
	});

	it.each(sphereNames)("%s: whatever does not lie on the ground is held by two others or more", (name) => {
		const { rigid } = generate(name, { contacts: 10_000 });
		const held = new Int32Array(rigid.inverseMass.length);
		rigid.body.forEach((id, k) => {
			if (id >= 0) held[id]! += rigid.body[k - (k % 2)]! < 0 ? 2 : 1;
		});
		expect(Math.min(...held)).toBeGreaterThanOrEqual(2);
	});
});

describe("generate: order and density", () => {
	it.each(names)("%s: contacts are in the order of their bodies, body 0 below body 1", (name) => {
		const { rigid, contacts } = generate(name, { contacts: 1000 });
		let last = -1;
		for (let c = 0; c < contacts; c += 1) {
			const [a, b] = [rigid.body[2 * c]!, rigid.body[2 * c + 1]!];
			expect(a).toBeLessThan(b);
			const key = a < 0 ? b * 1e6 : a * 1e6 + b + 1;
			expect(key).toBeGreaterThanOrEqual(last);
			last = key;
		}
	});

	it("spheres: about five contacts each, 8 to 11.3 blocks per row: at most 0.9 kB per contact at 100,000", () => {
		const problem = generate("spheres", { contacts: 100_000 });
		const W = assembleRigid(problem.rigid);
		const blocks = W.column.length / W.rows;
		console.log(
			`spheres: ${contactsPerBody(problem).toFixed(2)} contacts per body, ${blocks.toFixed(2)} blocks per row`,
		);
		expect(contactsPerBody(problem)).toBeGreaterThan(4.5);
		expect(contactsPerBody(problem)).toBeLessThan(6);
		expect(blocks).toBeGreaterThan(8);
		// A block costs 76 bytes, padding 4 %.
		expect(blocks * 76 * 1.04).toBeLessThan(900);
	});

	it("rank of W: fewer degrees of freedom than rows, as in real piles", () => {
		for (const name of names) {
			const { rigid, contacts } = generate(name, { contacts: 10_000 });
			expect(6 * rigid.inverseMass.length).toBeLessThan(3 * contacts);
		}
	});
});

describe("generate: motion", () => {
	it.each(names)("%s: q is the free velocity of body 1 at the point less that of body 0, in the frame", (name) => {
		const { rigid, contacts, q, freeVelocity: v } = generate(name, { contacts: 500 });
		for (let c = 0; c < contacts; c += 1) {
			const u = [0, 0, 0];
			for (const [side, sign] of [
				[0, -1],
				[1, 1],
			] as const) {
				const id = rigid.body[2 * c + side]!;
				if (id < 0) continue;
				const reader = (from: Float64Array, offset: number) => (k: number) => from[offset + k]!;
				const velocity = reader(v, 6 * id);
				const arm = reader(rigid.arm, 6 * c + 3 * side);
				// v + w x arm, component by component: (k + 1, k + 2) turn cyclically.
				const at = [0, 1, 2].map((k) => {
					const [l, m] = [(k + 1) % 3, (k + 2) % 3];
					return velocity(k) + velocity(3 + l) * arm(m) - velocity(3 + m) * arm(l);
				});
				for (let i = 0; i < 3; i += 1) {
					for (let k = 0; k < 3; k += 1) u[i]! += sign * rigid.frame[9 * c + 3 * i + k]! * at[k]!;
				}
			}
			for (let i = 0; i < 3; i += 1) expect(Math.abs(u[i]! - q[3 * c + i]!)).toBeLessThan(1e-14);
		}
	});

	it("without speed it is gravity over the step: free fall closes only the contacts with the ground", () => {
		const { rigid, contacts, q } = generate("spheres", { contacts: 500, speed: 0, step: 0.01 });
		for (let c = 0; c < contacts; c += 1) {
			const ground = rigid.body[2 * c]! < 0;
			expect(q[3 * c]).toBeCloseTo(ground ? -0.0981 : 0, 14);
		}
	});

	it("a load weighs on the bodies that carry none, as multiples of their weight", () => {
		const still = { contacts: 500, speed: 0, step: 0.01 };
		const { freeVelocity } = generate("planks", { ...still, load: 3 });
		const fall = new Set(Array.from(freeVelocity).filter((_, k) => k % 6 === 2));
		expect([...fall].sort((a, b) => a - b).map((v) => Number(v.toFixed(6)))).toEqual([-0.3924, -0.0981]);
	});

	// A motion with U strictly inside the dual cone at every contact: then a solution exists (V. Acary, F. Cadoux,
	// C. Lemarechal and J. Malick, ZAMM 91, 2011).
	it.each(names)("%s: some motion opens all contacts, steeper than friction up to mu = 1", (name) => {
		const problem = generate(name, { contacts: 2000 });
		const x = centres(problem);
		// Velocities grow from a point far below (spheres), or with height alone (planks).
		const depth = 100;
		const velocity = new Float64Array(2 * x.length);
		for (let i = 0; i < x.length / 3; i += 1) {
			const planks = name === "planks";
			velocity.set([planks ? 0 : x[3 * i]!, planks ? 0 : x[3 * i + 1]!, x[3 * i + 2]! + (planks ? 0 : depth)], 6 * i);
		}
		const u = relativeVelocity(problem.rigid, velocity);
		for (let c = 0; c < u.length; c += 3) {
			const slip = Math.sqrt(u[c + 1]! * u[c + 1]! + u[c + 2]! * u[c + 2]!);
			expect(u[c]! - slip).toBeGreaterThan(1e-3);
		}
	});

	it("spheres-heavy: a quarter of the bodies are eight times as dense", () => {
		const options = { contacts: 10_000 };
		const plain = generate("spheres", options).rigid.inverseMass;
		const heavy = generate("spheres-heavy", options).rigid.inverseMass;
		const ratios = Array.from(plain, (inverse, i) => Math.round(inverse / heavy[i]!));
		expect(new Set(ratios)).toEqual(new Set([1, 8]));
		const share = ratios.filter((ratio) => ratio === 8).length / ratios.length;
		expect(Math.abs(share - 0.25)).toBeLessThan(0.04);
	});
});
