/** Contacts of spheres, for which the answer is known: order, keys, geometry, whose business they are. */
import { expect, test } from "vitest";
import { KIND } from "../bodies/bodies.js";
import {
	bodiesOf,
	modelOf,
	planeShape,
	randomSpheres,
	type SphereState,
	sphereShape,
	spheresOf,
} from "../testing/bodies.js";
import { ContactList } from "./contact-list.js";
import { ContactDetector } from "./detect.js";

interface Found {
	readonly bodies: readonly [number, number];
	readonly gap: number;
	readonly normal: readonly number[];
	readonly arms: readonly number[];
}

function detect(states: readonly SphereState[], margin = 0): { contacts: ContactList; found: Found[] } {
	const { model, bodies } = spheresOf(states);
	const contacts = new ContactList();
	new ContactDetector(model).detect(bodies, margin, contacts);
	return { contacts, found: listOf(contacts) };
}

function listOf({ count, body, gap, frame, arm }: ContactList): Found[] {
	return Array.from({ length: count }, (_, a) => ({
		bodies: [body[2 * a]!, body[2 * a + 1]!],
		gap: gap[a]!,
		normal: [...frame.subarray(9 * a, 9 * a + 3)],
		arms: [...arm.subarray(6 * a, 6 * a + 6)],
	}));
}

/** Coordinates become multiples of 2^-20. */
function exact(states: readonly SphereState[]): SphereState[] {
	return states.map((state) => ({ ...state, position: state.position.map((x) => Math.round(x * 2 ** 20) / 2 ** 20) }));
}

test.each([1, 30, 1000])("spheres of radii 1 : %d: all pairs that touch, in canonical order", (ratio) => {
	for (const margin of [0, 0.05]) {
		const states = randomSpheres(ratio, 300, [2.5, 2.5, 2], ratio, [1e4, -1e4, 0]);
		const { found } = detect(states, margin);
		const wanted: [number, number][] = [];
		for (let i = 0; i < states.length; i += 1) {
			for (let j = i + 1; j < states.length; j += 1) {
				const [a, b] = [states[i]!, states[j]!];
				const [x, y, z] = a.position.map((value, d) => b.position[d]! - value) as [number, number, number];
				if (Math.sqrt(x * x + y * y + z * z) - (a.radius + b.radius) <= margin) wanted.push([i, j]);
			}
		}
		expect(found.map(({ bodies }) => bodies)).toEqual(wanted);
		expect(wanted.length).toBeGreaterThan(20);
	}
});

test("moving all by what is exact in binary changes no bit but of the points", () => {
	const states = exact(randomSpheres(5, 200, [2, 2, 2], 10));
	const moved = states.map((state) => ({ ...state, position: state.position.map((x) => x + 2 ** 16 + 0.25) }));
	const [here, there] = [detect(states).found, detect(moved).found];
	expect(here.length).toBeGreaterThan(100);
	expect(there).toEqual(here);
});

test("renumbering changes names, and the sides of contacts", () => {
	const states = randomSpheres(6, 150, [2, 2, 2], 10);
	const back = states.map((_, i) => (i * 37) % states.length);
	const renumbered = back.map((i) => states[i]!);
	const names = detect(renumbered).found.map(({ bodies: [i, j], gap, normal, arms }) => {
		const [a, b] = [back[i]!, back[j]!];
		if (a < b) return { bodies: [a, b], gap, normal, arms };
		return { bodies: [b, a], gap, normal: normal.map((x) => -x), arms };
	});
	const key = ({ bodies: [a, b] }: { readonly bodies: readonly number[] }) => a! * states.length + b!;
	names.sort((one, other) => key(one) - key(other));
	const { found } = detect(states);
	expect(names.map(({ bodies, gap, normal }) => ({ bodies, gap, normal }))).toEqual(
		found.map(({ bodies, gap, normal }) => ({ bodies, gap, normal })),
	);
});

test("obstacles and held bodies do not touch each other, a body touches both", () => {
	const at = (x: number, more: Partial<SphereState> = {}): SphereState => ({
		radius: 0.6,
		position: [x, 0, 0],
		...more,
	});
	const fixed = { kind: KIND.obstacle };
	const states = [at(0, fixed), at(1, fixed), at(2, { isHeld: true }), at(3, { isHeld: true }), at(4), at(5), at(1.5)];
	const { found } = detect(states);
	expect(found.map(({ bodies }) => bodies)).toEqual(
		[
			[1, 6],
			[2, 6],
			[3, 4],
			[4, 5],
		].sort(([a, b], [c, d]) => a! - c! || b! - d!),
	);
});

test("planes meet what reaches below them", () => {
	const states: SphereState[] = [
		{ radius: 1, position: [0, 0, 0], kind: KIND.obstacle },
		{ radius: 1, position: [5, 5, 1.9] },
		{ radius: 1, position: [-5, 3, 2.2] },
		{ radius: 1, position: [0, 0, -30] },
	];
	const bodies = bodiesOf(states);
	const model = modelOf([planeShape([0, 0, 1], 1), sphereShape(1), sphereShape(1), sphereShape(1)]);
	const contacts = new ContactList();
	new ContactDetector(model).detect(bodies, 0, contacts);
	const [low, deep] = listOf(contacts);
	expect(contacts.count).toBe(2);
	// The normal points from the plane, the body of smaller id, to the sphere.
	expect(low).toMatchObject({ bodies: [0, 1], normal: [0, 0, 1] });
	expect(low!.gap).toBeCloseTo(-0.1, 12);
	expect(deep).toMatchObject({ bodies: [0, 3], normal: [0, 0, 1] });
	expect(deep!.gap).toBeCloseTo(-32, 12);
});

test("on ranks own bodies, and all that own contacts touch, have the contacts, in the order and to the bit, of all bodies together", () => {
	const states = randomSpheres(9, 120, [6, 6, 3], 5);
	const { model, bodies } = spheresOf(states);
	const contacts = new ContactList();
	new ContactDetector(model).detect(bodies, 0, contacts);
	const all = listOf(contacts);
	let leftOut = 0;
	for (let rank = 0; rank < 3; rank += 1) {
		const own = states.flatMap((_, i) => (i % 3 === rank ? [i] : []));
		const ghosts = states.flatMap((_, i) => (i % 3 === rank ? [] : [i]));
		const order = [...own, ...ghosts];
		const here = {
			...bodiesOf(order.map((i) => states[i]!)),
			own: own.length,
			id: Int32Array.from(order),
			shape: Int32Array.from(order),
		};
		const found = new ContactList();
		new ContactDetector(model).detect(here, 0, found);
		const named = listOf(found).map((each) => ({ ...each, bodies: each.bodies.map((place) => order[place]!) }));
		// A contact is that of its body of smaller id; whoever solves it has to know what else touches its bodies.
		const known = new Set([...own, ...all.flatMap(({ bodies }) => (bodies[0] % 3 === rank ? bodies : []))]);
		const wanted = all.filter(({ bodies: [first, second] }) => known.has(first) || known.has(second));
		const names = new Set(named.map(({ bodies: pair }) => String(pair)));
		expect(named).toEqual(all.filter(({ bodies: pair }) => names.has(String(pair))));
		for (const { bodies: pair } of wanted) expect(names).toContain(String(pair));
		leftOut += all.length - named.length;
	}
	expect(leftOut).toBeGreaterThan(5);
});

test("frames are orthonormal, and follow from the normal", () => {
	const { contacts } = detect(randomSpheres(10, 200, [2, 2, 2], 10));
	let worst = 0;
	for (let a = 0; a < contacts.count; a += 1) {
		const axes = [0, 3, 6].map((k) => contacts.frame.subarray(9 * a + k, 9 * a + k + 3));
		for (const [i, one] of axes.entries()) {
			for (const [k, other] of axes.entries()) {
				const product = one[0]! * other[0]! + one[1]! * other[1]! + one[2]! * other[2]!;
				worst = Math.max(worst, Math.abs(product - Number(i === k)));
			}
		}
	}
	expect(worst).toBeLessThan(1e-15);
});

test("a union touches with each of its pieces, and each contact keeps its name while it moves a little", () => {
	const at = [0, 2, 4, 6];
	const piece = (x: number) => {
		const middle = Float64Array.of(x, 0, 0);
		return { ...sphereShape(1).pieces[0]!, vertices: middle, middle };
	};
	const row = { ...sphereShape(7), pieces: at.map((x) => piece(x)) };
	const states: SphereState[] = [
		{ radius: 7, position: [0, 0, 0] },
		{ radius: 7, position: [1, 0, 1.7] },
	];
	const bodies = bodiesOf(states);
	const model = modelOf([row, row]);
	const contacts = new ContactList();
	const detector = new ContactDetector(model);
	const featuresAt = (x: number) => {
		bodies.position[3] = x;
		detector.detect(bodies, 0, contacts);
		return [...contacts.feature.subarray(0, contacts.count)];
	};
	const features = featuresAt(1);
	// Each sphere of one row lies between two of the other, but for those at the ends.
	expect(features).toHaveLength(7);
	expect(new Set(features).size).toBe(7);
	expect(features).toEqual([...features].sort((one, other) => one - other));
	expect(featuresAt(1.01)).toEqual(features);
	// One row further on, no sphere of one still touches what it has touched, but for those that lean to that side.
	expect(featuresAt(3).filter((feature) => features.includes(feature)).length).toBeLessThan(5);
});
