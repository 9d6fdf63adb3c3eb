/** Existing files of simulations are replaced only with --overwrite: what they hold may have taken days. */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { InputError } from "@stickslip/core";
import { landing } from "../files/links.js";
import { partPaths, xdmfPath } from "../files/run-names.js";

export interface FreshFiles {
	readonly output?: string | undefined;
	readonly csv?: string | undefined;
	readonly "write-scene"?: string | undefined;
	readonly overwrite?: boolean | undefined;
}

/** Throws if a file of an earlier simulation would be lost. `own`: files that the same run has written before, as absolute paths. */
export function requireFresh({ overwrite, ...wanted }: FreshFiles, own: readonly string[] = []): void {
	if (overwrite === true) return;
	for (const option of ["output", "csv", "write-scene"] as const) {
		const path = wanted[option];
		if (path === undefined) continue;
		const file = landing(resolve(path));
		if (own.includes(file)) continue;
		const files = option === "output" ? [...partPaths(file), xdmfPath(file)] : [file];
		const found = files.find((each) => (statSync(each, { throwIfNoEntry: false })?.size ?? 0) > 0);
		if (found === undefined) continue;
		const remedy = "add --overwrite to replace it, or write to another file";
		throw new InputError("simulate", `--${option}`, `${found} exists`, remedy);
	}
}
