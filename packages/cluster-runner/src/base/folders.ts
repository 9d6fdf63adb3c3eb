/** What is in a folder, and folders that are made. */
import { existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** Of a folder that may be missing or unreadable: then there are none. */
export function namesIn(folder: string): string[] {
	try {
		return readdirSync(folder);
	} catch {
		return [];
	}
}

/** With those around it, one by one: Node's own recursive way never ends where a folder exists in which none can be made (/proc). */
export function makeFolders(path: string): void {
	const missing: string[] = [];
	for (let at = resolve(path); !existsSync(at); at = dirname(at)) missing.push(at);
	for (const folder of missing.reverse()) {
		try {
			mkdirSync(folder);
		} catch (error) {
			// Somebody else may have made it meanwhile.
			if (!existsSync(folder)) throw error;
		}
	}
	if (!statSync(path).isDirectory()) throw Object.assign(new Error("is not a folder"), { code: "ENOTDIR" });
}
