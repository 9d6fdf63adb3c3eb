/** Who is meant where a scene names its parts: bodies and obstacles by name or number, shapes and materials by name. */
import type { SceneBody, SceneDescription, SceneEventDescription, SceneObstacle } from "./description.js";
import type { MistakeList } from "./mistakes.js";

export type Reference = string | number;

export class SceneNames {
	/** Of obstacles and bodies, with those that events add. */
	readonly total: number;
	readonly #obstacles: number;
	/** Ids of those that wait for an event. */
	readonly held = new Set<number>();
	readonly #bodyIds = new Map<string, number>();
	readonly #obstacleIds = new Map<string, number>();

	constructor({ obstacles, bodies, events }: SceneDescription) {
		this.#obstacles = obstacles.length;
		obstacles.forEach(({ name }, i) => {
			if (name !== undefined) this.#obstacleIds.set(name, i);
		});
		let next = obstacles.length;
		for (const list of [bodies, ...events.map((event) => (event.kind === "add" ? event.bodies : []))]) {
			for (const { name, isHeld } of list) {
				if (name !== undefined) this.#bodyIds.set(name, next);
				if (isHeld === true) this.held.add(next);
				next += 1;
			}
		}
		this.total = next;
	}

	/** The id of a body; undefined where there is none. */
	bodyId(body: Reference): number | undefined {
		if (typeof body === "string") return this.#bodyIds.get(body);
		const id = this.#obstacles + body;
		return Number.isInteger(body) && body >= 0 && id < this.total ? id : undefined;
	}

	/** The place among obstacles. */
	obstacleId(obstacle: Reference): number | undefined {
		if (typeof obstacle === "string") return this.#obstacleIds.get(obstacle);
		return Number.isInteger(obstacle) && obstacle >= 0 && obstacle < this.#obstacles ? obstacle : undefined;
	}
}

/** Names that do not exist, names that two things have, planes that move, events out of order. */
export function checkReferences(description: SceneDescription, names: SceneNames, mistakes: MistakeList): void {
	const { obstacles, bodies, events } = description;
	for (const [i, obstacle] of obstacles.entries()) checkParts(description, obstacle, `obstacles[${i}]`, mistakes);
	for (const [i, body] of bodies.entries()) checkBody(description, body, `bodies[${i}]`, mistakes);
	let there = obstacles.length + bodies.length;
	let last = 0;
	events.forEach((event, k) => {
		const path = `events[${k}]`;
		if (event.time < last) {
			mistakes.add(`${path}.time`, `${event.time} is before the event above (${last})`, "order events by time");
		}
		last = Math.max(last, event.time);
		if (event.kind === "add") {
			for (const [i, body] of event.bodies.entries()) checkBody(description, body, `${path}.bodies[${i}]`, mistakes);
			there += event.bodies.length;
		} else checkTargets(event, names, there, path, mistakes);
	});
	checkUnique(obstacles, "obstacles", mistakes);
	checkUnique(
		[...bodies, ...events.flatMap((event) => (event.kind === "add" ? event.bodies : []))],
		"bodies",
		mistakes,
	);
	(description.laws ?? []).forEach(({ between }, k) => {
		between.forEach((name, side) => {
			checkName(name, description.materials, `laws[${k}].between[${side}]`, "material", mistakes);
		});
	});
}

function checkBody(description: SceneDescription, body: SceneBody, path: string, mistakes: MistakeList): void {
	checkParts(description, body, path, mistakes);
	if (Object.hasOwn(description.shapes, body.shape) && description.shapes[body.shape]!.kind === "plane") {
		mistakes.add(
			`${path}.shape`,
			"a plane cannot move",
			"make it an obstacle, or give the body a shape that has a volume",
		);
	}
}

function checkParts(
	{ shapes, materials }: SceneDescription,
	{ shape, material }: SceneBody | SceneObstacle,
	path: string,
	mistakes: MistakeList,
): void {
	checkName(shape, shapes, `${path}.shape`, "shape", mistakes);
	checkName(material, materials, `${path}.material`, "material", mistakes);
}

function checkName(name: string, among: object, path: string, what: string, mistakes: MistakeList): void {
	if (Object.hasOwn(among, name)) return;
	mistakes.add(path, `there is no ${what} "${name}"`, nameList(Object.keys(among), `add one to ${what}s`));
}

/** What can be chosen, if that is not too long. */
function nameList(names: readonly string[], remedy: string): string {
	return names.length > 0 && names.length <= 20 ? `${remedy}, or choose among ${names.join(", ")}` : remedy;
}

type TargetEvent = Exclude<SceneEventDescription, { kind: "add" }>;

function checkTargets(event: TargetEvent, names: SceneNames, there: number, path: string, mistakes: MistakeList): void {
	if (event.kind === "motion" && names.obstacleId(event.obstacle) === undefined) {
		mistakes.add(`${path}.obstacle`, `there is no obstacle ${event.obstacle}`, "give its name or its number, from 0");
	}
	if (event.kind !== "release") return;
	event.bodies.forEach((body, i) => {
		const id = names.bodyId(body);
		const at = `${path}.bodies[${i}]`;
		if (id === undefined) mistakes.add(at, `there is no body ${body}`, "give its name or its number, from 0");
		else if (id >= there) mistakes.add(at, `${body} is added later`, "release it after that");
		else if (!names.held.has(id) && event.velocity === undefined && event.spin === undefined) {
			mistakes.add(at, `${body} is not held`, "give it isHeld: true, or the event a velocity or spin");
		}
	});
}

function checkUnique(list: readonly { name?: string }[], what: string, mistakes: MistakeList): void {
	const first = new Map<string, number>();
	list.forEach(({ name }, i) => {
		if (name === undefined) return;
		const other = first.get(name);
		if (other === undefined) first.set(name, i);
		else mistakes.add(`${what}[${i}].name`, `${what}[${other}] is called "${name}" too`, "give each its own name");
	});
}
