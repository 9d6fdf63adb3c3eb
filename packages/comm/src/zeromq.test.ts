import { afterAll } from "vitest";
import { conformance } from "./testing/conformance.js";
import { isThorough } from "./testing/thorough.js";
import { zeromqPrograms } from "./testing/zeromq-start.js";

const programs = zeromqPrograms();
afterAll(() => programs.remove());

conformance("zeromq, threads of one process", {
	// 7 is the least size at which one message of a reduction carries two lists.
	sizes: isThorough ? [1, 2, 3, 5, 7, 8] : [1, 2, 5],
	late: { sizes: isThorough ? [2, 3, 8] : [3] },
	start: (runs) => programs.start(runs, { perProcess: 0 }),
});

conformance("zeromq, processes", {
	sizes: isThorough ? [2, 8] : [2, 5],
	late: { sizes: isThorough ? [8] : [5], programs: ["late behind another"] },
	start: (runs) => programs.start(runs, { perProcess: 1 }),
});

// Late ranks do not depend on how links are made: they are tested with the processes above.
conformance("zeromq, processes, encrypted", {
	sizes: [3],
	late: { sizes: [] },
	start: (runs) => programs.start(runs, { perProcess: 1, isEncrypted: true }),
});

// Here most messages go through memory that the processes share.
conformance("zeromq, processes, sockets in a folder", {
	sizes: isThorough ? [2, 3, 7, 8] : [3],
	late: { sizes: isThorough ? [8] : [], programs: ["late behind another"] },
	start: (runs) => programs.start(runs, { perProcess: 1, isInFolder: true }),
});
