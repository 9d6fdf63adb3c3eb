/** A rank that talks until something ends it: for the test that kills one. Leaves its process id in a folder, and its last words. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Control } from "../base/control.js";
import { Patience } from "../base/patience.js";
import { openMpi } from "../mpi/communicator.js";
import { requireMpi } from "../mpi/library.js";

/** Longer than the test waits, but limited. */
const SECONDS_MAX = 60;

const most = (into: Float64Array, from: Float64Array) => {
	for (let i = 0; i < into.length; i += 1) into[i] = Math.max(into[i]!, from[i]!);
};

const folder = process.argv[2] ?? ".";
const control = Control.create();
const patience = new Patience({ control, seconds: SECONDS_MAX, spins: 2000 });
const communicator = openMpi({ library: requireMpi(), control, patience });
communicator.barrier();
writeFileSync(join(folder, `pid-${communicator.rank}`), String(process.pid));
const end = performance.now() + 1000 * SECONDS_MAX;
while (performance.now() < end) communicator.reduce(new Float64Array(4), most);
