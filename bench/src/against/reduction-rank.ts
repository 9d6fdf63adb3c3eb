/** One of two threads that add a number as often as they are told, with the communicator of the revision that is measured. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ThreadsShared } from "@stickslip/comm";

export interface RankTask {
	/** Of the revision. */
	readonly root: string;
	readonly rank: number;
	readonly count: number;
	readonly shared: ThreadsShared;
	readonly control: SharedArrayBuffer;
}

/** Milliseconds of all reductions. */
export default async ({ root, rank, count, shared, control: buffer }: RankTask): Promise<number> => {
	const file = pathToFileURL(join(root, "packages/comm/dist/index.js")).href;
	const { Control, cores, Patience, spinsFor, ThreadsCommunicator }: typeof import("@stickslip/comm") = await import(
		file
	);
	const control = new Control(buffer);
	const patience = new Patience({ control, spins: spinsFor(shared.size, cores().length) });
	const communicator = new ThreadsCommunicator({ shared, rank, control, patience });
	const values = new Float64Array(1);
	const add = (into: Float64Array, from: Float64Array): void => {
		into[0] = into[0]! + from[0]!;
	};
	let started = 0;
	for (const times of [Math.ceil(count / 10), count]) {
		communicator.barrier();
		started = performance.now();
		for (let k = 0; k < times; k += 1) {
			values[0] = k;
			communicator.reduce(values, add);
		}
		if (values[0] !== shared.size * (times - 1)) throw new Error(`a wrong sum: ${values[0]}`);
	}
	return performance.now() - started;
};
