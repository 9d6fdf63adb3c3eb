import { afterAll } from "vitest";
import { conformance } from "./testing/conformance.js";
import { zeromqPrograms } from "./testing/zeromq-start.js";

const programs = zeromqPrograms();
afterAll(() => programs.remove());

conformance("zeromq, threads of one process", {
	// 7 is the least size at which one message of a reduction carries two lists.
	sizes: [1, 2, 3, 5, 7, 8],
	start: (run) => programs.start(run, { perProcess: 0 }),
});

conformance("zeromq, processes", {
	sizes: [2, 8],
	start: (run) => programs.start(run, { perProcess: 1 }),
});
