/** The bench of set-up at a tiny size: phases have times, and they are parts of the whole. */
import { expect, test } from "vitest";
import { timesOfSolves } from "./early.js";
import { coldTimes, FORMS, preparedTimes, problemOf, warmTimes } from "./phases.js";
import { tinyPile, tinyTiming } from "./tiny.js";

test.each(FORMS)("%s: phases are told, warm and cold", (form) => {
	const problem = problemOf(form, 60);
	for (const { total, phases } of [coldTimes(problem, form), warmTimes(problem, form, 0.01)]) {
		expect(total).toBeGreaterThan(0);
		expect(phases.colours).toBeGreaterThan(0);
		expect(phases.fill).toBeGreaterThan(0);
		expect(Object.values(phases).every((time) => time >= 0)).toBe(true);
	}
	const { phases } = preparedTimes(problem, form, 0.01);
	expect([phases.colours, phases.order]).toEqual([0, 0]);
	expect(phases.fill).toBeGreaterThan(0);
});

test("a problem of a few contacts: set-up, iterations, and a whole solve", () => {
	const { contacts, status, iterations, setUp, iterating, whole } = tinyTiming(tinyPile(3), 0.02);
	expect([contacts, status]).toEqual([7, "solved"]);
	expect(iterations).toBeGreaterThan(1);
	for (const time of [setUp, iterating, whole]) expect(time).toBeGreaterThan(0);
});

test("whole solves, from the first of a process on", () => {
	const { contacts, iterations, ...times } = timesOfSolves(problemOf("W given", 60), 0.02);
	expect(contacts).toBeGreaterThan(50);
	expect(iterations).toBeGreaterThan(1);
	for (const time of Object.values(times)) expect(time).toBeGreaterThan(0);
});
