/** Two processes of two threads each, threads+mpi, on each library that is installed. */
import { afterAll, describe, it } from "vitest";
import { bundle } from "../testing/bundle.js";
import { conformance } from "../testing/conformance.js";
import { installed, runMpi } from "../testing/mpi-start.js";

const program = bundle(new URL("../testing/mpi-joined.ts", import.meta.url));
afterAll(() => program.remove());

for (const kind of ["openmpi", "mpich"] as const) {
	const mpirun = installed(kind);
	if ("absent" in mpirun) {
		describe(`threads+mpi (${kind})`, () => it("conforms", (context) => context.skip(mpirun.absent)));
		continue;
	}
	conformance(`threads+mpi (${kind})`, {
		sizes: [4],
		seeds: 1,
		timeout: 60_000,
		start: (run) => runMpi(mpirun, program.file, run, 25, run.size / 2),
	});
}
