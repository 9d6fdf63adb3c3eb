/** The order of the folders inside each package: imports go down it, so that there is no cycle. Tests may import whatever they test. */
import { importsOf, resolved } from "./imports.js";
import { type Finding, isScript, isTest, type TextFile } from "./tree.js";

/** By the sources of a package its folders, lowest first; "" stands for the files beside them. */
export const layers: Readonly<Record<string, readonly string[]>> = {
	"packages/core/src": [
		"base",
		"kernels",
		"problem",
		"generate",
		"state",
		"parallel",
		"outline",
		"sums",
		"measures",
		"factor",
		"system",
		"schwarz",
		"methods",
		"solve",
		"session",
		"fclib",
		"",
	],
	"packages/cluster-runner/src": [
		"base",
		"files",
		"cli",
		"output",
		"protocol",
		"records",
		"checkpoints",
		"placement",
		"processes",
		"parts",
		"programs",
		"ranks",
		"requests",
		"runs",
		"capsule",
		"solve",
		"simulate",
		"session",
		"model",
		"study",
		"studies",
		"service",
		"launch",
		"launchers",
		"commands",
		"",
	],
	"packages/client/src": ["protocol", "base", "connections", "client", ""],
	"packages/browser/src": ["messages", "rank", "session", "page", ""],
	"packages/comm/src": ["base", "threads", "wired", "zeromq", "mpi", ""],
	"packages/mechanics/src": [
		"base",
		"shapes",
		"bodies",
		"broad",
		"narrow",
		"contacts",
		"time",
		"ranks",
		"simulation",
		"scenes",
		"files",
		"",
	],
	"packages/partition/src": ["graph", "geometric", "multilevel", "partition", "shares", "report", ""],
};

export function upwardImports(files: readonly TextFile[], order = layers): Finding[] {
	const findings: Finding[] = [];
	for (const file of files) {
		const sources = Object.keys(order).find((path) => file.path.startsWith(`${path}/`));
		if (sources === undefined || !isScript(file.path) || isTest(file.path)) continue;
		const own = folderOf(file.path, sources);
		if (own === "testing") continue;
		const folders = order[sources]!;
		const refuse = (line: number, message: string) => findings.push({ path: file.path, line, message });
		if (!folders.includes(own)) {
			refuse(0, `the folder ${own} has no place in the order of ${sources}`);
			continue;
		}
		for (const { specifier, line } of importsOf(file)) {
			const target = specifier.startsWith(".") ? resolved(file.path, specifier) : "";
			if (!target.startsWith(`${sources}/`)) continue;
			const other = folderOf(target, sources);
			if (folders.indexOf(other) > folders.indexOf(own))
				refuse(line, `${own} must not know ${other || "the package's entry"}`);
		}
	}
	return findings;
}

function folderOf(path: string, sources: string): string {
	const inside = path.slice(sources.length + 1).split("/");
	return inside.length > 1 ? inside[0]! : "";
}
