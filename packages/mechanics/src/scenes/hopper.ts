/** A silo with a round opening: grains settle on a plug, then flow out, by Beverloo's law with the power 5/2 of the opening less some grains. */

import { InputError } from "@stickslip/core";
import { cosine, sine } from "../base/elementary.js";
import type { MotionPiece } from "../bodies/motion.js";
import type { Polyhedron, Union, Vector } from "../shapes/shape.js";
import type { SceneDescription } from "./description.js";
import { sceneEntry } from "./entry.js";
import { grainSpacing, makeGrains } from "./grains.js";
import { countOption, frictionOption, numberOption, positiveOption, restitutionOption, seedOption } from "./options.js";
import { GRAVITY, obstacle, prism, turnOf, VIEW } from "./parts.js";

/** Flat pieces about the axis. */
const PIECES = 24;
const options = {
	bodies: countOption(2000, "grains"),
	grain: positiveOption(0.01, "diameter of a grain, m"),
	spread: numberOption(0, 0, 0.9, "diameters are uniform within this share of the mean"),
	opening: positiveOption(6, "diameter of the opening, in grains"),
	width: positiveOption(18, "inner diameter of the silo, in grains; wider than the opening"),
	slope: numberOption(0, 0, 75, "of the bottom, degrees"),
	density: positiveOption(2500, "kg/m3"),
	open: numberOption(0.3, 0, 1e6, "when the plug is taken away, s"),
	friction: frictionOption,
	restitution: restitutionOption,
	step: positiveOption(1e-3, "of time, s"),
	until: positiveOption(2, "end of the simulation, s"),
	seed: seedOption,
};

export const hopper = sceneEntry({
	name: "hopper",
	what: "a silo with a round opening, from which grains flow (Beverloo)",
	options,
	build(values, random) {
		const { bodies: count, grain, open } = values;
		const silo: Silo = {
			opening: (values.opening * grain) / 2,
			radius: (values.width * grain) / 2,
			angle: (values.slope * Math.PI) / 180,
			thickness: 2 * grain,
		};
		if (silo.radius <= silo.opening) {
			throw new InputError("scene hopper", "width", "the silo is no wider than its opening", "give more");
		}
		const sizes = { radius: grain / 2, spread: values.spread };
		const places = placesInSilo(count, grainSpacing(sizes), silo);
		const grains = makeGrains(places, sizes, random(values.seed));
		const top = places.at(-1)![2] + 2 * grain;
		const depth = 10 * values.until * values.until + 10 * top;
		return {
			version: 1,
			name: "hopper",
			gravity: GRAVITY,
			step: values.step,
			until: values.until,
			scheme: { name: "velocity-impulse" },
			solver: {},
			materials: { sphere: { density: values.density }, silo: { density: values.density } },
			contact: { friction: values.friction, restitution: values.restitution },
			shapes: { ...grains.shapes, silo: siloShape(silo, top), plug: plugShape(silo) },
			// When it has gone far, a picture that shows it shows little else.
			obstacles: [
				obstacle("silo", "silo"),
				{ ...obstacle("plug", "silo"), motion: plugMotion(silo, open), isHidden: true },
			],
			bodies: grains.bodies,
			events: [],
			bounds: { lower: [-depth, -depth, -depth], upper: [depth, depth, depth] },
			view: VIEW,
		} satisfies SceneDescription;
	},
});

/** Radii of the opening and of the wall, the angle of the bottom and the thickness of all. */
interface Silo {
	readonly opening: number;
	readonly radius: number;
	readonly angle: number;
	readonly thickness: number;
}

/** Corner k of the regular polygon with as much area as the circle. */
function corner(k: number, radius: number): [number, number] {
	const { sine: share } = turnOf(1, PIECES);
	const reach = radius * Math.sqrt((2 * Math.PI) / (PIECES * share));
	const { cosine: x, sine: y } = turnOf(k % PIECES, PIECES);
	return [reach * x, reach * y];
}

/** How high the bottom is where it meets the wall. */
function rim({ opening, radius, angle }: Silo): number {
	return ((radius - opening) * sine(angle)) / cosine(angle);
}

/** A bottom of flat pieces with the opening at z = 0, and a wall. */
function siloShape(silo: Silo, top: number): Union {
	const { opening, radius, thickness } = silo;
	const height = rim(silo);
	const pieces: { shape: Polyhedron }[] = [];
	for (let k = 0; k < PIECES; k += 1) {
		const inner = [corner(k, opening), corner(k + 1, opening)];
		const outer = [corner(k, radius), corner(k + 1, radius)];
		const beyond = [corner(k, radius + thickness), corner(k + 1, radius + thickness)];
		const vertices = [
			...inner.flatMap(([x, y]): Vector[] => [
				[x, y, 0],
				[x, y, -thickness],
			]),
			...outer.flatMap(([x, y]): Vector[] => [
				[x, y, height],
				[x, y, height - thickness],
			]),
		];
		pieces.push({ shape: { kind: "polyhedron", vertices } });
		pieces.push({ shape: prism([...outer, ...beyond], height - thickness, top) });
	}
	return { kind: "union", pieces };
}

/** Fills the opening. */
function plugShape({ opening, thickness }: Silo): Polyhedron {
	return prism(
		Array.from({ length: PIECES }, (_, k) => corner(k, opening)),
		-thickness,
		0,
	);
}

/**
 * Down faster than grains fall, then out of their way, then at rest. In units of the opening's radius a and of T = sqrt(a / g), grains have fallen t^2 / 2:
 * they reach the plug's depth of 3 at t = 2.4, when it has gone 5.8 sideways.
 */
function plugMotion({ opening }: Silo, open: number): MotionPiece[] {
	const unit = Math.sqrt(opening / -GRAVITY[2]);
	const speed = opening / unit;
	return [
		{ from: open, velocity: [0, 0, -3 * speed] },
		{ from: open + unit, velocity: [4 * speed, 0, 0] },
		{ from: open + 10 * unit },
	];
}

/** By layers from below, on a square grid: those that are far enough from bottom and wall. */
function placesInSilo(count: number, spacing: number, silo: Silo): Vector[] {
	const room = silo.radius * Math.sqrt(1 - 5 / (PIECES * PIECES)) - spacing / 2;
	const across = Math.floor(room / spacing);
	const places: Vector[] = [];
	for (let layer = 0; places.length < count; layer += 1) {
		const z = (layer + 0.5) * spacing;
		for (let j = -across; j <= across; j += 1) {
			for (let i = -across; i <= across; i += 1) {
				const [x, y] = [i * spacing, j * spacing];
				const from = Math.sqrt(x * x + y * y);
				if (from <= room && isAboveBottom(from, z, spacing / 2, silo) && places.length < count) places.push([x, y, z]);
			}
		}
	}
	return places;
}

/** Whether a ball at that distance from the axis clears the cone of the bottom, which the flat pieces are not above. */
function isAboveBottom(from: number, z: number, reach: number, { opening, angle }: Silo): boolean {
	return (z - reach) * cosine(angle) >= (from + reach - opening) * sine(angle) || angle === 0;
}
