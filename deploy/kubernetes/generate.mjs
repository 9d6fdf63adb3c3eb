/**
 * `node deploy/kubernetes/generate.mjs`: writes the manifests of this folder as `stickslip launch kubernetes --dry-run` prints them, with a name and a
 * key to fill in where a run has its own.
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const program = fileURLToPath(new URL("../../packages/cluster-runner/bin/stickslip.mjs", import.meta.url));

/** What the command prints, as it is. */
export function printed(words) {
	return execFileSync(process.execPath, [program, "launch", "kubernetes", ...words], {
		encoding: "utf8",
		timeout: 30_000,
	});
}

const size = ["--nodes", "4", "--ranks-per-node", "8", "--memory", "16G", "--restarts", "3", "--claim", "stickslip"];
const line = ["--dry-run", "--", "solve", "pile.hdf5", "--output", "solved.hdf5"];

/** The files of this folder by name. */
export const files = {
	"job.yaml": [...size, ...line],
	"jobset.yaml": [...size, "--jobset", ...line],
};

/** The text of one of them: no two runs have the same name and key, and a key that is in a repository is none. */
export function manifest(name) {
	const text = printed(files[name])
		.replaceAll(/\b\d{8}-\d{6}-pile-[a-z]{4}\b/g, "20260101-000000-pile-run")
		.replaceAll(/\bstickslip-pile-[a-z]{4}\b/g, "stickslip-pile-run")
		.replace(/^( +key: )"?[0-9a-f]{64}"?$/m, "$1KEY");
	return `# ${name}, written by generate.mjs; README.md says how to use it.\n${text}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	for (const name of Object.keys(files)) writeFileSync(join(here, name), manifest(name));
}
