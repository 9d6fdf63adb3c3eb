/** The paths of the files of this package, for code that runs from the source, from the build, or from a bundle. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Bundled with all of ours that they need (scripts/lib/bundle.mjs). */
export const BUNDLE_FOLDER = "dist/bundled";

/** The nearest folder above this file that has a manifest. */
function ownFolder(): string {
	let folder = dirname(fileURLToPath(import.meta.url));
	while (!existsSync(join(folder, "package.json")) && dirname(folder) !== folder) folder = dirname(folder);
	return folder;
}

export const packageFolder = ownFolder();

export function programFile(name: "process" | "rank" | "supervised" | "metrics-thread"): string {
	return join(packageFolder, BUNDLE_FOLDER, `${name}.js`);
}
