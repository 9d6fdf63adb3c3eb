/** Standard input of a run: it comes once, and a run may be started often, so it is kept as a file in the run's folder. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { takeIn } from "../files/load.js";
import { writeWholeBy } from "../files/write.js";
import { FILES } from "./files.js";

/** The file that standard input is kept in; taken in now where it is not there yet. For whoever makes a run, and for the line inside of it. */
export async function keepInput(folder: string): Promise<string> {
	const path = join(folder, FILES.input);
	if (existsSync(path)) return path;
	await writeWholeBy(path, (file) => takeIn(file, "standard input"), { isPrivate: true });
	return path;
}
