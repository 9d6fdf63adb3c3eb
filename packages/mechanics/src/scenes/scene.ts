/** A scene ready to be simulated: the model, the bodies of the beginning, what obstacles do and what happens later. */
import { checkMethod, checkOptions, methods } from "@stickslip/core";

import type { Bodies } from "../bodies/bodies.js";
import { pairLaws } from "../bodies/laws.js";
import { type BodyDescription, makeBodies } from "../bodies/make.js";
import type { Material, Model } from "../bodies/model.js";
import { type MotionPiece, makeMotion } from "../bodies/motion.js";
import { compileShape } from "../shapes/compile.js";
import type { CompiledShape } from "../shapes/convex.js";
import type { SimulationEvent } from "../simulation/events.js";
import type { SimulationSetup } from "../simulation/simulation.js";
import { makeScheme } from "../time/theta.js";
import { checkStarts, pathOfAdded, pathOfFirst, warningsOf } from "./checks.js";
import type { SceneBody, SceneDescription, SceneEventDescription, SceneObstacle } from "./description.js";
import { type Mistake, MistakeList } from "./mistakes.js";
import { checkReferences, SceneNames } from "./names.js";

/** What a simulation is set up from, and what there is to know about it. */
export interface Scene extends SimulationSetup {
	readonly description: SceneDescription;
	/** How many steps there are. */
	readonly steps: number;
	/** Obstacles and bodies, with those that events add. */
	readonly total: number;
	/** Bodies that are faster may pass through each other in a step. */
	readonly speedLimit: number;
	/** Overlap above which a run is warned of: 5 % of the smallest body's width, infinite where no body has one. */
	readonly overlapLimit: number;
	readonly warnings: readonly Mistake[];
}

/** The end counts as a multiple of the step where it is one but for rounding. */
const ROUNDING = 1e-6;
/** Far more than a simulation lives to see. */
const STEPS_MAX = 1e12;

/** Throws a SceneError that lists all that cannot be. */
export function buildScene(description: SceneDescription, source = `scene ${description.name}`): Scene {
	const mistakes = new MistakeList();
	const names = new SceneNames(description);
	checkReferences(description, names, mistakes);
	const scheme = mistakes.collect(() => makeScheme(description.scheme));
	mistakes.collect(() => checkOptions(description.solver), "solver");
	checkSolver(description.solver, mistakes);
	checkBounds(description, mistakes);
	if (!(description.until / description.step <= STEPS_MAX)) {
		mistakes.add(
			"until",
			`is ${description.until / description.step} steps away`,
			"end earlier, or give a larger step",
		);
	}
	const model = buildModel(description, mistakes);
	checkPoisson(description, mistakes);
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
	const parts = { description, model: model!, first: first!, added, motions };
	checkStarts(parts, mistakes);
	mistakes.refuse(source);
	const { name, solver, step } = description;
	return {
		...{ name, description, solver, step, scheme: scheme! },
		model: { ...model!, motions },
		bodies: first!,
		events: description.events.flatMap((event, k) => simulationEvent(event, names, added[k])),
		steps: stepsOf(description),
		total: names.total,
		...warningsOf(parts),
	};
}

/** Otherwise the first step with contacts would tell, which may be hours later. */
function checkSolver({ method, set }: SceneDescription["solver"], mistakes: MistakeList): void {
	const known = methods().map(({ name }) => name);
	if (method === undefined || known.includes(method)) {
		mistakes.collect(() => checkMethod(method ?? "auto", set), "solver.set");
	} else mistakes.add("solver.method", `is ${JSON.stringify(method)}`, `give ${known.join(" or ")}`);
}

/** Its two phases have the law `preloaded`, which is Coulomb's. */
function checkPoisson({ scheme, contact, laws = [] }: SceneDescription, mistakes: MistakeList): void {
	if (scheme.restitutionLaw !== "poisson") return;
	[contact, ...laws].forEach(({ law = "coulomb" }, k) => {
		if (law === "coulomb") return;
		const path = k === 0 ? "contact.law" : `laws[${k - 1}].law`;
		mistakes.add(path, `is ${law}, and scheme.restitutionLaw is poisson`, "use coulomb, or restitutionLaw newton");
	});
}

function checkBounds({ bounds }: SceneDescription, mistakes: MistakeList): void {
	bounds?.lower.forEach((least, d) => {
		const most = bounds.upper[d]!;
		if (!(least < most))
			mistakes.add(`bounds.lower[${d}]`, `${least} is not below bounds.upper[${d}], ${most}`, "swap them");
	});
}

/** How many steps it takes. */
export function stepsOf({ until, step }: SceneDescription): number {
	return Math.ceil(until / step - ROUNDING);
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
function simulationEvent(
	event: SceneEventDescription,
	names: SceneNames,
	added: Bodies | undefined,
): SimulationEvent[] {
	const { time } = event;
	if (event.kind === "motion") return [];
	if (event.kind === "add") return [{ time, kind: "add", bodies: added! }];
	if (event.kind === "gravity") return [{ time, kind: "gravity", gravity: event.gravity }];
	const { velocity, spin } = event;
	const ids = Int32Array.from(new Set(event.bodies.map((body) => names.bodyId(body)!))).sort();
	return [{ time, kind: "release", ids, ...(velocity && { velocity }), ...(spin && { spin }) }];
}

function buildModel(description: SceneDescription, mistakes: MistakeList): Model | undefined {
	const materials = Object.entries(description.materials).map(([name, material]): Material => ({ name, ...material }));
	const shapes = Object.entries(description.shapes).map(([name, shape]) =>
		mistakes.collect(() => compileShape(shape, description.name, `shapes.${name}`)),
	);
	const withRestitution = <Law extends { restitution?: number }>(law: Law) => ({ restitution: 0, ...law });
	const isKnown = ({ between }: { between: readonly string[] }) =>
		between.every((name) => Object.hasOwn(description.materials, name));
	const pairs = (description.laws ?? []).filter(isKnown).map(withRestitution);
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
	return makeAll(model, all, 0, pathOfFirst(obstacles.length), mistakes);
}

/** By event. */
function addedBodies(model: Model, description: SceneDescription, mistakes: MistakeList): (Bodies | undefined)[] {
	const numbered = numbering(description);
	let next = description.obstacles.length + description.bodies.length;
	return description.events.map((event, k) => {
		if (event.kind !== "add") return undefined;
		const first = next;
		next += event.bodies.length;
		return makeAll(model, event.bodies.map(numbered), first, (i) => pathOfAdded(k, i), mistakes);
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
	// With slashes, as the places are that makeBodies adds to it.
	const pathFor = (i: number) => `/${pathOf(i)}`;
	const made = new MistakeList().collect(() => makeBodies(model, all, firstId, pathFor));
	if (made !== undefined) return made;
	all.forEach((each, i) => {
		mistakes.collect(() => makeBodies(model, [each], firstId + i, () => pathFor(i)));
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
