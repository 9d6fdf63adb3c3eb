/** What each WHERE can do with what was asked: say what it would use, and do it. */
import { fileURLToPath } from "node:url";
import type { ExitCode, Terminal } from "../command.js";
import type { Run } from "../runs/folder.js";
import type { Asked } from "./asked.js";

export interface Launcher {
	/** What would be used, to the letter: a script, a manifest, or commands. Starts nothing, writes nothing. */
	describe(asked: Asked, run: Run): string;
	start(asked: Asked, terminal: Terminal): Promise<ExitCode>;
}

/** The program that starts a line, as it is installed here. */
export const program = fileURLToPath(new URL("../../bin/stickslip.mjs", import.meta.url));
