/** The suite of all communicators, as processes under Open MPI's mpirun. */
import { mpiSuite } from "../testing/mpi-suite.js";
import { isThorough } from "../testing/thorough.js";

mpiSuite("openmpi", {
	name: "mpi (openmpi)",
	sizes: isThorough ? [1, 2, 3, 5, 8] : [2, 5],
	late: {
		sizes: [3],
		programs: ["late in an exchange"],
	},
});
