/** Seeded pairs of pieces of all shapes and in all situations: apart, touching, nested, with one centre, aligned, deformed, one piece twice, of sizes 1:1000. */
import { Random } from "@stickslip/core";
import {
	type Convex,
	compileShape,
	makeManifold,
	type PlacedPiece,
	type Shape,
	touch,
	type Vector,
} from "@stickslip/mechanics";

export const SITUATIONS = [
	"near",
	"touching",
	"overlapping",
	"nested",
	"concentric",
	"parallel",
	"on a grid",
	"twice",
] as const;
export type Situation = (typeof SITUATIONS)[number];

export interface Pair {
	readonly first: PlacedPiece;
	readonly second: PlacedPiece;
	readonly situation: Situation;
	/** The sum of both reaches; what is infinite left out. */
	readonly scale: number;
}

const COPIES = 24;
const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1];

/** Shapes of every kind, each at several sizes. */
export function randomShapes(seed: number): Convex[] {
	const random = new Random(seed, 1);
	const shapes: Convex[] = [];
	for (let copy = 0; copy < COPIES; copy += 1) {
		const size = 10 ** -random.between(0, 3);
		for (const shape of shapesOf(size, random)) shapes.push(compileShape(shape).pieces[0]!);
	}
	return shapes;
}

function shapesOf(size: number, random: Random): Shape[] {
	const radius = size * random.between(0.2, 1);
	const sides = (): Vector => [1, 2, 3].map(() => size * random.between(0.2, 1)) as unknown as Vector;
	const normal: Vector = [random.between(-1, 1), random.between(-1, 1), random.between(0.1, 1)];
	return [
		{ kind: "sphere", radius },
		{ kind: "ellipsoid", radii: sides() },
		{ kind: "ellipsoid", radii: [size, size / 2, size / 2] },
		{ kind: "ellipsoid", radii: [size, size / 1000, size / 1000] },
		{ kind: "ellipsoid", radii: [size, size / 1000, size] },
		{ kind: "capsule", radius, length: size * random.between(0.1, 3) },
		{ kind: "capsule", radius: size / 1000, length: size },
		{ kind: "box", size: [size, size, size] },
		{ kind: "box", size: sides() },
		{ kind: "box", size: [size, size, size / 1000] },
		{ kind: "box", size: [size, size / 1000, size / 1000] },
		{ kind: "polyhedron", vertices: corners(random, 4 + random.below(3), sides()) },
		{ kind: "polyhedron", vertices: corners(random, 8 + random.below(12), sides()) },
		{ kind: "polyhedron", vertices: corners(random, 7, sides(), 10 ** -random.between(2, 4)) },
		{ kind: "plane", normal, offset: size * random.between(-1, 1) },
	];
}

/** Points on an ellipsoid, so that each is a corner; the last one as near to the first as is said. */
function corners(random: Random, count: number, radii: Vector, nearness = 1): Vector[] {
	const directions = Array.from({ length: count }, () => randomDirection(random));
	if (nearness < 1) {
		const near = directions[0]!.map((c, k) => c + nearness * directions.at(-1)![k]!);
		const length = Math.sqrt(near.reduce((sum, c) => sum + c * c, 0));
		directions[count - 1] = near.map((c) => c / length) as [number, number, number];
	}
	return directions.map((direction) => direction.map((c, k) => c * radii[k]!) as unknown as Vector);
}

export function randomDirection(random: Random): [number, number, number] {
	for (;;) {
		const v = [random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)] as [number, number, number];
		const length = Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
		if (length <= 1 && length > 0.1) return v.map((c) => c / length) as [number, number, number];
	}
}

export function randomRotation(random: Random): Float64Array {
	const [x, y, z] = randomDirection(random);
	const angle = random.between(0, 2 * Math.PI);
	const c = Math.cos(angle);
	const s = Math.sin(angle);
	const d = 1 - c;
	return Float64Array.of(
		...[c + d * x * x, d * x * y - s * z, d * x * z + s * y],
		...[d * x * y + s * z, c + d * y * y, d * y * z - s * x],
		...[d * x * z - s * y, d * y * z + s * x, c + d * z * z],
	);
}

/** a b, of nine numbers by rows. */
export function product(a: Float64Array, b: Float64Array): Float64Array {
	return Float64Array.from({ length: 9 }, (_, k) => {
		const row = k - (k % 3);
		const column = k % 3;
		return a[row]! * b[column]! + a[row + 1]! * b[column + 3]! + a[row + 2]! * b[column + 6]!;
	});
}

/** The same pair of the same seed and number, however many there are. */
export function randomPair(shapes: readonly Convex[], seed: number, number: number): Pair {
	const random = new Random(seed, 2 + number);
	const situation = SITUATIONS[random.below(SITUATIONS.length)]!;
	const first = randomPiece(shapes, random);
	let second = situation === "twice" ? copyOf(first) : randomPiece(shapes, random);
	while (first.convex.kind === "plane" && second.convex.kind === "plane") second = randomPiece(shapes, random);
	const reach = (piece: PlacedPiece) => (Number.isFinite(piece.convex.reach) ? piece.convex.reach : 0);
	const scale = reach(first) + reach(second);
	const isOnGrid = situation === "on a grid" && isSolid(first) && isSolid(second);
	if (isOnGrid) for (const piece of [first, second]) piece.map.set(IDENTITY);
	else if (situation === "parallel" && second.isRigid && isSolid(second)) {
		second.map.set(first.isRigid ? first.map : IDENTITY);
	}
	const distance = distanceIn(situation, random);
	for (let c = 0; c < 3; c += 1) {
		const jump = isOnGrid ? random.below(3) - 1 : random.between(-1, 1);
		second.centre[c] = distance * scale * jump;
	}
	const pair = { first, second, situation, scale };
	if (situation === "touching") approach(pair, 0);
	if (situation === "overlapping") approach(pair, -scale * 10 ** -random.between(3, 8));
	return pair;
}

/** Of the centres, in parts of the scale: the largest along each axis. */
function distanceIn(situation: Situation, random: Random): number {
	if (situation === "concentric") return 0;
	if (situation === "nested") return 0.3;
	if (situation === "twice") return random.below(2) === 0 ? 0 : 10 ** -random.between(0, 9);
	return 1.2;
}

function copyOf({ convex, centre, map, isRigid }: PlacedPiece): PlacedPiece {
	return { convex, centre: centre.slice(), map: map.slice(), isRigid };
}

function isSolid(piece: PlacedPiece): boolean {
	return piece.convex.kind !== "plane";
}

function randomPiece(shapes: readonly Convex[], random: Random): PlacedPiece {
	const convex = shapes[random.below(shapes.length)]!;
	const map = randomRotation(random);
	const isRigid = convex.kind === "plane" || random.uniform() < 0.75;
	if (!isRigid) map.set(product(map, stretch(random)));
	return { convex, centre: new Float64Array(3), map, isRigid };
}

/** Close enough to the identity for its determinant to be positive. */
function stretch(random: Random): Float64Array {
	return Float64Array.from(IDENTITY, (k) => k + random.between(-0.25, 0.25));
}

const manifold = makeManifold();

/** Moves the second piece along the normal until the gap is the one wanted. */
function approach(pair: Pair, gap: number): void {
	for (let pass = 0; pass < 2; pass += 1) {
		touch(pair.first, pair.second, 10 * pair.scale, manifold);
		let closest = 0;
		for (let k = 1; k < manifold.count; k += 1) if (manifold.gap[k]! < manifold.gap[closest]!) closest = k;
		if (manifold.count === 0 || Math.abs(manifold.gap[closest]!) > pair.scale) return;
		const shift = gap - manifold.gap[closest]!;
		for (let c = 0; c < 3; c += 1) {
			pair.second.centre[c] = pair.second.centre[c]! + shift * manifold.normal[3 * closest + c]!;
		}
	}
}
