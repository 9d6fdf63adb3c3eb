/** What is looked at once bodies are made: overlaps, which are mistakes, and steps that are too long, which are warnings. */
import type { Bodies } from "../bodies/bodies.js";
import type { Model } from "../bodies/model.js";
import { type Motion, placeObstacle } from "../bodies/motion.js";
import { addOwnBodies, selectBodies } from "../bodies/select.js";
import type { SceneDescription } from "./description.js";
import { type Mistake, MistakeList } from "./mistakes.js";
import { checkOverlaps } from "./overlaps.js";
import { checkMotions, checkSpeeds, checkStiffness, type Limits, limitsOf } from "./step-size.js";

export interface SceneParts {
	readonly description: SceneDescription;
	readonly model: Model;
	readonly first: Bodies;
	/** By event. */
	readonly added: readonly (Bodies | undefined)[];
	readonly motions: readonly (Motion | undefined)[];
}

/** Where obstacles and first bodies stand in the file. */
export function pathOfFirst(obstacles: number): (place: number) => string {
	return (place) => (place < obstacles ? `obstacles[${place}]` : `bodies[${place - obstacles}]`);
}

export function pathOfAdded(event: number, place: number): string {
	return `events[${event}].bodies[${place}]`;
}

/** Where a body or obstacle of this id stands in the file, with its name if it has one. */
export function pathOfBody({ obstacles, bodies, events }: SceneDescription, id: number): string {
	if (id < obstacles.length) return named(`obstacles[${id}]`, obstacles[id]?.name);
	let at = id - obstacles.length;
	if (at < bodies.length) return named(`bodies[${at}]`, bodies[at]?.name);
	at -= bodies.length;
	for (const [k, event] of events.entries()) {
		if (event.kind !== "add") continue;
		if (at < event.bodies.length) return named(pathOfAdded(k, at), event.bodies[at]?.name);
		at -= event.bodies.length;
	}
	return `body ${id}`;
}

function named(path: string, name: string | undefined): string {
	return name === undefined ? path : `${path} (${name})`;
}

/** Bodies overlap neither each other nor obstacles as these are when they come. */
export function checkStarts({ description, model, first, added, motions }: SceneParts, mistakes: MistakeList): void {
	const { obstacles } = first;
	const pathOf = pathOfFirst(obstacles);
	checkOverlaps(model, first, pathOf, mistakes);
	const places = Array.from({ length: obstacles }, (_, i) => i);
	added.forEach((bodies, k) => {
		if (bodies === undefined) return;
		const still = selectBodies(first, places, { obstacles, own: 0, total: first.total });
		motions.forEach((motion, i) => {
			if (motion !== undefined) placeObstacle(still, i, motion, description.events[k]!.time);
		});
		const pathOfPlace = (place: number) => (place < obstacles ? pathOf(place) : pathOfAdded(k, place - obstacles));
		checkOverlaps(model, addOwnBodies(still, bodies), pathOfPlace, mistakes);
	});
}

/** Restitution from which on velocity-impulse is warned of: it loses much of the energy that the law conserves. */
const ELASTIC = 0.8;

/** A contact that an impulse of the same step closes does so without a bounce in velocity-impulse. */
function checkRestitution({ scheme, contact, laws = [] }: SceneDescription, warnings: MistakeList): void {
	if (scheme.name !== "velocity-impulse") return;
	[contact, ...laws].forEach(({ restitution = 0 }, k) => {
		if (restitution < ELASTIC) return;
		const path = k === 0 ? "contact.restitution" : `laws[${k - 1}].restitution`;
		warnings.add(path, `is ${restitution}, and velocity-impulse loses energy then`, "use the scheme half-step");
	});
}

/** Limits of speed and overlap for this step, and warnings about the initial state. */
export function warningsOf({
	description,
	model,
	first,
	added,
	motions,
}: SceneParts): Limits & { readonly warnings: readonly Mistake[] } {
	const warnings = new MistakeList();
	const { step } = description;
	const lists = [{ bodies: first, pathOf: pathOfFirst(first.obstacles) }];
	added.forEach((bodies, k) => {
		if (bodies !== undefined) lists.push({ bodies, pathOf: (place) => pathOfAdded(k, place) });
	});
	const limits = limitsOf(
		model,
		lists.map((list) => list.bodies),
		description,
	);
	const { speedLimit: limit } = limits;
	checkRestitution(description, warnings);
	checkMotions(motions, first, model, step, limit, warnings);
	for (const { bodies, pathOf } of lists) {
		checkSpeeds(bodies, model, step, limit, pathOf, warnings);
		checkStiffness(description, model, bodies, pathOf, warnings);
	}
	return { ...limits, warnings: warnings.all };
}
