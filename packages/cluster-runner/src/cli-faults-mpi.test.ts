/** As cli-faults.test.ts, over MPI, whose ranks spin on the cores that they are bound to. */
import { describe, it } from "vitest";
import { EndlessRuns, expectCancelled, expectNobody, pause, skipWithout } from "../testing/endless-runs.js";
import { isThorough } from "../testing/thorough.js";

const runs = new EndlessRuns();

describe("over MPI", () => {
	it.for([["mpi", 3, 5], ["threads+mpi", 4, 7], ...(isThorough ? ([["mpi", 2, 6]] as const) : [])] as const)(
		"a rank that is killed ends the run in its name: %s, %i ranks, seed %i",
		async ([transport, ranks, seed], context) => {
			skipWithout(transport, context);
			await runs.killRank(transport, ranks, seed);
		},
	);

	it("ranks whose hub is killed end by themselves", async (context) => {
		skipWithout("mpi", context);
		await runs.killHub("mpi");
	});

	it("Ctrl-C stops all ranks at the same iterate", async (context) => {
		skipWithout("mpi", context);
		expectCancelled(await runs.interrupt("mpi"), "mpi");
	});

	// Its launcher is one more process that stays.
	const thorough = isThorough ? it : () => {};
	thorough("goes on when who starts it is stopped for 8 s", async (context) => {
		skipWithout("mpi", context);
		const run = await runs.start("mpi", 2, ["--json"]);
		run.hub.kill("SIGSTOP");
		await pause(8000);
		run.hub.kill("SIGCONT");
		await pause(1500);
		run.hub.kill("SIGINT");
		expectCancelled(await run.ended, "mpi");
		await expectNobody(run);
	});
});
