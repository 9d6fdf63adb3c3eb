/** The suite of all communicators, as processes under MPICH's mpirun. */
import { mpiSuite } from "../testing/mpi-suite.js";

mpiSuite("mpich", {
	name: "mpi (mpich)",
	sizes: [1, 2, 3, 5, 8],
	late: { size: 3, programs: ["late in a barrier"] },
});
