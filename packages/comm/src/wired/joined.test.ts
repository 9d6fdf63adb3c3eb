import { afterAll } from "vitest";
import { conformance } from "../testing/conformance.js";
import { zeromqPrograms } from "../testing/zeromq-start.js";

const programs = zeromqPrograms();
afterAll(() => programs.remove());

// One and two processes of two threads, and two of three.
for (const perProcess of [2, 3]) {
	conformance(`threads+zeromq, ${perProcess} threads a process`, {
		sizes: perProcess === 2 ? [2, 4] : [6],
		late: { sizes: [6], programs: ["late in an exchange", "late behind another"] },
		start: (runs) => programs.start(runs, { perProcess, isJoined: true }),
	});
}
