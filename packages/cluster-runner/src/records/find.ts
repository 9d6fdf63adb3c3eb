/** Finds runs by id, by the beginning or end of an id, by path, or as "last". */
import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { InputError } from "@stickslip/core";
import { codeOf, codeOrText } from "../base/errors.js";
import { edits } from "../cli/nearest.js";
import { FILES } from "./files.js";
import { requireOwnRuns } from "./own.js";

/** The ids of all runs, the newest last: ids begin with the time. Other files are left out. */
export function listRuns(runs: string): string[] {
	requireOwnRuns(runs);
	try {
		const names = readdirSync(runs).filter((name) => !name.startsWith("."));
		return names.filter((name) => existsSync(join(runs, name, FILES.run))).sort();
	} catch (error) {
		if (codeOf(error) === "ENOENT") return [];
		throw new InputError("runs", runs, `cannot be read (${codeOrText(error)})`, "name another folder");
	}
}

/** The folder of the run that is meant. */
export function findRun(runs: string, name = "last"): string {
	// A path has a slash; "." is one too.
	if (/[/\\]|^\.{1,2}$/.test(name)) return runAt(resolve(name));
	// An empty name matches every id, and is most likely an unset variable of a script.
	if (name === "") throw new InputError("runs", '""', "is not a run", "name one, or last");
	const ids = listRuns(runs);
	if (name === "last") {
		const last = ids.at(-1);
		if (last === undefined) throw new InputError("runs", runs, "there are no runs", "create one with stickslip launch");
		return join(runs, last);
	}
	if (ids.includes(name)) return join(runs, name);
	// The letters at the end are what is read off a screen most easily.
	const found = ids.filter((id) => id.startsWith(name) || id.endsWith(`-${name}`));
	const [first, second] = found;
	if (second !== undefined) {
		const remedy = "give more of the id";
		throw new InputError("runs", name, `${found.length} runs match, e.g. ${first} and ${second}`, remedy);
	}
	if (first !== undefined) return join(runs, first);
	const meant = nearestId(name, ids);
	const remedy = meant === undefined ? "stickslip runs lists all" : `did you mean ${meant}?`;
	throw new InputError("runs", name, "no such run", remedy);
}

function runAt(path: string): string {
	if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
		throw new InputError("runs", path, "is not a folder", "name the folder of a run");
	}
	if (!existsSync(join(path, FILES.run))) {
		throw new InputError("runs", basename(path), `has no ${FILES.run}, so it is not a run`, "stickslip runs lists all");
	}
	return path;
}

/** The id nearest to the given text: as a whole, by its beginning, or by its last letters. */
function nearestId(name: string, ids: readonly string[]): string | undefined {
	const distances = ids.map((id) => {
		const parts = [id.slice(0, name.length), id.slice(-name.length)];
		return Math.min(edits(name, id), ...parts.map((part) => 1 + edits(name, part)));
	});
	const least = Math.min(...distances);
	return least <= Math.max(1, name.length / 2) ? ids[distances.indexOf(least)] : undefined;
}
