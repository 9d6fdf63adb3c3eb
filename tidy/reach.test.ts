/** What a command loads: a solve without a launcher knows of no launcher. */
import { describe, expect, it } from "vitest";
import { importsOf, resolved } from "./imports.js";
import { readTree, type TextFile } from "./tree.js";

const sources = "packages/cluster-runner/src";

/** All files of the package that this one imports, at once or when they are needed, and those that they import; `isLoaded` leaves some out. */
function reach(
	files: readonly TextFile[],
	start: string,
	isLoaded = (_importer: string, _specifier: string): boolean => true,
): Set<string> {
	const byPath = new Map(files.map((file) => [file.path, file]));
	const reached = new Set<string>();
	const open = [start];
	for (let path = open.pop(); path !== undefined; path = open.pop()) {
		const file = byPath.get(path);
		if (file === undefined || reached.has(path)) continue;
		reached.add(path);
		const loaded = importsOf(file).filter(({ specifier }) => isLoaded(file.path, specifier));
		open.push(...loaded.map(({ specifier }) => resolved(path, specifier).replace(/\.js$/, ".ts")));
	}
	return reached;
}

const foldersOf = (paths: ReadonlySet<string>) =>
	new Set([...paths].map((path) => path.slice(sources.length + 1).replace(/\/.*/, "")));

describe("what a command loads", () => {
	const files = readTree();

	it("commands/solve.ts: nothing that launches", () => {
		const folders = foldersOf(reach(files, `${sources}/commands/solve.ts`));
		expect([...folders]).toEqual(expect.arrayContaining(["solve", "ranks", "runs", "requests"]));
		expect([...folders].filter((folder) => folder === "launch" || folder === "launchers")).toEqual([]);
	});

	it("supervised.ts: of launchers only how they start processes", () => {
		// A launcher loads its own launch.ts for `stickslip launch` alone.
		const isLoaded = (importer: string, specifier: string) =>
			!(importer.startsWith(`${sources}/launchers/`) && specifier === "./launch.js");
		const reached = reach(files, `${sources}/supervised.ts`, isLoaded);
		const folders = foldersOf(reached);
		expect([...folders]).toEqual(expect.arrayContaining(["solve", "ranks", "runs", "requests", "launchers"]));
		expect([...folders].filter((folder) => folder === "launch" || folder === "commands")).toEqual([]);
		expect([...reached].filter((path) => /launchers\/\w+\/starter\.ts$/.test(path))).toHaveLength(3);
	});

	it("commands/launch.ts: all launchers", () => {
		const reached = reach(files, `${sources}/commands/launch.ts`);
		for (const name of ["local", "ssh", "slurm", "kubernetes", "mpirun"])
			expect(reached).toContain(`${sources}/launchers/${name}/launch.ts`);
	});
});
