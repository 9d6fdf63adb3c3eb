/** What is in a folder. */
import { readdirSync } from "node:fs";

/** Of a folder that may be missing or unreadable: then there are none. */
export function namesIn(folder: string): string[] {
	try {
		return readdirSync(folder);
	} catch {
		return [];
	}
}
