/** Invented bodies, a contact and shapes for tests of run files, without mechanics. */
import { type Bodies, type CompiledShape, type Contacts, compileShape, type Model } from "@stickslip/mechanics";

const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1];

function ballOf(a: number, b: number, c: number): CompiledShape {
	const ball = Float64Array.of(a, 0, 0, 0, b, 0, 0, 0, c);
	const origin = new Float64Array(3);
	const reach = Math.max(a, b, c);
	return {
		description: { kind: "ellipsoid", radii: [a, b, c] },
		pieces: [{ kind: "ellipsoid", vertices: origin, ball, middle: origin, reach }],
		reach,
	};
}

function plane(): CompiledShape {
	const normal = Float64Array.of(0, 0, 1);
	const origin = new Float64Array(3);
	return {
		description: { kind: "plane", normal: [0, 0, 1], offset: 0 },
		pieces: [
			{ kind: "plane", vertices: new Float64Array(0), plane: { normal, offset: 0 }, middle: origin, reach: Infinity },
		],
		reach: Infinity,
	};
}

export function madeUpModel(): Model {
	const material = { name: "stone", density: 2500 };
	return {
		shapes: [plane(), ballOf(1, 1, 1), ballOf(0.5, 1, 1.5), compileShape({ kind: "box", size: [2, 2, 2] })],
		materials: [material],
		laws: [{ friction: 0.5, restitution: 0 }],
		gravity: Float64Array.of(0, 0, -9.81),
	};
}

/** A plane, and bodies beside one another that rise by 1 per step: ids from `first` on. */
export function madeUpBodies(first: number, own: number, total: number, step: number): Bodies {
	const count = own + 1;
	const ids = Int32Array.from({ length: count }, (_, place) => (place === 0 ? 0 : first + place - 1));
	const each = (width: number, value: (place: number, column: number) => number) =>
		Float64Array.from({ length: width * count }, (_, at) => value(Math.floor(at / width), at % width));
	const isBody = (place: number) => (place > 0 ? 1 : 0);
	const made = {
		...{ obstacles: 1, own, count, total, id: ids },
		kind: Uint8Array.from(ids, (_, place) => isBody(place)),
		shape: Int32Array.from(ids, (id, place) => (place === 0 ? 0 : 1 + (id % 3))),
		material: new Int32Array(count),
		isHeld: new Uint8Array(count),
		position: each(3, (place, axis) => isBody(place) * [4 * ids[place]!, 0, 2 + step][axis]!),
		orientation: each(4, (_, column) => (column === 0 ? 1 : 0)),
		map: each(9, (_, column) => IDENTITY[column]!),
		velocity: each(3, (place, axis) => (axis === 2 ? isBody(place) : 0)),
		spin: new Float64Array(3 * count),
		rate: new Float64Array(0),
		mass: each(1, isBody),
		moments: new Float64Array(6 * count),
	};
	return made as unknown as Bodies;
}

/** Of the plane with the first body: impulse (2, 1, 0) in a frame whose normal is z and whose first tangent is x, and a moment behind it. */
export function madeUpContacts(rolling = 1): { contacts: Contacts; impulses: Float64Array } {
	const count = 2 * rolling;
	const rows = <Row>(row: Row[]): Row[] => Array.from({ length: count }, () => row).flat();
	return {
		contacts: {
			count,
			body: Int32Array.from(rows([0, 1])),
			feature: Int32Array.from({ length: count }, (_, at) => at >> 1),
			point: Float64Array.from(rows([4, 0, 0])),
			frame: Float64Array.from(rows([0, 0, 1, 1, 0, 0, 0, 1, 0])),
			arm: new Float64Array(6 * count),
			gap: new Float64Array(count).fill(-1e-3),
			friction: new Float64Array(count).fill(0.5),
			restitution: new Float64Array(count),
			isMoment: Uint8Array.from({ length: count }, (_, at) => at & 1),
		} as unknown as Contacts,
		impulses: Float64Array.from({ length: 3 * count }, (_, k) => [2, 1, 0, 0.5, 0, 0.25][k % 6]!),
	};
}
