/** The scene that a request asks for: one by name with its options, or a file; with what the line says of steps, scheme and solver in place of its own. */
import { readFileSync, statSync } from "node:fs";
import { InputError } from "@stickslip/core";
import { describeScene, parseScene, type SceneDescription, sceneNames } from "@stickslip/mechanics";
import { codeOrText } from "../base/errors.js";
import { withoutUndefined } from "../base/without-undefined.js";
import { nearest } from "../cli/nearest.js";
import type { SimulateRequest } from "../requests/simulate-request.js";

/** Of a text that is parsed at once. */
const BYTES_MAX = 2 ** 29;

export function descriptionOf(request: SimulateRequest): SceneDescription {
	const { step, until, steps, scheme, method, tolerance, measure, set } = request;
	const scene = isFile(request.scene) ? fileScene(request) : namedScene(request);
	const length = step ?? scene.step;
	return {
		...scene,
		step: length,
		until: steps === undefined ? (until ?? scene.until) : steps * length,
		scheme: scheme === undefined || scheme === scene.scheme.name ? scene.scheme : { name: scheme },
		solver: { ...scene.solver, ...withoutUndefined({ method, tolerance, measure, set }) },
	};
}

/** What has a dot or a slash is a file. */
function isFile(scene: string): boolean {
	return /[./\\]/.test(scene);
}

function fileScene({ scene: path, options }: SimulateRequest): SceneDescription {
	const [given] = Object.keys(options);
	if (given !== undefined) {
		throw new InputError("simulate", `--set ${given}`, "is for scenes by name", `leave it out, or edit ${path}`);
	}
	return parseScene(textOf(path), path);
}

function textOf(path: string): string {
	try {
		const { size } = statSync(path);
		if (size > BYTES_MAX) throw new InputError(path, "file", `has ${size} bytes`, `give at most ${BYTES_MAX}`);
		return readFileSync(path, "utf8");
	} catch (error) {
		if (error instanceof InputError) throw error;
		throw new InputError(path, "file", `cannot be read (${codeOrText(error)})`, "check the name");
	}
}

function namedScene({ scene, options }: SimulateRequest): SceneDescription {
	if (sceneNames.includes(scene)) return describeScene(scene, options);
	const meant = nearest(scene, sceneNames);
	const remedy =
		meant === undefined ? `choose among ${sceneNames.join(", ")}, or name a file` : `did you mean ${meant}?`;
	throw new InputError("simulate", "SCENE", `there is no scene "${scene}"`, remedy);
}
