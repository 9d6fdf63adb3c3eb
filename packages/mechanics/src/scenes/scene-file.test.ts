import { InputError, Random } from "@stickslip/core";
import { describe, expect, it } from "vitest";
import { describeScene, sceneNames } from "./catalogue.js";
import type { Mistake } from "./mistakes.js";
import { SceneError } from "./mistakes.js";
import { readScene, writeScene } from "./scene-file.js";
import { sceneSchema } from "./schema.js";

type Json = Record<string, unknown>;

/** Two boxes on a floor, as a file has them. */
function boxes(): Json {
	return {
		version: 1,
		name: "boxes",
		gravity: [0, 0, -10],
		step: 0.001,
		until: 1,
		scheme: { name: "half-step" },
		solver: {},
		materials: { wood: { density: 600 }, stone: { density: 2000 } },
		contact: { friction: 0.5 },
		shapes: {
			box: { kind: "box", size: [1, 1, 1] },
			ball: { kind: "sphere", radius: 0.5 },
			needle: { kind: "box", size: [1, 1e-9, 1e-9] },
			floor: { kind: "plane", normal: [0, 0, 1], offset: 0 },
		},
		obstacles: [{ name: "floor", shape: "floor", material: "stone", position: [0, 0, 0] }],
		bodies: [
			{ name: "low", shape: "ball", material: "wood", position: [0, 0, 0.5] },
			{ name: "high", shape: "ball", material: "wood", position: [0, 0, 1.5], isHeld: true },
		],
		events: [{ time: 0.5, kind: "release", bodies: ["high"] }],
	};
}

function mistakesOf(json: string): readonly Mistake[] {
	try {
		readScene(json, "scene.json");
	} catch (error) {
		expect(error).toBeInstanceOf(InputError);
		expect(error).toBeInstanceOf(SceneError);
		return (error as SceneError).mistakes;
	}
	return [];
}

/** The file with one place changed; paths as in messages. */
function changed(path: string, value: unknown): string {
	const file = boxes();
	const parts = path.split(/[.[\]]+/).filter((part) => part !== "");
	const last = parts.pop()!;
	let at: Json = file;
	for (const part of parts) at = at[part] as Json;
	at[last] = value;
	return JSON.stringify(file);
}

/** A digit per coordinate. */
function hullOf(vertices: string): Json {
	return { kind: "polyhedron", vertices: vertices.split(" ").map((digits) => [...digits].map(Number)) };
}

describe("a scene file", () => {
	it("is read", () => {
		const { bodies, model, steps, warnings, speedLimit } = readScene(JSON.stringify(boxes()), "scene.json");
		expect(bodies.own).toBe(2);
		expect([...bodies.mass.subarray(1)]).toEqual(Array(2).fill(expect.closeTo(100 * Math.PI, 10)));
		expect(model.laws[1]).toEqual({ friction: 0.5, restitution: 0 });
		expect(steps).toBe(1000);
		expect(warnings).toEqual([]);
		// Half of the radius in each of sixteen parts of a step.
		expect(speedLimit).toBeCloseTo(4000, 9);
	});

	it("may begin with a mark of its byte order", () => {
		expect(readScene(`\uFEFF${JSON.stringify(boxes())}`, "scene.json").name).toBe("boxes");
	});

	it.each<[string, unknown, string, RegExp]>([
		["version", 2, "version", /is 2; give 1/],
		["colour", 1, "colour", /fields are version, name, gravity, /],
		["bodies[0].colour", 1, "bodies[0].colour", /fields are name, shape, material, position, orientation, /],
		["step", 0, "step", /is 0; give a number above 0/],
		["step", "NaN", "step", /is "NaN"; give a number/],
		["until", 1e10, "until", /is 10000000000000 steps away; end earlier, or give a larger step/],
		["output", { every: 0 }, "output.every", /is 0; give a number above 0/],
		["gravity", [0, 0, null], "gravity[2]", /is null; give a number/],
		["gravity", [0, 0], "gravity", /give three numbers, \[x, y, z\]/],
		["gravity", -9.81, "gravity", /give three numbers, \[x, y, z\]/],
		["bodies[0].position", undefined, "bodies[0].position", /give three numbers, \[x, y, z\]/],
		["bodies[0].orientation", [1, 0, 0], "bodies[0].orientation", /give four numbers, \[w, x, y, z\]/],
		["scheme.name", "euler", "scheme.name", /is "euler"; give half-step or velocity-impulse or moreau/],
		["scheme.theta", 0.7, "scheme.theta", /it is an option of moreau/],
		["solver.tolerance", 0, "solver.tolerance", /is 0; give a number above 0/],
		["solver.set", { colour: 1 }, "solver.set.colour", /is not an option of auto; use one of/],
		["bounds", { lower: [0, 0, 1], upper: [1, 1, 0] }, "bounds.lower[2]", /1 is not below bounds.upper\[2\], 0/],
		["solver.maxIterations", 1.5, "solver.maxIterations", /is 1.5; give an integer/],
		["solver.method", "magic", "solver.method", /is "magic"; give auto or /],
		["materials.wood.density", 0, "materials.wood.density", /is 0; give a number above 0/],
		["materials.wood.density", "heavy", "materials.wood.density", /is "heavy"; give a number/],
		["contact.friction", -0.1, "contact.friction", /is -0.1; give a number of at least 0/],
		["contact.restitution", 1.1, "contact.restitution", /is 1.1; give a number of at most 1/],
		[
			"contact",
			{ friction: 1, law: "sticky" },
			"contact.law",
			/is "sticky"; give coulomb or frictionless or bilateral/,
		],
		["contact", { friction: 1, law: "cohesive" }, "contact.cohesion", /is missing; cohesive needs it/],
		["contact", { friction: 1, cohesion: -1 }, "contact.cohesion", /is -1; give a number of at least 0/],
		[
			"laws",
			[{ between: ["wood", "iron"], friction: 1 }],
			"laws[0].between[1]",
			/there is no material "iron"; add one/,
		],
		["shapes.ball", { kind: "ball", radius: 1 }, "shapes.ball.kind", /is "ball"; give sphere or ellipsoid/],
		["shapes.ball.radius", -1, "shapes.ball.radius", /is -1; give a number above 0/],
		["shapes.box", hullOf("000 400 040 004 111"), "shapes.box.vertices[4]", /not a corner of the hull; leave it out/],
		["shapes.box", hullOf("000 200 020 220"), "shapes.box.vertices", /all vertices are in one plane/],
		["bodies[1].shape", "floor", "bodies[1].shape", /a plane cannot move; make it an obstacle/],
		[
			"bodies[1].shape",
			"cone",
			"bodies[1].shape",
			/there is no shape "cone"; add one to shapes, or choose among box, ball/,
		],
		["obstacles[0].material", "ice", "obstacles[0].material", /there is no material "ice"/],
		["bodies[0].mass", 0, "bodies[0].mass", /is 0; give a number above 0/],
		["bodies[0].inertia", [1, 1, 3, 0, 0, 0], "bodies[0].inertia", /no body has it/],
		["bodies[0].inertia", [1, 1, -1, 0, 0, 0], "bodies[0].inertia", /above zero/],
		["bodies[0].orientation", [0, 0, 0, 0], "bodies[0].orientation", /not all zero/],
		["bodies[0].kind", "pseudo-rigid", "bodies[0].material", /wood has no young; .* give materials.wood.young, above/],
		["bodies[0].shape", "needle", "bodies[0].shape", /is too thin.*make it thicker/],
		["bodies[1].isHeld", false, "events[0].bodies[0]", /high is not held; give it isHeld: true, or the event/],
		["bodies[1].position", [0, 0, 1.4], "bodies[1]", /overlaps bodies\[0\] by 0.1 m; move it/],
		["bodies[0].position", [9, 0, 0.4], "bodies[0]", /overlaps obstacles\[0\] by 0.1 m/],
		["bodies[0].name", "high", "bodies[1].name", /bodies\[0\] is called "high" too/],
		["events[0].time", -1, "events[0].time", /is -1/],
		["events[0].bodies", ["lost"], "events[0].bodies[0]", /there is no body lost/],
		["events[0].bodies", [2], "events[0].bodies[0]", /there is no body 2/],
		["events[0].kind", "explode", "events[0].kind", /give add or release or motion or gravity/],
		[
			"events[1]",
			{ time: 0.4, kind: "gravity", gravity: [0, 0, 0] },
			"events[1].time",
			/0.4 is before the event above/,
		],
		["events[1]", { time: 1, kind: "motion", obstacle: "wall" }, "events[1].obstacle", /there is no obstacle wall/],
		["obstacles[0].motion", [{ from: 1 }, { from: 1 }], "obstacles[0].motion[1].from", /1 is not after 1/],
	])("%s = %j is refused at %s", (path, value, place, message) => {
		const mistakes = mistakesOf(changed(path, value));
		expect(mistakes.map((mistake) => mistake.path)).toEqual([place]);
		expect(`${mistakes[0]!.path}: ${mistakes[0]!.problem}; ${mistakes[0]!.remedy}`).toMatch(message);
	});

	it("has all its mistakes told at once, a line each", () => {
		const file = boxes();
		file.step = -1;
		(file.bodies as Json[])[0]!.mass = "heavy";
		(file.bodies as Json[])[1]!.colour = "red";
		const json = JSON.stringify(file, undefined, "\t");
		// Position of the value behind a name that occurs once.
		const placeOf = (name: string) => {
			const line = json.split("\n").findIndex((each) => each.includes(`"${name}": `));
			return `line ${line + 1}, column ${json.split("\n")[line]!.indexOf(": ") + 3}`;
		};
		expect(mistakesOf(json).map(({ path, at }) => [path, at])).toEqual([
			["step", placeOf("step")],
			["bodies[0].mass", placeOf("mass")],
			["bodies[1].colour", placeOf("colour")],
		]);
		expect(() => readScene(JSON.stringify(file), "scene.json")).toThrow(/^[^\n]+\n[^\n]+\n[^\n]+$/);
	});

	it("tells about bodies that come later, and obstacles as they are then", () => {
		const file = boxes();
		const wall = { shape: "box", material: "stone", position: [5, 0, 0.5] };
		file.obstacles = [...(file.obstacles as Json[]), { ...wall, motion: [{ from: 0, velocity: [-1, 0, 0] }] }];
		const ball = { shape: "ball", material: "wood", position: [3, 0, 0.5] };
		file.events = [{ time: 1, kind: "add", bodies: [ball] }];
		expect(mistakesOf(JSON.stringify(file))).toEqual([]);
		file.events = [{ time: 2, kind: "add", bodies: [ball] }];
		expect(mistakesOf(JSON.stringify(file)).map(({ path }) => path)).toEqual(["events[0].bodies[0]"]);
	});

	it.each([
		["{", /is not JSON/],
		["/* boxes", /comment without its end/],
		['{"a": 1,, }', /^scene.json: line 1, column 9: is not JSON[^\n]*$/],
		['{"step": 1,\n "step": 2}', /line 2, column 2: "step" is given twice, first in line 1, column 2/],
		["", /is not JSON/],
		["[]", /is \[\]; give an object/],
		["null", /is null; give an object/],
		['{"__proto__": {}}', /a field is called __proto__/],
		['{"materials": {"__proto__": {"density": 1}}}', /a field is called __proto__/],
		['{"step": 1e999}', /step \(line 1, column 10\): is Infinity; give a number/],
	])("refuses %s", (json, message) => {
		expect(() => readScene(json, "scene.json")).toThrow(message);
	});

	it("may have comments, trailing commas, and what nothing needs left out", () => {
		const { solver: _, obstacles: __, events: ___, ...file } = boxes();
		const materials = { wood: {}, stone: { density: 2000 } };
		const bodies = [{ shape: "box", material: "stone", position: [0, 0, 1] }];
		const json = JSON.stringify({ ...file, materials, bodies })
			.replace("{", "{ // comment\n/* more */")
			.replace(/}$/, ",}");
		const { description, bodies: made } = readScene(json, "scene.json");
		expect(description).toMatchObject({ solver: {}, obstacles: [], events: [] });
		expect([made.obstacles, made.own]).toEqual([0, 1]);
	});

	it("needs the density of materials that move and have no mass, in the order of mistakes", () => {
		const light = (body: Json) => {
			const file = boxes();
			(file.bodies as Json[])[0] = { ...(file.bodies as Json[])[0], ...body };
			return mistakesOf(
				JSON.stringify({ ...file, materials: { wood: { young: 1, poisson: 0 }, stone: {}, heavy: { density: 1 } } }),
			);
		};
		const places = (mistakes: readonly Mistake[]) => mistakes.map(({ path }) => path);
		expect(places(light({}))).toEqual(["bodies[0].material", "bodies[1].material"]);
		expect(places(light({ mass: 1 }))).toEqual(["bodies[1].material"]);
		expect(places(light({ kind: "pseudo-rigid" }))).toEqual(["bodies[0].material", "bodies[1].material"]);
		expect(places(light({ material: "heavy" }))).toEqual(["bodies[1].material"]);
	});

	it("has lines for mistakes that show only once bodies are made", () => {
		const [mistake] = mistakesOf(changed("bodies[1].position", [0, 0, 1.4]).replace('"bodies":', '"bodies":\n'));
		expect(mistake).toMatchObject({ path: "bodies[1]", at: expect.stringMatching(/^line 2, column \d+$/) });
	});

	it("warns of what is too fast for its step, and too stiff for explicit steps", () => {
		const warnings = (json: string) =>
			readScene(json, "scene.json").warnings.map((each) => `${each.path}: ${each.remedy}`);
		expect(warnings(changed("bodies[0].velocity", [8000, 0, 0]))).toEqual([
			"bodies[0]: give a step of at most 0.0004, or more substeps",
		]);
		expect(warnings(changed("obstacles[0].motion", [{ from: 0, velocity: [0, 0, 8000] }]))).toEqual([
			"obstacles[0].motion[0]: give a step of at most 0.0004, or more substeps",
		]);
		const undivided = changed("scheme", { name: "half-step", substeps: 1 });
		expect(readScene(undivided, "scene.json").speedLimit).toBeCloseTo(250, 10);
		const file = boxes();
		file.materials = { wood: { density: 600, young: 1e10, poisson: 0 }, stone: { density: 1 } };
		(file.bodies as Json[])[0]!.kind = "pseudo-rigid";
		// A sphere breathes along an axis with omega^2 = 5 E / (rho r^2), so steps of 2 / omega are the longest.
		const longest = 2 / Math.sqrt((5 * 1e10) / (600 * 0.25));
		expect(0.8 * longest).toBeCloseTo(0.0000876, 7);
		expect(warnings(JSON.stringify(file))).toEqual([
			`bodies[0]: give a step of at most 0.000087, or a scheme with implicit: true`,
		]);
		file.scheme = { name: "half-step", implicit: true };
		expect(warnings(JSON.stringify(file))).toEqual([]);
	});
});

it("has a schema that lists every field", () => {
	const schema = sceneSchema() as { properties: Json; required: string[]; additionalProperties: boolean };
	expect(Object.keys(schema.properties)).toEqual(expect.arrayContaining([...Object.keys(boxes()), "laws", "bounds"]));
	const optional = ["solver", "obstacles", "events"];
	expect(schema.required).toEqual(Object.keys(boxes()).filter((name) => !optional.includes(name)));
	expect(schema.additionalProperties).toBe(false);
});

describe("files that are damaged", () => {
	const seed = 20_261_119;
	const count = process.env.STICKSLIP_THOROUGH === "1" ? 3000 : 200;
	const texts = sceneNames.map((name) => {
		const few = {
			drum: { bodies: 8 },
			tower: { levels: 2 },
			incline: {},
			roll: {},
			impact: { bodies: 5, width: 0.05 },
		}[name] ?? { bodies: 5 };
		return writeScene(describeScene(name, few));
	});

	it("are read, or refused with paths and remedies, whatever their text", () => {
		const random = new Random(seed);
		for (let k = 0; k < count; k += 1) {
			const text = texts[random.below(texts.length)]!;
			const at = random.below(text.length);
			const byte = String.fromCharCode(32 + random.below(95));
			requireList(random.below(2) === 0 ? text.slice(0, at) + byte + text.slice(at + 1) : text.slice(0, at));
		}
	});

	it("are read, or refused with paths and remedies, whatever stands in a field", () => {
		const random = new Random(seed + 1);
		const values = [
			null,
			true,
			"",
			"x",
			-1,
			0,
			1e-300,
			1e300,
			1.5,
			7,
			[],
			{},
			[1, 2, 3],
			[0, 0, 0],
			{ kind: "sphere" },
		];
		for (let k = 0; k < 2 * count; k += 1) {
			const file: unknown = JSON.parse(texts[random.below(texts.length)]!);
			let at = file as Json;
			let key = "";
			for (;;) {
				const keys = Object.keys(at);
				if (keys.length === 0) break;
				key = keys[random.below(keys.length)]!;
				const next = at[key];
				if (typeof next !== "object" || next === null || random.below(4) === 0) break;
				at = next as Json;
			}
			const what = random.below(10);
			if (what === 0) delete at[key];
			else if (what === 1) at[`${key}x`] = at[key];
			else at[key] = values[random.below(values.length)];
			requireList(JSON.stringify(file));
		}
	});

	function requireList(json: string): void {
		for (const { path, problem, remedy } of mistakesOf(json)) {
			expect(typeof path).toBe("string");
			expect(problem).not.toBe("");
			expect(remedy).not.toBe("");
		}
	}
});
