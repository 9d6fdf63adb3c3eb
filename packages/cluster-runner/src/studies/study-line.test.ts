/** The progress line of a study, drawn on a terminal that keeps what it is given. */
import { describe, expect, it } from "vitest";
import { StudyLine } from "./study-line.js";

function drawnLine(columns = 60) {
	const drawn: string[] = [];
	const terminal = {
		interactive: true,
		closed: false,
		columns,
		out() {},
		err() {},
		passing: (text: string) => void drawn.push(text),
	};
	let now = 0;
	const line = new StudyLine(terminal, () => now);
	return { line, drawn, after: (seconds: number) => (now += 1000 * seconds) };
}

describe("the line of a study", () => {
	it("names the cell at work, and how long the others take by those that were measured here", () => {
		const { line, drawn, after } = drawnLine();
		const current = { problem: "pile", method: "auto", transport: "threads", ranks: 2 };
		line.show({ done: 4, all: 10, current });
		after(3);
		line.show({ done: 5, all: 10, current });
		expect(drawn).toEqual(["4 of 10  pile auto threads 2", "5 of 10  15.0 s left  pile auto threads 2"]);
	});

	it("fits the terminal, and shows steps that are left out", () => {
		const { line, drawn } = drawnLine(30);
		line.show({ done: 0, all: 2, current: { problem: "x".repeat(100) } });
		const view = {
			scene: "drum",
			step: 5,
			steps: 10,
			time: 0.5,
			bodies: 3,
			contacts: 4,
			iterations: 2,
			failedSteps: 0,
		};
		line.showStart({ ...view, seconds: 1 });
		const { line: other, drawn: starts } = drawnLine(40);
		other.showStart({ ...view, seconds: 1 });
		expect(drawn.map(({ length }) => length)).toEqual([29]);
		expect(starts[0]).toMatch(/^start: .*step 5 of 10/);
	});
});
