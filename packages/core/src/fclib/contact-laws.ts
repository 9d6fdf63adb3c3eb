/**
 * `/contact_laws`, ours, beside the FCLIB groups: which law each contact has, by its code (`law`), and eight numbers of each contact for it (`parameters`;
 * problem/laws.ts). FCLIB knows Coulomb's law only, and other readers take the file for a problem with that everywhere.
 */
import { type ContactLaws, LAWS, type LawName, lawsOf, PARAMETERS } from "../problem/laws.js";
import type { Problem } from "../problem/problem.js";
import type { FclibFile } from "./fclib-file.js";
import type { Hdf5Writer, Steps } from "./hdf5-writer.js";

export const CONTACT_LAWS = "/contact_laws";

/** Undefined where the file has none: Coulomb's everywhere. Whether the codes and numbers make sense is the problem's check. */
export function readLaws({ hdf5, contacts }: FclibFile): ContactLaws | undefined {
	if (hdf5.kind(CONTACT_LAWS) !== "group") return undefined;
	hdf5.requireLength(`${CONTACT_LAWS}/law`, contacts);
	const codes = hdf5.integers(`${CONTACT_LAWS}/law`);
	const wrong = codes.findIndex((code) => code < 0 || code > 255);
	if (wrong >= 0) {
		hdf5.fail(`${CONTACT_LAWS}/law[${wrong}]`, `is ${codes[wrong]}`, `codes of laws go from 0 to ${LAWS.length - 1}`);
	}
	const parameters = hdf5.limits(`${CONTACT_LAWS}/parameters`, PARAMETERS * contacts);
	return { law: Uint8Array.from(codes), parameters };
}

export function* writeLaws(writer: Hdf5Writer, problem: Problem): Steps {
	const laws = lawsOf(problem);
	if (laws === undefined) return;
	writer.group(CONTACT_LAWS);
	yield* writer.numbers(`${CONTACT_LAWS}/law`, Int32Array.from(laws.law));
	yield* writer.numbers(`${CONTACT_LAWS}/parameters`, laws.parameters, PARAMETERS);
}

/** How many contacts have each law, by name; undefined where the file says nothing. */
export function countLaws(file: FclibFile): Partial<Record<LawName | "unknown", number>> | undefined {
	const laws = readLaws(file);
	if (laws === undefined) return undefined;
	const counts: Partial<Record<LawName | "unknown", number>> = {};
	for (const code of laws.law) {
		const name = LAWS[code] ?? "unknown";
		// A rolling contact has two blocks.
		counts[name] = (counts[name] ?? 0) + (name === "rolling" ? 0.5 : 1);
	}
	return counts;
}
