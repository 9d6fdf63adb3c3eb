/** The schema of scene files, with what each field means: checks files, and is exported as JSON Schema. */
import { z } from "zod";
import { PAIR_LAWS } from "../bodies/contact-parameters.js";
import type { MotionPiece } from "../bodies/motion.js";
import { HULL_POINTS_MAX } from "../shapes/hull.js";
import type { ConvexShape, Shape } from "../shapes/shape.js";
import { RESTITUTION_LAWS, SCHEME_NAMES, type SchemeOptions } from "../time/scheme.js";
import type { SceneBody, SceneDescription, SceneLaw, SceneSolver } from "./description.js";

const { exactOptional: maybe } = z;
const number = z.number();
const positive = number.positive();
const notNegative = number.nonnegative();
const vector = z.tuple([number, number, number], "expected three numbers, [x, y, z]");
const lengths = z.tuple([positive, positive, positive], "expected three positive numbers, [x, y, z]");
const quaternion = z
	.tuple([number, number, number, number], "expected four numbers, [w, x, y, z]")
	.describe("w, x, y, z; made a unit quaternion");
/** Of bodies, shapes and materials. */
const name = z.string().min(1).max(200);
const reference = z.union([name, z.int().nonnegative()], "expected a name, or a number from 0");

const sphere = z.strictObject({ kind: z.literal("sphere"), radius: positive });
const ellipsoid = z.strictObject({ kind: z.literal("ellipsoid"), radii: lengths });
const capsule = z
	.strictObject({ kind: z.literal("capsule"), radius: positive, length: positive })
	.describe("all points that are at most radius from a segment of that length along z");
const box = z.strictObject({ kind: z.literal("box"), size: lengths.describe("edges along x, y and z") });
const polyhedron = z
	.strictObject({ kind: z.literal("polyhedron"), vertices: z.array(vector).min(4).max(HULL_POINTS_MAX) })
	.describe("convex: the hull of its vertices, each of which is a corner");
const plane = z
	.strictObject({ kind: z.literal("plane"), normal: vector, offset: number })
	.describe("the half-space normal . x <= offset; for obstacles");
const solids = [sphere, ellipsoid, capsule, box, polyhedron] as const;
const union = z
	.strictObject({
		kind: z.literal("union"),
		pieces: z
			.array(
				z.strictObject({
					shape: z.discriminatedUnion("kind", solids) satisfies z.ZodType<Exclude<ConvexShape, { kind: "plane" }>>,
					position: maybe(vector),
					orientation: maybe(quaternion),
				}),
			)
			.min(1)
			.max(10_000),
	})
	.describe("convex pieces that move as one; volume counts once for each");
const shape: z.ZodType<Shape> = z.discriminatedUnion("kind", [...solids, plane, union]);
/** The shapes of a run file. */
export const shapeList = z.array(shape);

const movement = {
	velocity: maybe(vector).describe("of the pivot"),
	spin: maybe(vector).describe("angular velocity in world axes"),
	pivot: maybe(vector).describe("a point it turns about, at the beginning; by default the obstacle's centre"),
	shake: maybe(z.strictObject({ amplitude: vector, frequency: notNegative, phase: maybe(number) })).describe(
		"amplitude * sin(2 pi frequency (t - from) + phase) on top, less its value at from",
	),
} satisfies Record<Exclude<keyof MotionPiece, "from">, z.ZodType>;
const motion = z
	.array(z.strictObject({ from: notNegative, ...movement }) satisfies z.ZodType<MotionPiece>)
	.describe("pieces by ascending start; at rest before the first");

const named = {
	name: maybe(name),
	shape: name.describe("a name in shapes"),
	material: name.describe("a name in materials"),
	position: vector.describe("of the origin of the shape's own axes"),
	orientation: maybe(quaternion),
};
const obstacle = z.strictObject({
	...named,
	motion: maybe(motion),
	isHidden: maybe(z.boolean()).describe("left out of pictures"),
});
const body = z.strictObject({
	...named,
	kind: maybe(z.enum(["rigid", "pseudo-rigid"])).describe("rigid by default"),
	velocity: maybe(vector).describe("of the centre of mass"),
	spin: maybe(vector).describe("angular velocity in world axes"),
	mass: maybe(positive).describe("of a rigid body, instead of density times volume"),
	inertia: maybe(z.tuple([number, number, number, number, number, number], "expected six numbers")).describe(
		"of a rigid body about the centre of mass, in the shape's axes: xx, yy, zz, xy, xz, yz",
	),
	isHeld: maybe(z.boolean()).describe("does not move until an event releases it"),
} satisfies Record<keyof SceneBody, z.ZodType>) satisfies z.ZodType<SceneBody>;

const time = notNegative.describe("takes effect at the beginning of the first step that starts then or later");
const event = z.discriminatedUnion("kind", [
	z.strictObject({ time, kind: z.literal("add"), bodies: z.array(body).min(1) }),
	z.strictObject({
		time,
		kind: z.literal("release"),
		bodies: z
			.array(reference)
			.min(1)
			.describe("by name, or by number among all bodies: first bodies, then those of events"),
		velocity: maybe(vector),
		spin: maybe(vector),
	}),
	z
		.strictObject({ time, kind: z.literal("motion"), obstacle: reference, ...movement })
		.describe("what the obstacle does from then on"),
	z.strictObject({ time, kind: z.literal("gravity"), gravity: vector }),
]);

const limits = z
	.tuple([number.nullable(), number.nullable(), number.nullable()], "expected three numbers or null, [N, T1, T2]")
	.describe("of box: N, T1, T2 of a contact in newtons; null for no limit");
const law = {
	friction: notNegative.describe("of anisotropic: along its axis"),
	restitution: maybe(number.min(0).max(1)).describe("0 by default; of Newton's law or of the scheme's restitutionLaw"),
	law: maybe(z.enum(PAIR_LAWS)).describe("coulomb by default"),
	cohesion: maybe(notNegative).describe("of cohesive: the force that a contact pulls with before it opens, newtons"),
	cap: maybe(notNegative).describe("of capped: the normal force at which a contact gives way, newtons"),
	frictionAcross: maybe(notNegative).describe("of anisotropic: across its axis"),
	axis: maybe(vector).describe("of anisotropic, in the axes of the body of the first material (of the first body)"),
	lower: maybe(limits),
	upper: maybe(limits),
	rollingFriction: maybe(notNegative).describe("of rolling: greatest moment against it over the normal force, metres"),
	spinningFriction: maybe(notNegative).describe("of rolling: the same about the normal, metres; 0 by default"),
} satisfies Record<keyof SceneLaw, z.ZodType>;

const scheme = z.strictObject({
	name: z.enum(SCHEME_NAMES),
	theta: maybe(number.min(0.5).max(1)).describe("of moreau"),
	margin: maybe(notNegative).describe("contacts count up to this gap, whether it closes or not"),
	implicit: maybe(z.boolean()).describe("linearly implicit for pseudo-rigid bodies"),
	rotation: maybe(z.enum(["explicit", "conserving"])).describe("of rigid bodies"),
	recovery: maybe(number.min(0).max(1)).describe("fraction of an overlap that a step takes back; 0 for none"),
	recoverySpeed: maybe(positive).describe("at most this fast"),
	restitutionLaw: maybe(z.enum(RESTITUTION_LAWS)).describe(
		"newton (default): of velocities; poisson: of impulses, which creates no energy with friction and one restitution",
	),
	substeps: maybe(z.int().positive()).describe(
		"most parts into which a step is divided if fast bodies are about to meet; 1 for none (default 16)",
	),
} satisfies Record<keyof SchemeOptions, z.ZodType>);
const solver = z.strictObject({
	method: maybe(z.string().max(100)),
	measure: maybe(z.enum(["energy", "natural", "merit"])),
	tolerance: maybe(positive),
	maxIterations: maybe(z.int().nonnegative()),
	set: maybe(z.record(z.string(), z.union([number, z.string()]))).describe("options of the method"),
} satisfies Record<keyof SceneSolver, z.ZodType>);
const material = z.strictObject({
	density: maybe(positive).describe("of bodies that move and have no mass of their own"),
	young: maybe(positive).describe("Young's modulus of pseudo-rigid bodies"),
	poisson: maybe(number.gt(-1).lt(0.5)).describe("Poisson's ratio of pseudo-rigid bodies"),
	damping: maybe(notNegative).describe("of pseudo-rigid bodies, in seconds times stiffness"),
});

export const sceneFile = z
	.strictObject({
		version: z.literal(1).describe("of this format"),
		name,
		gravity: vector,
		step: positive.describe("length of a time step"),
		until: notNegative.describe("when the simulation ends"),
		scheme,
		solver: solver.default({}).describe("what is left out has its default"),
		materials: z.record(name, material).describe("by name"),
		contact: z.strictObject(law).describe("the law of all pairs of materials that laws does not name"),
		laws: maybe(
			z.array(z.strictObject({ between: z.tuple([name, name], "expected two names of materials"), ...law })),
		).describe("of pairs of materials"),
		shapes: z.record(name, shape).describe("by name"),
		obstacles: z.array(obstacle).default([]),
		bodies: z.array(body).describe("those that are there from the beginning"),
		events: z.array(event).default([]).describe("by ascending time"),
		bounds: maybe(z.strictObject({ lower: vector, upper: vector })).describe(
			"a body whose centre leaves this box has flown away; unless said, a hundred times the size of what is there",
		),
		output: maybe(z.strictObject({ every: z.int().positive() })).describe(
			"every so many steps are stored, unless said",
		),
		view: maybe(z.strictObject({ direction: vector, up: vector })).describe(
			"of pictures: where the eye looks, what is up",
		),
	})
	.describe("A scene of Stickslip: metres, kilograms, seconds, radians") satisfies z.ZodType<SceneDescription>;

/** As JSON Schema, draft 2020-12. */
export function sceneSchema(): object {
	return z.toJSONSchema(sceneFile, { io: "input" });
}
