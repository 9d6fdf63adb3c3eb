/** A scene ready to be simulated: the model, the bodies of the beginning, what obstacles do and what happens later. */
import { checkOptions } from "@stickslip/core";

import type { Bodies } from "../bodies/bodies.js";
import { pairLaws } from "../bodies/laws.js";
import { type BodyDescription, makeBodies } from "../bodies/make.js";
import type { Material, Model } from "../bodies/model.js";
import { type Motion, type MotionPiece, makeMotion } from "../bodies/motion.js";
import { compileShape } from "../shapes/compile.js";
import type { CompiledShape } from "../shapes/convex.js";
import type { Vector } from "../shapes/shape.js";
import type { SchemeOptions } from "../time/scheme.js";
import { makeScheme } from "../time/theta.js";
import type { SceneBody, SceneDescription, SceneEventDescription, SceneObstacle, SceneSolver } from "./description.js";
import { type Mistake, MistakeList } from "./mistakes.js";
import { checkReferences, SceneNames } from "./names.js";

export interface Scene {
	readonly name: string;
	readonly description: SceneDescription;
	readonly model: Model;
	/** Obstacles, then the bodies that are there at the beginning. */
	readonly bodies: Bodies;
	/** By obstacle, with what events change; undefined for one that stays where it is. */
	readonly motions: readonly (Motion | undefined)[];
	/** By ascending step. */
	readonly events: readonly SceneEvent[];
	readonly scheme: SchemeOptions;
	readonly solver: SceneSolver;
	/** Length of a time step. */
	readonly step: number;
	/** How many steps there are. */
	readonly steps: number;
	/** Obstacles and bodies, with those that events add. */
	readonly total: number;
	readonly warnings: readonly Mistake[];
}

/** What happens before step number `step`, which starts at step times the length of a step. */
export type SceneEvent = { readonly step: number } & (
	| { readonly kind: "add"; readonly bodies: Bodies }
	| { readonly kind: "release"; readonly ids: Int32Array; readonly velocity?: Vector; readonly spin?: Vector }
	| { readonly kind: "gravity"; readonly gravity: Vector }
);

/** Times count as multiples of a step where they are, but for rounding. */
const ROUNDING = 1e-6;

/** The first step that starts at this time or later. */
function stepAt(time: number, step: number): number {
	return Math.max(0, Math.ceil(time / step - ROUNDING));
}

/** Throws a SceneError that lists all that cannot be. */
export function buildScene(description: SceneDescription, source = `scene ${description.name}`): Scene {
	const mistakes = new MistakeList();
	const names = new SceneNames(description);
	checkReferences(description, names, mistakes);
	mistakes.collect(() => makeScheme(description.scheme));
	mistakes.collect(() => checkOptions(description.solver), "solver");
	const model = buildModel(description, mistakes);
	mistakes.refuse(source);
	const first = firstBodies(model!, description, mistakes);
	const added = addedBodies(model!, description, mistakes);
	mistakes.refuse(source);
	const motions = description.obstacles.map((_, i) => {
		const pieces = motionPieces(description, names, i);
		const path = `/obstacles/${i}/motion`;
		return pieces.length === 0 ? undefined : mistakes.collect(() => makeMotion(first!, i, pieces, path));
	});
	mistakes.refuse(source);
	const { name, scheme, solver, step, until } = description;
	return {
		...{ name, description, scheme, solver, step, motions },
		model: model!,
		bodies: first!,
		events: description.events.flatMap((event, k) => sceneEvent(event, step, names, added[k])),
		steps: stepAt(until, step),
		total: names.total,
		warnings: [],
	};
}

/** What obstacle i does: its own motion, until an event says something else, and so on. */
function motionPieces({ obstacles, events }: SceneDescription, names: SceneNames, i: number): MotionPiece[] {
	let pieces = [...(obstacles[i]!.motion ?? [])];
	for (const event of events) {
		if (event.kind !== "motion" || names.obstacleId(event.obstacle) !== i) continue;
		const { kind: _, obstacle: __, time: from, ...piece } = event;
		pieces = [...pieces.filter((each) => each.from < from), { from, ...piece }];
	}
	return pieces;
}

/** Motions are no events any more. */
function sceneEvent(
	event: SceneEventDescription,
	length: number,
	names: SceneNames,
	added: Bodies | undefined,
): SceneEvent[] {
	const step = stepAt(event.time, length);
	if (event.kind === "motion") return [];
	if (event.kind === "add") return [{ step, kind: "add", bodies: added! }];
	if (event.kind === "gravity") return [{ step, kind: "gravity", gravity: event.gravity }];
	const { velocity, spin } = event;
	const ids = Int32Array.from(new Set(event.bodies.map((body) => names.bodyId(body)!))).sort();
	return [{ step, kind: "release", ids, ...(velocity && { velocity }), ...(spin && { spin }) }];
}

function buildModel(description: SceneDescription, mistakes: MistakeList): Model | undefined {
	const materials = Object.entries(description.materials).map(([name, material]): Material => ({ name, ...material }));
	const shapes = Object.entries(description.shapes).map(([name, shape]) =>
		mistakes.collect(() => compileShape(shape, description.name, `shapes.${name}`)),
	);
	const withRestitution = <Law extends { restitution?: number }>(law: Law) => ({ restitution: 0, ...law });
	const pairs = (description.laws ?? []).map(withRestitution);
	const laws = mistakes.collect(() => pairLaws(materials, withRestitution(description.contact), pairs));
	if (laws === undefined || shapes.includes(undefined)) return undefined;
	const gravity = Float64Array.from(description.gravity);
	return { shapes: shapes as CompiledShape[], materials, laws, gravity };
}

/** Obstacles and bodies with numbers for names. */
function firstBodies(model: Model, description: SceneDescription, mistakes: MistakeList): Bodies | undefined {
	const { obstacles, bodies } = description;
	const numbered = numbering(description);
	const all = [
		...obstacles.map((obstacle): BodyDescription => ({ ...numbered(obstacle), kind: "obstacle" })),
		...bodies.map(numbered),
	];
	const pathOf = (i: number) => (i < obstacles.length ? `/obstacles/${i}` : `/bodies/${i - obstacles.length}`);
	return makeAll(model, all, 0, pathOf, mistakes);
}

/** By event. */
function addedBodies(model: Model, description: SceneDescription, mistakes: MistakeList): (Bodies | undefined)[] {
	const numbered = numbering(description);
	let next = description.obstacles.length + description.bodies.length;
	return description.events.map((event, k) => {
		if (event.kind !== "add") return undefined;
		const first = next;
		next += event.bodies.length;
		return makeAll(model, event.bodies.map(numbered), first, (i) => `/events/${k}/bodies/${i}`, mistakes);
	});
}

/** All at once, and only where one cannot be one by one, to tell about each. */
function makeAll(
	model: Model,
	all: readonly BodyDescription[],
	firstId: number,
	pathOf: (i: number) => string,
	mistakes: MistakeList,
): Bodies | undefined {
	const made = new MistakeList().collect(() => makeBodies(model, all, firstId, pathOf));
	if (made !== undefined) return made;
	all.forEach((each, i) => {
		mistakes.collect(() => makeBodies(model, [each], firstId + i, () => pathOf(i)));
	});
	return undefined;
}

function numbering({ materials, shapes }: SceneDescription): (each: SceneBody | SceneObstacle) => BodyDescription {
	const numbersOf = (names: object) => new Map(Object.keys(names).map((name, k) => [name, k]));
	const [materialNumbers, shapeNumbers] = [numbersOf(materials), numbersOf(shapes)];
	return ({ shape, material, ...rest }) => {
		const { motion: _, isHidden: __, name: ___, ...described } = rest as SceneBody & SceneObstacle;
		return { ...described, shape: shapeNumbers.get(shape)!, material: materialNumbers.get(material)! };
	};
}
