/** What a file's headers tell, for any kind and dimension: no matrix values are read, so it is quick for the largest file. */
import { type FclibFile, guessCount, readInfo, refusalOf } from "./fclib-file.js";
import { geometryNames } from "./geometry.js";
import { type MatrixHeader, matrixHeader } from "./matrix.js";
import type { FclibDescription } from "./types.js";

export function describeFclib(file: FclibFile): FclibDescription {
	const { hdf5, group, kind, dimension, contacts, name } = file;
	const size = dimension * contacts;
	const vectorLength = (of: string): number => hdf5.length(`${group}/vectors/${of}`);
	const matrices: Record<string, MatrixHeader> = {};
	const add = (matrix: string, rows: number, columns: number): void => {
		matrices[matrix] = matrixHeader(hdf5, `${group}/${matrix}`, rows, columns);
	};
	const mixed = hdf5.has(`${group}/${kind === "local" ? "V" : "G"}`);
	const equalityRows = mixed ? vectorLength(kind === "local" ? "s" : "b") : 0;
	const degrees = kind === "local" ? 0 : vectorLength("f");
	if (kind === "local") add("W", size, size);
	else {
		add("M", degrees, degrees);
		add("H", degrees, size);
	}
	if (mixed && kind === "local") {
		add("V", size, equalityRows);
		add("R", equalityRows, equalityRows);
	} else if (mixed) add("G", degrees, equalityRows);
	const mu = hdf5.reals(`${group}/vectors/mu`, contacts);
	const rolling = kind === "rolling" ? hdf5.reals(`${group}/vectors/mu_r`, contacts) : undefined;
	const refusal = refusalOf(file);
	return {
		file: name,
		kind,
		dimension,
		contacts,
		equalityRows,
		...(kind !== "local" && { degreesOfFreedom: degrees }),
		matrices,
		frictionMin: least(mu),
		frictionMax: most(mu),
		...(rolling && { rollingFrictionMin: least(rolling), rollingFrictionMax: most(rolling) }),
		guesses: guessCount(file),
		solution: hdf5.kind("/solution") === "group",
		geometry: geometryNames(file),
		info: readInfo(file),
		...(refusal !== undefined && { refusal }),
	};
}

function least(values: Float64Array): number {
	return values.reduce((best, value) => Math.min(best, value), Number.POSITIVE_INFINITY);
}

function most(values: Float64Array): number {
	return values.reduce((best, value) => Math.max(best, value), Number.NEGATIVE_INFINITY);
}
