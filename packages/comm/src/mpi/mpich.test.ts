/** The suite of all communicators, as processes under MPICH's mpirun. */
import { mpiSuite } from "../testing/mpi-suite.js";
import { isThorough } from "../testing/thorough.js";

mpiSuite("mpich", {
	name: "mpi (mpich)",
	sizes: isThorough ? [1, 2, 3, 5, 8] : [1, 3],
	late: { sizes: [3], programs: ["late in a barrier"] },
});
