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
import { isSceneFile, nameOfSceneOption, type SimulateRequest } from "../requests/simulate-request.js";

/** Of a text that is parsed at once. */
const BYTES_MAX = 2 ** 29;

/** What all HDF5 files begin with. */
const HDF5 = "\x89HDF\r\n\x1a\n";

export interface LoadedScene extends ImportedScene {
	/** Text of a scene file, for the lines of mistakes that are found later. */
	readonly text?: string;
}

export async function loadScene(request: SimulateRequest): Promise<LoadedScene> {
	const { step, until, steps, scheme, substeps, method, tolerance, measure, set } = request;
	const { description: scene, ...rest } = await sceneOf(request);
	const length = step ?? scene.step;
	// Other options of a scheme belong to it; the law of restitution does not depend on it.
	const { restitutionLaw } = scene.scheme;
	const law = restitutionLaw && { restitutionLaw };
	const description: SceneDescription = {
		...scene,
		step: length,
		until: steps === undefined ? (until ?? scene.until) : steps * length,
		scheme: {
			...(scheme === undefined || scheme === scene.scheme.name ? scene.scheme : { name: scheme, ...law }),
			...withoutUndefined({ substeps }),
		},
		solver: { ...scene.solver, ...withoutUndefined({ method, tolerance, measure, set }) },
	};
	return { description, ...rest };
}

async function sceneOf(request: SimulateRequest): Promise<LoadedScene> {
	if (!isSceneFile(request.scene)) return { description: namedScene(request), unread: [] };
	return await fileScene(request);
}

async function fileScene({ scene: path, options }: SimulateRequest): Promise<LoadedScene> {
	const [given] = Object.keys(options);
	if (given !== undefined) {
		throw new InputError(
			"simulate",
			nameOfSceneOption(given),
			"is for scenes by name",
			`leave it out, or edit ${path}`,
		);
	}
	if (reading(path, () => isRunFile(path))) {
		const remedy = "name a scene; stickslip info and picture show a run, and resume continues it";
		throw new InputError(path, "file", "is the run file of a simulation", remedy);
	}
	if (reading(path, () => beginningOf(path)) === HDF5) return importSiconos(await loadHdf5(), path, path);
	const text = textOf(path);
	return { description: parseScene(text, path), unread: [], text };
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
	if (sceneNames.includes(scene)) {
		try {
			return describeScene(scene, options);
		} catch (error) {
			if (!(error instanceof InputError)) throw error;
			throw new InputError("simulate", nameOfSceneOption(error.place), error.problem, error.remedy);
		}
	}
	const meant = nearest(scene, sceneNames);
	const remedy =
		meant === undefined ? `choose among ${sceneNames.join(", ")}, or name a file` : `did you mean ${meant}?`;
	throw new InputError("simulate", "SCENE", `there is no scene "${scene}"`, remedy);
}
