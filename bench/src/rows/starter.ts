/** A process that writes a problem, or solves it on two others and says what it held itself. */
import { load, loadHdf5, solveRanks } from "@stickslip/cluster-runner";
import { assembleRigid, generate } from "@stickslip/core";
import { writeFclib } from "@stickslip/core/fclib";

/** Who reads the rows of W. */
export type Way = "starter" | "ranks";

export interface Started {
	readonly peakBytes: number;
	readonly seconds: number;
	readonly hash: string;
}

/** A local problem without bodies: W has to be read. */
async function write(path: string, contacts: number): Promise<void> {
	const { rigid, ...problem } = generate("spheres", { contacts });
	writeFclib(await loadHdf5(), path, { ...problem, W: assembleRigid(rigid) });
}

async function solve(path: string, way: string): Promise<Started> {
	const began = performance.now();
	const { problem } = await load(path, "rows", undefined, () => way === "ranks");
	const { report } = await solveRanks(problem, { ranks: 2, transport: "zeromq", maxIterations: 3 });
	const seconds = (performance.now() - began) / 1000;
	return { peakBytes: 1024 * process.resourceUsage().maxRSS, seconds, hash: report.hash };
}

const [what = "", path = "", contacts] = process.argv.slice(2);
if (what === "write") await write(path, Number(contacts));
else console.log(JSON.stringify(await solve(path, what)));
