/** The suite of all communicators, as processes under Open MPI's mpirun. */
import { mpiSuite } from "../testing/mpi-suite.js";

mpiSuite("openmpi", {
	name: "mpi (openmpi)",
	sizes: [1, 2, 3, 5, 8],
	late: {
		size: 3,
		programs: ["late in an exchange", "late behind another"],
	},
});
