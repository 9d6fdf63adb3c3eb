/** Two processes of two threads each, threads+mpi, on each library that is installed. */
import { mpiSuite } from "../testing/mpi-suite.js";

for (const kind of ["openmpi", "mpich"] as const) {
	mpiSuite(kind, {
		name: `threads+mpi (${kind})`,
		sizes: [4],
		perProcess: 2,
		late: { sizes: [4], programs: kind === "openmpi" ? [] : ["late in a reduction"] },
	});
}
