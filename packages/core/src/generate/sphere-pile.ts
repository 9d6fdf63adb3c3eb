/**
 * Spheres dropped one by one over a square of open ground, each rolling to a place where others hold it. Three supports
 * per sphere, fewer at the foot of the pile and in shallow grooves: about 5.5 contacts at each, as in real loose packings.
 * Without walls every pile can fly apart (velocities growing from a point below it open all contacts at once), so that
 * a solution exists whatever mu.
 */
import type { Random } from "../base/random.js";
import { RollingSphere } from "./drop-and-roll.js";
import type { Pile, Size } from "./pile.js";
import { cubeRoot } from "./roots.js";
import { SphereBed } from "./sphere-bed.js";

export interface SphereRecipe {
	/** Radii are uniform from (1 - spread) to (1 + spread) times this, in metres. */
	readonly radius: number;
	readonly spread: number;
	/** kg / m^3. */
	readonly density: number;
	/** Every so many-th sphere on average is `heavy` times as dense. */
	readonly heavy: number;
	readonly heavyShare: number;
	/** How many mean diameters deep the spheres lie; 0: a heap about half as high as wide. */
	readonly layers: number;
}

/** Solid share of the volume, contacts per sphere: what such piles come to, enough to plan the ground. */
const packing = 0.55;
const contactsPerSphere = 2.7;
/** Spheres touch when the gap is below this part of the mean radius. */
const touching = 1e-4;
/** Grooves with a smaller slope hold by friction. */
const stopSlope = 0.1;

export function spherePile(size: Size, recipe: SphereRecipe, random: Random): Pile {
	const planned = Math.ceil(Math.min(size.bodies, size.contacts / contactsPerSphere));
	const capacity = Math.min(size.bodies, size.contacts);
	const { side, depth } = ground(planned, recipe);
	const radiusMax = recipe.radius * (1 + recipe.spread);
	// Room for the foot of the pile and for towers; what rolls farther, or would lie higher, is left out.
	const bed = new SphereBed(capacity, radiusMax, side / 2 + depth + 20 * radiusMax, 2 * depth + 40 * radiusMax);
	const rolling = new RollingSphere(bed, stopSlope);
	const contacts = new ContactList();
	const dropsMax = 4 * capacity + 100;
	for (let drop = 0; drop < dropsMax && bed.count < size.bodies && contacts.count < size.contacts; drop += 1) {
		const radius = recipe.radius * random.between(1 - recipe.spread, 1 + recipe.spread);
		rolling.settle(side * (random.uniform() - 0.5), side * (random.uniform() - 0.5), radius);
		if (!bed.holds(rolling.x, rolling.y, rolling.z)) continue;
		recordTouching(bed, contacts, rolling, radius, touching * recipe.radius);
		bed.add(rolling.x, rolling.y, rolling.z, radius);
	}
	return toPile(bed, contacts, recipe, random);
}

/** The square that spheres are dropped over, and how deep they will lie on it, roughly. */
function ground(bodies: number, { radius, layers }: SphereRecipe): { side: number; depth: number } {
	const volume = (bodies * 4.18879 * radius * radius * radius) / packing;
	const side = layers > 0 ? Math.sqrt(volume / (2 * radius * layers)) : cubeRoot(2 * volume);
	return { side, depth: volume / (side * side) };
}

/** Pairs of bodies, as many as come. */
class ContactList {
	count = 0;
	pair = new Int32Array(2048);

	add(first: number, second: number): void {
		if (2 * this.count === this.pair.length) {
			const longer = new Int32Array(2 * this.pair.length);
			longer.set(this.pair);
			this.pair = longer;
		}
		this.pair[2 * this.count] = first;
		this.pair[2 * this.count + 1] = second;
		this.count += 1;
	}
}

/** Contacts of the sphere about to be added with those that lie already, and with the ground. */
function recordTouching(bed: SphereBed, contacts: ContactList, at: RollingSphere, radius: number, gap: number): void {
	const { x, y, z } = at;
	const reach = radius + bed.radiusMax + gap;
	const id = bed.count;
	if (z - radius < gap) contacts.add(id, -1);
	const count = bed.near(x - reach, x + reach, y - reach, y + reach, z - reach, z + reach);
	for (let f = 0; f < count; f += 1) {
		const k = bed.found[f]!;
		const dx = x - bed.x(k);
		const dy = y - bed.y(k);
		const dz = z - bed.z(k);
		const sum = radius + bed.radius(k) + gap;
		if (dx * dx + dy * dy + dz * dz < sum * sum) contacts.add(id, k);
	}
}

function toPile(bed: SphereBed, list: ContactList, recipe: SphereRecipe, random: Random): Pile {
	const bodies = bed.count;
	const contacts = list.count;
	const centre = new Float64Array(3 * bodies);
	const mass = new Float64Array(bodies);
	const inverseInertia = new Float64Array(6 * bodies);
	for (let i = 0; i < bodies; i += 1) {
		const r = bed.radius(i);
		centre.set([bed.x(i), bed.y(i), bed.z(i)], 3 * i);
		const factor = random.uniform() < recipe.heavyShare ? recipe.heavy : 1;
		// 4 pi / 3 and 2 m r^2 / 5.
		mass[i] = 4.1887902047863905 * r * r * r * recipe.density * factor;
		inverseInertia.fill(2.5 / (mass[i]! * r * r), 6 * i, 6 * i + 3);
	}
	const normal = new Float64Array(3 * contacts);
	const point = new Float64Array(3 * contacts);
	for (let c = 0; c < contacts; c += 1) {
		const i = list.pair[2 * c]!;
		const j = list.pair[2 * c + 1]!;
		const r = bed.radius(i);
		let [nx, ny, nz] = [0, 0, 1];
		if (j >= 0) {
			const dx = bed.x(i) - bed.x(j);
			const dy = bed.y(i) - bed.y(j);
			const dz = bed.z(i) - bed.z(j);
			const distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
			[nx, ny, nz] = [dx / distance, dy / distance, dz / distance];
		}
		normal.set([nx, ny, nz], 3 * c);
		point.set([bed.x(i) - r * nx, bed.y(i) - r * ny, bed.z(i) - r * nz], 3 * c);
	}
	return { bodies, contacts, centre, mass, inverseInertia, pair: list.pair.slice(0, 2 * contacts), normal, point };
}
