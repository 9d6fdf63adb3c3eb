/** Files that a job reads and writes, for launchers whose hosts have other files than this one. */
import type { CommandLine } from "./command-line.js";
import { isSceneFile } from "./simulate-request.js";
import { studyFiles } from "./study-request.js";

/** File or folder that a job writes, with the option that names it. */
export interface JobOutput {
	readonly option: string;
	readonly path: string;
}

/** Input files and patterns as they were written; undefined for a service, which has none. */
export function jobInputs({ solve, simulate, study }: CommandLine): readonly string[] | undefined {
	if (simulate !== undefined) return isSceneFile(simulate.scene) ? [simulate.scene] : [];
	return solve?.inputs ?? (study && studyFiles(study));
}

export function jobOutputs({ solve, simulate, study }: CommandLine): readonly JobOutput[] {
	const { output, report, capsule } = solve ?? simulate ?? {};
	const named: readonly (readonly [string, string | undefined])[] = [
		["--output", output ?? study?.output],
		["--report", report],
		["--capsule", capsule],
		["--csv", simulate?.csv],
		["--picture", simulate?.picture],
		["--dump-folder", simulate?.dump?.folder],
	];
	return named.flatMap(([option, path]) => (path === undefined ? [] : [{ option, path }]));
}
