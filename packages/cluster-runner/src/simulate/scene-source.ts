/**
 * The scene of a request: one by name with its options, or a scene file of this program or of Siconos; options of the command line for steps, scheme and
 * solver replace its own.
 */
import { closeSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { InputError } from "@stickslip/core";
import {
	describeScene,
	type ImportedScene,
	importSiconos,
	parseScene,
	type SceneDescription,
	sceneNames,
} from "@stickslip/mechanics";
import { unreadable } from "../base/errors.js";
import { loadHdf5 } from "../base/hdf5.js";
import { withoutUndefined } from "../base/without-undefined.js";
import { nearest } from "../cli/nearest.js";
import { isRunFile } from "../files/run-files.js";
import { isSceneFile, type SimulateRequest } from "../requests/simulate-request.js";

/** Of a text that is parsed at once. */
const BYTES_MAX = 2 ** 29;

/** What all HDF5 files begin with. */
const HDF5 = "\x89HDF\r\n\x1a\n";

export async function loadScene(request: SimulateRequest): Promise<ImportedScene> {
	const { step, until, steps, scheme, method, tolerance, measure, set } = request;
	const { description: scene, unread } = await sceneOf(request);
	const length = step ?? scene.step;
	const description: SceneDescription = {
		...scene,
		step: length,
		until: steps === undefined ? (until ?? scene.until) : steps * length,
		scheme: scheme === undefined || scheme === scene.scheme.name ? scene.scheme : { name: scheme },
		solver: { ...scene.solver, ...withoutUndefined({ method, tolerance, measure, set }) },
	};
	return { description, unread };
}

async function sceneOf(request: SimulateRequest): Promise<ImportedScene> {
	if (!isSceneFile(request.scene)) return { description: namedScene(request), unread: [] };
	return await fileScene(request);
}

async function fileScene({ scene: path, options }: SimulateRequest): Promise<ImportedScene> {
	const [given] = Object.keys(options);
	if (given !== undefined) {
		throw new InputError("simulate", `--set ${given}`, "is for scenes by name", `leave it out, or edit ${path}`);
	}
	if (reading(path, () => isRunFile(path)))
		throw new InputError(
			path,
			"file",
			"is the run file of a simulation",
			"name a scene; info and picture take run files",
		);
	if (reading(path, () => beginningOf(path)) === HDF5) return importSiconos(await loadHdf5(), path, path);
	return { description: parseScene(textOf(path), path), unread: [] };
}

function beginningOf(path: string): string {
	const file = openSync(path, "r");
	try {
		const bytes = Buffer.alloc(HDF5.length);
		return bytes.toString("latin1", 0, readSync(file, bytes));
	} finally {
		closeSync(file);
	}
}

function textOf(path: string): string {
	return reading(path, () => {
		const { size } = statSync(path);
		if (size > BYTES_MAX) throw new InputError(path, "file", `has ${size} bytes`, `give at most ${BYTES_MAX}`);
		return readFileSync(path, "utf8");
	});
}

function reading<Value>(path: string, read: () => Value): Value {
	try {
		return read();
	} catch (error) {
		if (error instanceof InputError) throw error;
		throw unreadable(path, error, "check the name");
	}
}

function namedScene({ scene, options }: SimulateRequest): SceneDescription {
	if (sceneNames.includes(scene)) return describeScene(scene, options);
	const meant = nearest(scene, sceneNames);
	const remedy =
		meant === undefined ? `choose among ${sceneNames.join(", ")}, or name a file` : `did you mean ${meant}?`;
	throw new InputError("simulate", "SCENE", `there is no scene "${scene}"`, remedy);
}
