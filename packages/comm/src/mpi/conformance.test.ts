/** The suite of all communicators, as processes under mpirun, on each library that is installed. */
import { afterAll, describe, it } from "vitest";
import { bundle } from "../testing/bundle.js";
import { conformance } from "../testing/conformance.js";
import { installed, runMpi } from "../testing/mpi-start.js";

const program = bundle(new URL("../testing/mpi-rank.ts", import.meta.url));
afterAll(() => program.remove());

for (const kind of ["openmpi", "mpich"] as const) {
	const mpirun = installed(kind);
	if ("absent" in mpirun) {
		describe(`mpi (${kind})`, () => it("conforms", (context) => context.skip(mpirun.absent)));
		continue;
	}
	conformance(`mpi (${kind})`, {
		sizes: [1, 2, 3, 5, 8],
		seeds: 2,
		timeout: 60_000,
		start: (run) => runMpi(mpirun, program.file, run, 25),
	});
}
