/** What two revisions are compared by. Each case uses the packages of the revision that it is given, and is the same program for both. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { RankTask } from "./reduction-rank.js";
import { type Clock, processorClock, wallClock, windowOf } from "./window.js";

/** The built packages of a revision, each loaded when a case asks for it. */
interface Packages {
	readonly root: string;
	core(): Promise<Core>;
	comm(): Promise<typeof import("@stickslip/comm")>;
	mechanics(): Promise<typeof import("@stickslip/mechanics")>;
	runner(): Promise<typeof import("@stickslip/cluster-runner")>;
}
type Core = typeof import("@stickslip/core");

interface OpenCase {
	/** One measurement, in the unit of the case. */
	sample(): Promise<number>;
	/** Of the answer, where there is one. */
	readonly hash?: string;
	close?(): Promise<void> | void;
}

export interface ComparisonCase {
	readonly name: string;
	readonly unit: "ms" | "us" | "MiB";
	/** `size` is 1, and less in tests, which only want to see it run. */
	open(packages: Packages, size: number): Promise<OpenCase>;
}

type Generated = Parameters<Core["generate"]>;
type SolveOptions = NonNullable<Parameters<Core["solve"]>[1]>;
const SEED = 3;

function problemOf(core: Core, [name, contacts]: readonly [Generated[0], number], size: number) {
	return core.generate(name, { contacts: Math.max(20, Math.round(contacts * size)), seed: SEED });
}

/** Milliseconds of one call of `body`. */
function timed(size: number, clock: Clock, body: () => unknown): () => Promise<number> {
	return windowOf(body, clock, size < 1 ? 0 : undefined);
}

function product(operator: "assembled" | "matrix-free"): ComparisonCase {
	return {
		name: `product-${operator}`,
		unit: "us",
		async open(packages, size) {
			const core = await packages.core();
			const { input, multiply } = core.makeProduct(problemOf(core, ["spheres", 3000], size), { operator });
			for (let i = 0; i < input.length; i += 1) input[i] = input[i] === 0 && i % 3 === 0 ? 1 : input[i]!;
			const sample = timed(size, processorClock, multiply);
			return { sample: async () => 1000 * (await sample()) };
		},
	};
}

function solveOf(name: string, problem: readonly [Generated[0], number], options: SolveOptions = {}): ComparisonCase {
	return {
		name: `solve-${name}`,
		unit: "ms",
		async open(packages, size) {
			const core = await packages.core();
			const made = problemOf(core, problem, size);
			const { report } = core.solve(made, options);
			return { sample: timed(size, processorClock, () => core.solve(made, options)), hash: report.hash };
		},
	};
}

function onRanks(transport: "threads" | "zeromq"): ComparisonCase {
	return {
		name: `ranks-${transport}`,
		unit: "ms",
		async open(packages, size) {
			const problem = problemOf(await packages.core(), ["spheres", 300], size);
			const session = await (await packages.runner()).openSession({ ranks: 2, transport, cutFrom: 0 });
			const { report } = await session.solve(problem);
			const sample = timed(size, wallClock, () => session.solve(problem));
			return { sample, hash: report.hash, close: () => session.close() };
		},
	};
}

const setUp: ComparisonCase = {
	name: "set-up",
	unit: "ms",
	async open(packages, size) {
		const core = await packages.core();
		const problem = problemOf(core, ["spheres", 3000], size);
		return { sample: timed(size, processorClock, () => core.prepareSolver(problem)) };
	},
};

const newValues: ComparisonCase = {
	name: "new-values",
	unit: "ms",
	async open(packages, size) {
		const core = await packages.core();
		const problem = problemOf(core, ["spheres", 3000], size);
		const solver = core.prepareSolver(problem);
		return { sample: timed(size, processorClock, () => solver.setUp(problem)) };
	},
};

const rankFile = fileURLToPath(new URL("../../dist/against/reduction-rank.js", import.meta.url));

const reduction: ComparisonCase = {
	name: "reduction-threads",
	unit: "us",
	async open(packages, size) {
		const [{ root }, comm] = [packages, await packages.comm()];
		const count = size < 1 ? 10 : 20_000;
		const sample = async (): Promise<number> => {
			const [control, shared] = [comm.Control.create(), comm.shareThreads(2)];
			const task = (rank: number): RankTask => ({ root, rank, count, shared, control: control.buffer });
			const [milliseconds = Number.NaN] = (await comm.runWorkers({
				ranks: 2,
				file: rankFile,
				task,
				control,
			})) as number[];
			return (1000 * milliseconds) / count;
		};
		return { sample };
	},
};

const scene: ComparisonCase = {
	name: "scene-drum",
	unit: "ms",
	async open(packages, size) {
		const [mechanics, runner] = [await packages.mechanics(), await packages.runner()];
		const description = mechanics.describeScene("drum", { bodies: Math.max(5, 60 * size) });
		const steps = Math.max(5, 100 * size);
		const once = () => runner.simulateScene(description, { steps, ranks: 1 });
		const { hash } = await once();
		return { sample: timed(size, processorClock, once), hash };
	},
};

/** Milliseconds of processorClock time of a process that runs to its end. */
function processTime(words: readonly string[]): number {
	const hook = `import { writeSync } from "node:fs"; process.on("exit", () => { const { user, system } = process.cpuUsage(); writeSync(3, String(user + system)); });`;
	const all = ["--import", `data:text/javascript,${encodeURIComponent(hook)}`, ...words];
	const { output, status, stderr } = spawnSync(process.execPath, all, { stdio: ["ignore", "ignore", "pipe", "pipe"] });
	if (status !== 0) throw new Error(`${words.join(" ")} ended with ${status}: ${stderr}`);
	return Number(output[3]) / 1000;
}

/** A command, `stickslip solve` with a file to solve. */
function command(name: string, words: readonly string[]): ComparisonCase {
	return {
		name: `start-${name}`,
		unit: "ms",
		async open({ root }, size) {
			const folder = mkdtempSync(join(tmpdir(), "stickslip-against-"));
			const program = join(root, "packages/cluster-runner/bin/stickslip.mjs");
			const file = join(folder, "pile.hdf5");
			const contacts = String(Math.max(20, 300 * size));
			const isSolve = words[0] === "solve";
			if (isSolve) processTime([program, "generate", "spheres", "--contacts", contacts, "--output", file]);
			const line = [program, ...words, ...(isSolve ? [file] : [])];
			return { sample: async () => processTime(line), close: () => rmSync(folder, { recursive: true, force: true }) };
		},
	};
}

const memory: ComparisonCase = {
	name: "memory-solve",
	unit: "MiB",
	async open({ root }, size) {
		const core = pathToFileURL(join(root, "packages/core/dist/index.js")).href;
		const contacts = Math.max(20, 10_000 * size);
		const text = `import { generate, solve } from ${JSON.stringify(core)};
			solve(generate("spheres", { contacts: ${contacts}, seed: ${SEED} }), { maxIterations: 20 });
			console.log(process.resourceUsage().maxRSS / 1024);`;
		const sample = async () => {
			const words = ["--input-type=module", "--eval", text];
			const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: "utf8" });
			if (status !== 0) throw new Error(`a solve of ${contacts} contacts ended with ${status}: ${stderr}`);
			return Number(stdout);
		};
		return { sample };
	},
};

export const cases: readonly ComparisonCase[] = [
	product("assembled"),
	product("matrix-free"),
	reduction,
	setUp,
	newValues,
	solveOf("spheres-300", ["spheres", 300]),
	solveOf("spheres-3000", ["spheres", 3000]),
	solveOf("planks-1000", ["planks", 1000]),
	solveOf("sweeps", ["planks", 1000], { method: "gauss-seidel", maxIterations: 100 }),
	solveOf("pqn-diagonal", ["spheres", 1000], { method: "pqn-diagonal", maxIterations: 200 }),
	onRanks("threads"),
	onRanks("zeromq"),
	scene,
	command("version", ["--version"]),
	command("solve", ["solve"]),
	memory,
];

/** Of the built copy of the repository in that folder. */
export function packagesIn(root: string): Packages {
	const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { name?: string };
	if (manifest.name !== "stickslip") throw new Error(`${root} is not a copy of this repository`);
	const load = (name: string) => import(pathToFileURL(join(root, "packages", name, "dist/index.js")).href);
	return {
		root,
		core: () => load("core"),
		comm: () => load("comm"),
		mechanics: () => load("mechanics"),
		runner: () => load("cluster-runner"),
	};
}
