/** What a launcher does for a request: it shows what it would do, and does it. */
import { join } from "node:path";
import { packageFolder } from "../base/own.js";
import type { ExitCode, Terminal } from "../cli/command.js";
import type { Run } from "../runs/folder.js";
import type { LaunchRequest } from "./launch-request.js";

export interface Launching {
	/** What would be used, to the letter: a script, a manifest, or commands. Starts nothing, writes nothing. */
	describe(request: LaunchRequest, run: Run): string;
	start(request: LaunchRequest, terminal: Terminal): Promise<ExitCode>;
}

/** The program that starts a line, as it is installed here. */
export const cliProgram = join(packageFolder, "bin/stickslip.mjs");
