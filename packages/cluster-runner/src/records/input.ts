/** Standard input of a run: it can be read once, but a run may be started often, so it is kept as a file in the run's folder. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { takeIn } from "../files/load.js";
import { writeWholeBy } from "../files/write.js";
import { FILES } from "./files.js";

/** The file that standard input is kept in; read now if it does not exist yet. For the process that creates a run, and for the run itself. */
export async function keepInput(folder: string): Promise<string> {
	const path = join(folder, FILES.input);
	if (existsSync(path)) return path;
	await writeWholeBy(path, (file) => takeIn(file, "standard input"), { isPrivate: true });
	return path;
}
