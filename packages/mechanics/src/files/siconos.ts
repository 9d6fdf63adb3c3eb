/**
 * Scenes of Siconos as scenes of ours: spheres, boxes, capsules, cylinders (as prisms) and convex shapes, alone or several to a body, with masses, inertias, poses,
 * velocities and laws by collision groups. What cannot be read is listed, each thing at its path.
 */
import type { Hdf5Module } from "@stickslip/core/fclib";
import type { SceneBody, SceneDescription, SceneObstacle } from "../scenes/description.js";
import { type Mistake, MistakeList } from "../scenes/mistakes.js";
import { compileShape } from "../shapes/compile.js";
import type { Quaternion, Shape, Vector } from "../shapes/shape.js";
import {
	type Attributes,
	numbersOf,
	readSiconosFile,
	type SiconosFile,
	type SiconosLaw,
	type SiconosObject,
	type SiconosState,
} from "./siconos-file.js";
import { isIdentity, rotated, times } from "./siconos-poses.js";
import { type ImportedShape, importShape, type Solid } from "./siconos-shapes.js";

export interface SiconosOptions {
	/** Not in the file. Default 0, 0, -9.81. */
	readonly gravity?: Vector;
	/** Length of a time step, which is not in the file either. Default 0.005. */
	readonly step?: number;
	/** When the simulation ends. Default 1. */
	readonly until?: number;
	/** Where bodies are: as they were put in (start, default), or as they were last stored. */
	readonly state?: "start" | "last";
}

export interface ImportedScene {
	readonly description: SceneDescription;
	/** What is in the file and not in the scene. */
	readonly unread: readonly Mistake[];
}

/** Reads a file by its path in the file system of h5wasm; `name` is what messages call it. */
export function importSiconos(
	module: Hdf5Module,
	path: string,
	name: string,
	options: SiconosOptions = {},
): ImportedScene {
	const file = readSiconosFile(module, path, name);
	const unread = new MistakeList();
	for (const { path: place, count } of file.others) {
		unread.add(place, `${count} cannot be read`, "the scene goes without");
	}
	if (file.dimension !== 3) unread.add("/", `has ${file.dimension} dimensions`, "three are needed");
	const parts = new SceneParts(file, options.state === "last" ? file.last : undefined, unread);
	for (const object of file.objects) parts.add(object);
	const { gravity = [0, 0, -9.81], step = 0.005, until = 1 } = options;
	const groups = [...parts.groups].sort((a, b) => a - b);
	return {
		description: {
			...{ version: 1, name, gravity, step, until },
			scheme: { name: "moreau", theta: 0.5 },
			solver: {},
			// Bodies have their own masses.
			materials: Object.fromEntries(groups.map((group) => [materialOf(group), { density: 1 }])),
			...lawsOf(file.laws, groups, unread),
			shapes: parts.shapes,
			obstacles: parts.obstacles,
			bodies: parts.bodies,
			events: parts.events.sort((a, b) => a.time - b.time),
		},
		unread: unread.all,
	};
}

function materialOf(group: number): string {
	return `group ${group}`;
}

interface Piece {
	/** Of the shape in the file. */
	readonly name: string;
	readonly shape: Solid;
	readonly position: Vector;
	readonly orientation: Quaternion;
}

class SceneParts {
	readonly shapes: Record<string, Shape> = {};
	readonly obstacles: SceneObstacle[] = [];
	readonly bodies: SceneBody[] = [];
	readonly events: { time: number; kind: "add"; bodies: SceneBody[] }[] = [];
	readonly groups = new Set<number>();
	readonly #state: SiconosState | undefined;
	readonly #unread: MistakeList;
	readonly #imported = new Map<string, ImportedShape | undefined>();
	/** Names of shapes by what they are. */
	readonly #names = new Map<string, string>();

	constructor(file: SiconosFile, state: SiconosState | undefined, unread: MistakeList) {
		this.#state = state;
		this.#unread = unread;
		for (const [name, shape] of file.shapes) {
			const place = `/data/ref/${name}`;
			const imported = importShape(shape);
			if (typeof imported === "string") unread.add(place, `${imported} cannot be read`, "give a convex shape");
			else if (imported.lost !== undefined) unread.add(place, `loses ${imported.lost}`, "it is taken without");
			this.#imported.set(name, typeof imported === "string" ? undefined : imported);
		}
	}

	add(object: SiconosObject): void {
		const { attributes, path, mass, contactors } = object;
		for (const name of ["time_of_death", "fext"]) {
			if (attributes.has(name)) this.#unread.add(`${path}@${name}`, "cannot be read", "the scene goes without");
		}
		const pieces = this.#piecesOf(object);
		if (pieces.length === 0) {
			this.#unread.add(path, "has no shape that can be read", "the scene goes without it");
			return;
		}
		const { group } = contactors[0]!;
		if (contactors.some((contactor) => contactor.group !== group)) {
			this.#unread.add(path, "has contactors of several groups", `all are of group ${group}`);
		}
		this.groups.add(group);
		if (mass === undefined || mass === 0) this.#addObstacle(object, pieces, materialOf(group));
		else this.#addBody(object, pieces, materialOf(group), mass);
	}

	/** About the centre of mass. */
	#piecesOf({ contactors, path, attributes }: SiconosObject): Piece[] {
		const centre = vectorOf(attributes, "center_of_mass") ?? [0, 0, 0];
		return contactors.flatMap(({ shape: name, translation, orientation }, k) => {
			const imported = this.#imported.get(name);
			if (imported === undefined) {
				this.#unread.add(`${path}[${k}]`, `its shape "${name}" cannot be read`, "the body goes without");
				return [];
			}
			const [x, y, z] = translation as unknown as Vector;
			const turn = orientation as unknown as Quaternion;
			return {
				...{ name, shape: imported.shape },
				position: [x - centre[0], y - centre[1], z - centre[2]],
				orientation: imported.orientation === undefined ? turn : times(turn, imported.orientation),
			};
		});
	}

	/** An obstacle for each contactor. */
	#addObstacle({ name, attributes }: SiconosObject, pieces: readonly Piece[], material: string): void {
		const { position, orientation } = poseOf(attributes);
		for (const [k, piece] of pieces.entries()) {
			const [x, y, z] = rotated(orientation, piece.position);
			this.obstacles.push({
				name: pieces.length === 1 ? name : `${name} ${k + 1}`,
				shape: this.#shapeName(piece.name, piece.shape),
				material,
				position: [position[0] + x, position[1] + y, position[2] + z],
				orientation: times(orientation, piece.orientation),
			});
		}
	}

	#addBody(object: SiconosObject, pieces: readonly Piece[], material: string, mass: number): void {
		const { name, attributes, path, id } = object;
		const shape: Shape =
			pieces.length === 1 && isIdentity(pieces[0]!)
				? pieces[0]!.shape
				: {
						kind: "union",
						pieces: pieces.map(({ shape: each, position, orientation }) => ({
							shape: each,
							position,
							orientation,
						})),
					};
		const birth = numbersOf(attributes, "time_of_birth")?.[0] ?? 0;
		const start = poseOf(attributes);
		const pose = storedPose(this.#state?.pose.get(id)) ?? start;
		const twist = this.#state?.velocity.get(id) ?? numbersOf(attributes, "velocity") ?? [0, 0, 0, 0, 0, 0];
		const inertia = this.#inertiaOf(object);
		this.#warnOfCentre(path, shape);
		const body: SceneBody = {
			...{
				name,
				shape: this.#shapeName(shape.kind === "union" ? name : pieces[0]!.name, shape),
				material,
				mass,
				...pose,
			},
			velocity: [twist[0]!, twist[1]!, twist[2]!],
			// In the file it is in the body's own axes.
			spin: rotated(pose.orientation, [twist[3]!, twist[4]!, twist[5]!]),
			...(inertia && { inertia }),
		};
		const isLater = birth > (this.#state?.time ?? 0);
		if (isLater) this.events.push({ time: birth - (this.#state?.time ?? 0), kind: "add", bodies: [body] });
		else this.bodies.push(body);
	}

	/** One name for shapes that are the same. */
	#shapeName(wanted: string, shape: Shape): string {
		const key = JSON.stringify(shape);
		const known = this.#names.get(key);
		if (known !== undefined) return known;
		let name = wanted;
		while (Object.hasOwn(this.shapes, name)) name += "'";
		this.#names.set(key, name);
		this.shapes[name] = shape;
		return name;
	}

	#inertiaOf({ attributes, path }: SiconosObject): SceneBody["inertia"] {
		const given = numbersOf(attributes, "inertia");
		if (given === undefined) return undefined;
		if (given.length === 3) return [given[0]!, given[1]!, given[2]!, 0, 0, 0];
		if (given.length === 9) return [given[0]!, given[4]!, given[8]!, given[1]!, given[2]!, given[5]!];
		this.#unread.add(`${path}@inertia`, `has ${given.length} numbers`, "that of the shape is taken");
		return undefined;
	}

	/** There the centre of mass is what an object says, here it is that of its shape. */
	#warnOfCentre(path: string, shape: Shape): void {
		const centre = new MistakeList().collect(() => compileShape(shape))?.mass?.centre;
		const away = Math.sqrt(centre?.reduce((sum, x) => sum + x * x, 0) ?? 0);
		if (!(away > 1e-6)) return;
		const problem = `has its centre of mass ${Number(away.toPrecision(3))} m from that of its shape`;
		this.#unread.add(path, problem, "that of the shape is taken");
	}
}

function vectorOf(attributes: Attributes, name: string): Vector | undefined {
	const value = numbersOf(attributes, name);
	return value?.length === 3 ? [value[0]!, value[1]!, value[2]!] : undefined;
}

interface Pose {
	readonly position: Vector;
	readonly orientation: Quaternion;
}

function poseOf(attributes: Attributes): Pose {
	const orientation = numbersOf(attributes, "orientation");
	return {
		position: vectorOf(attributes, "translation") ?? [0, 0, 0],
		orientation: orientation?.length === 4 ? (orientation as unknown as Quaternion) : [1, 0, 0, 0],
	};
}

function storedPose(row: Float64Array | undefined): Pose | undefined {
	if (row === undefined) return undefined;
	return { position: [row[0]!, row[1]!, row[2]!], orientation: [row[3]!, row[4]!, row[5]!, row[6]!] };
}

/** By groups; where several are for the same two, the first one holds. */
function lawsOf(
	laws: readonly SiconosLaw[],
	groups: readonly number[],
	unread: MistakeList,
): Pick<SceneDescription, "contact" | "laws"> {
	const pairs = new Map<string, { between: readonly [string, string]; friction: number; restitution: number }>();
	for (const { name, type, attributes } of laws) {
		const path = `/data/nslaws/${name}`;
		const [one, other] = ["gid1", "gid2"].map((side) => numbersOf(attributes, side)?.[0] ?? -1) as [number, number];
		if (type !== "NewtonImpactFrictionNSL") {
			unread.add(path, `is a ${type}`, "the scene goes without it");
			continue;
		}
		const key = [one, other].sort((a, b) => a - b).join();
		if (pairs.has(key) || !groups.includes(one) || !groups.includes(other)) continue;
		const [friction = 0] = numbersOf(attributes, "mu") ?? [];
		const [restitution = 0] = numbersOf(attributes, "e") ?? [];
		pairs.set(key, { between: [materialOf(one), materialOf(other)], friction, restitution });
	}
	for (const [i, one] of groups.entries()) {
		for (const other of groups.slice(i)) {
			if (pairs.has([one, other].join())) continue;
			const problem = `has no law for groups ${one} and ${other}, which do not touch there`;
			unread.add("/data/nslaws", problem, "here they touch without friction");
		}
	}
	return { contact: { friction: 0 }, laws: [...pairs.values()] };
}
