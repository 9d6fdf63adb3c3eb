/** What is in a folder. */
import { readdirSync } from "node:fs";

/** Of a folder that comes and goes, or cannot be read: then there are none. */
export function namesIn(folder: string): string[] {
	try {
		return readdirSync(folder);
	} catch {
		return [];
	}
}
