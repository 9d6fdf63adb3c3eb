/** Messages of every length between two processes, on each library that is installed. */
import { afterAll, describe, expect, it } from "vitest";
import { bundle } from "../testing/bundle.js";
import { installed, startMpi } from "../testing/mpi-start.js";

const program = bundle(new URL("../testing/mpi-mail.ts", import.meta.url));
afterAll(() => program.remove());

describe.each(["openmpi", "mpich"] as const)("mail (%s)", (kind) => {
	const mpirun = installed(kind);

	it("arrives whole and in order, short and long", async (context) => {
		if ("absent" in mpirun) return context.skip(`needs ${kind}: ${mpirun.absent}`);
		const started = startMpi(mpirun, 2, [program.file]);
		const timer = setTimeout(() => started.end(), 240_000);
		try {
			const { code, output } = await started.ended;
			expect(code, output).toBe(0);
		} finally {
			clearTimeout(timer);
			await started.end();
		}
	});
});
