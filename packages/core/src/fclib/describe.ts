/** What a file's headers tell, for any kind and dimension: no matrix values are read, so it is quick for the largest file. */
import { countLaws } from "./contact-laws.js";
import { type FclibFile, guessCount, readInfo, refusalOf } from "./fclib-file.js";
import { geometryNames } from "./geometry.js";
import { fclibSizes } from "./sizes.js";
import type { FclibDescription } from "./types.js";

export function describeFclib(file: FclibFile): FclibDescription {
	const { hdf5, group, kind, dimension, contacts, name } = file;
	const { hasBodies: _hasBodies, ...sizes } = fclibSizes(file);
	const mu = hdf5.reals(`${group}/vectors/mu`, contacts);
	const rolling = kind === "rolling" ? hdf5.reals(`${group}/vectors/mu_r`, contacts) : undefined;
	const laws = countLaws(file);
	const refusal = refusalOf(file);
	return {
		file: name,
		kind,
		dimension,
		...sizes,
		contacts: contacts - (laws?.rolling ?? 0),
		frictionMin: least(mu),
		frictionMax: most(mu),
		...(rolling && { rollingFrictionMin: least(rolling), rollingFrictionMax: most(rolling) }),
		...(laws && { laws }),
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
