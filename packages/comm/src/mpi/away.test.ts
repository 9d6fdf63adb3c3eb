/**
 * A long message comes in pieces, and only while its sender is in the library: over TCP, Open MPI's blocking receive of one lasts as long as its sender is
 * away. Here it is limited like any other wait, and the late rank is named.
 */
import { afterAll, expect, it } from "vitest";
import { bundle } from "../testing/bundle.js";
import { installed, runMpi } from "../testing/mpi-start.js";

const mpirun = installed("openmpi");
const program = bundle(new URL("../testing/mpi-rank.ts", import.meta.url));
afterAll(() => program.remove());

const TCP = { OMPI_MCA_pml: "ob1", OMPI_MCA_btl: "tcp,self" };

it("a rank that is away with its message half sent is late", async (context) => {
	if ("absent" in mpirun) return context.skip(`needs Open MPI: ${mpirun.absent}`);
	const run = { program: "away with a long message", size: 2, seeds: [1], patienceSeconds: 200 };
	const [outcomes] = await runMpi(mpirun, program.file, [run], { seconds: 240, processes: 2, env: TCP });
	expect(outcomes?.[0]).toMatchObject({ ok: false, rank: 1 });
	expect(outcomes?.[0]).toHaveProperty(
		"message",
		expect.stringMatching(/^rank 1 is late: after 4 s of waiting for its broadcast/),
	);
});
