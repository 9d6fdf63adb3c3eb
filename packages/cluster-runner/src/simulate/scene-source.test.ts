import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeScene, writeScene } from "@stickslip/mechanics";
import { File } from "h5wasm/node";
import { afterAll, expect, it } from "vitest";
import { loadScene } from "./scene-source.js";

const folder = mkdtempSync(join(tmpdir(), "stickslip-scene-"));
afterAll(() => rmSync(folder, { recursive: true }));

const request = (scene: string) =>
	({ command: "simulate", scene, options: {}, onFailure: "stop", json: false }) as const;

it("is a scene by name, or of a file, with what the line says", async () => {
	const path = join(folder, "roll.json");
	const scene = describeScene("roll");
	writeFileSync(path, writeScene(scene));
	expect((await loadScene(request("roll"))).description).toEqual(scene);
	expect((await loadScene(request(path))).description).toEqual(scene);
	const changed = await loadScene({
		...request(path),
		step: 0.01,
		steps: 7,
		scheme: "moreau",
		substeps: 3,
		method: "pqn",
	});
	expect(changed.description).toEqual({
		...scene,
		...{ step: 0.01, until: 0.07, scheme: { name: "moreau", substeps: 3 }, solver: { method: "pqn" } },
	});
});

it("keeps its law of restitution with another scheme", async () => {
	const path = join(folder, "poisson.json");
	const scheme = { name: "velocity-impulse", recovery: 0.5, restitutionLaw: "poisson" } as const;
	writeFileSync(path, writeScene({ ...describeScene("roll"), scheme }));
	const { description } = await loadScene({ ...request(path), scheme: "half-step" });
	expect(description.scheme).toEqual({ name: "half-step", restitutionLaw: "poisson" });
	expect((await loadScene({ ...request(path), scheme: "velocity-impulse" })).description.scheme).toEqual(scheme);
});

it("is of Siconos where the file is HDF5", async () => {
	const path = join(folder, "scene.h5");
	const file = new File(path, "w");
	for (const group of ["/data", "/data/ref", "/data/input", "/data/nslaws", "/data/joints", "/data/joints/hinge"]) {
		file.create_group(group);
	}
	file.close();
	const { description, unread } = await loadScene(request(path));
	expect(description.bodies).toEqual([]);
	expect(unread.map((each) => each.path)).toEqual(["/data/joints"]);
});

it("is refused where there is no such scene or file", async () => {
	await expect(loadScene(request("rol"))).rejects.toThrow(/there is no scene "rol"; did you mean roll\?/);
	await expect(loadScene(request("./none.json"))).rejects.toMatchObject({ source: "./none.json", place: "" });
	const path = join(folder, "empty.json");
	writeFileSync(path, "");
	await expect(loadScene(request(path))).rejects.toThrow(/is not JSON/);
});

it.each([
	["drum", { bodies: 0 }, "--bodies"],
	["drum", { bodies: "many" }, "--bodies"],
	["drum", { shape: "cones" }, "--shape"],
	["roll", { bodies: 4 }, "--bodies"],
	["drum", { friction: -1 }, "--set friction"],
	["drum", { colour: 1 }, "--set colour"],
	["./drum.json", { bodies: 4 }, "--bodies"],
] as const)("names the option of the command that is wrong: %s %j", async (scene, options, place) => {
	const refused = { source: "simulate", place };
	await expect(loadScene({ ...request(scene), options })).rejects.toMatchObject(refused);
});
