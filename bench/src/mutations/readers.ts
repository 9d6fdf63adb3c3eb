/** Which readers there are, in which package, how often each is tried of a million, and where their sources are. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { buildSync } from "esbuild";

const packages = fileURLToPath(new URL("../../../packages", import.meta.url));

/** Sources of what tries the readers of a package: for tests, so they are not in what the package builds. */
const sources = {
	core: "src/testing/mutated.ts",
	comm: "src/testing/mutated.ts",
	"cluster-runner": "testing/mutated.ts",
} as const;
export type Home = keyof typeof sources;

export interface Reader {
	readonly home: Home;
	/** As its package calls it. */
	readonly name: string;
	readonly what: string;
	readonly inputs: number;
}

/** Dear ones less often: a file of HDF5 takes some milliseconds, a frame a few microseconds. */
export const READERS: readonly Reader[] = [
	{ home: "core", name: "fclib", what: "FCLIB files", inputs: 20_000 },
	{ home: "cluster-runner", name: "run", what: "files of runs", inputs: 60_000 },
	{ home: "cluster-runner", name: "capsule", what: "capsules", inputs: 100_000 },
	{ home: "cluster-runner", name: "manifest", what: "manifests of checkpoints", inputs: 100_000 },
	{ home: "cluster-runner", name: "part", what: "parts of checkpoints, sums made anew", inputs: 40_000 },
	{ home: "cluster-runner", name: "checkpoint", what: "checkpoints", inputs: 10_000 },
	{ home: "cluster-runner", name: "hub", what: "frames to the hub", inputs: 100_000 },
	{ home: "cluster-runner", name: "member", what: "frames to a member", inputs: 100_000 },
	{ home: "cluster-runner", name: "registry", what: "rendezvous, to the registry", inputs: 80_000 },
	{ home: "cluster-runner", name: "agent", what: "rendezvous, to a node agent", inputs: 80_000 },
	{ home: "cluster-runner", name: "chunks", what: "large messages in chunks", inputs: 60_000 },
	{ home: "cluster-runner", name: "bootstrap", what: "what a member is told at its start", inputs: 20_000 },
	{ home: "cluster-runner", name: "environment", what: "rendezvous, environments", inputs: 20_000 },
	{ home: "comm", name: "wire", what: "frames between ranks", inputs: 210_000 },
];

/** The bundled programs of the packages, each beside its package, where what npm installed is found. */
export function bundled(homes: readonly Home[]): { readonly files: ReadonlyMap<Home, string>; remove(): void } {
	const places: string[] = [];
	const files = homes.map((home): [Home, string] => {
		const cache = join(packages, home, "node_modules", ".cache", "stickslip");
		mkdirSync(cache, { recursive: true });
		const place = mkdtempSync(join(cache, "mutations-"));
		places.push(place);
		const outfile = join(place, "readers.mjs");
		buildSync({
			entryPoints: [join(packages, home, sources[home])],
			outfile,
			bundle: true,
			platform: "node",
			target: "node20",
			format: "esm",
			packages: "external",
			logLevel: "error",
		});
		return [home, pathToFileURL(outfile).href];
	});
	const remove = () => {
		for (const place of places) rmSync(place, { recursive: true, force: true });
	};
	return { files: new Map(files), remove };
}
