/** A process that writes a problem, or solves it on two others and prints its own peak. */
import { load, loadHdf5, solveRanks } from "@stickslip/cluster-runner";
import { assembleRigid, generate } from "@stickslip/core";
import { writeFclib } from "@stickslip/core/fclib";

/** How the file stores W: as libfclib does, or in compressed chunks. */
export type Storage = "plain" | "packed";

/** Elements of a chunk, 512 KiB of numbers. */
const CHUNK = 2 ** 16;

/** Which processes read the rows of W. */
export type RowReader = "starter" | "ranks";

export interface StarterResult {
	readonly peakBytes: number;
	readonly seconds: number;
	readonly hash: string;
}

/** A local problem without bodies: W has to be read. */
async function write(path: string, contacts: number, storage: string): Promise<void> {
	const { rigid, ...problem } = generate("spheres", { contacts });
	const plain = storage === "packed" ? `${path}.plain` : path;
	writeFclib(await loadHdf5(), plain, { ...problem, W: assembleRigid(rigid) });
	if (storage !== "packed") return;
	// Loaded here: processes that are measured have no use for it.
	const { packFile } = await import("../testing.js");
	await packFile(plain, path, CHUNK);
}

async function solve(path: string, way: string): Promise<StarterResult> {
	const began = performance.now();
	const { problem } = await load(path, "rows", undefined, () => way === "ranks");
	const { report } = await solveRanks(problem, { ranks: 2, transport: "zeromq", maxIterations: 3 });
	const seconds = (performance.now() - began) / 1000;
	return { peakBytes: 1024 * process.resourceUsage().maxRSS, seconds, hash: report.hash };
}

const [what = "", path = "", contacts, storage = ""] = process.argv.slice(2);
if (what === "write") await write(path, Number(contacts), storage);
else console.log(JSON.stringify(await solve(path, what)));
