import { type LawName, solve } from "@stickslip/core";
import { expect, it } from "vitest";
import { type Findings, optionsOf, REMEDIES, relaxationOptions } from "./remedies.js";

const none: Findings = { missesDualCone: false, isInfeasible: false };
const coulomb: readonly LawName[] = ["coulomb"];

function namesOf(contacts: number, laws: readonly LawName[], findings: Findings): string[] {
	return REMEDIES.flatMap((remedy) => {
		const options = optionsOf(remedy, { set: { products: 9 } }, { contacts, laws }, findings);
		return options === undefined ? [] : [`${options.method ?? "own"}${remedy.takesBack ? "" : " without"}`];
	});
}

it("leaves out methods that do not fit, and attempts that cannot succeed", () => {
	const both = ["proximal-newton", "apgd"];
	const without = both.map((name) => `${name} without`);
	expect(namesOf(100, coulomb, none)).toEqual(["own", ...both, ...without]);
	expect(namesOf(100, ["coulomb", "rolling"], none)).toEqual(["own", "apgd", "apgd without"]);
	expect(namesOf(20_001, coulomb, none)).toEqual(["own", "apgd", "apgd without"]);
	expect(namesOf(100, coulomb, { ...none, isInfeasible: true })).toEqual(["own", ...without]);
});

it("keeps the options of the scene's method to that method", () => {
	const kind = { contacts: 100, laws: coulomb };
	const given = { set: { products: 9 }, maxIterations: 5, tolerance: 1e-4, measure: "merit" as const };
	const [own, newton] = REMEDIES.map((remedy) => optionsOf(remedy, given, kind, none)!);
	expect(own).toMatchObject(given);
	expect(newton!.set).toBeUndefined();
	expect(newton!.maxIterations).toBeGreaterThan(5);
	expect(newton).toMatchObject({ tolerance: 1e-4, measure: "merit" });
	expect(relaxationOptions(given, kind, none)!.tolerance).toBeLessThan(1e-4);
});

it("stays within 2,000 iterations where a solution need not exist", () => {
	const findings = { missesDualCone: true, isInfeasible: false };
	const kind = { contacts: 500, laws: coulomb };
	expect(relaxationOptions({}, kind, findings)).toBeUndefined();
	// An attempt with patience ends after its second window at the earliest.
	const limits = REMEDIES.map((remedy) => optionsOf(remedy, {}, kind, findings)!);
	const total = limits.reduce((sum, { maxIterations, patience }) => sum + (maxIterations ?? 2 * patience!), 0);
	expect(total).toBeLessThanOrEqual(2000);
});

it("names methods and options that core takes, but for those of a step", () => {
	const problem = {
		name: "one contact",
		contacts: 1,
		W: { rows: 1, rowStart: Int32Array.of(0, 1), column: Int32Array.of(0), values: identity() },
		q: Float64Array.of(-1, 0.1, 0),
		mu: Float64Array.of(0.5),
	};
	for (const remedy of REMEDIES) {
		const {
			patience: _patience,
			operator: _operator,
			...options
		} = optionsOf(remedy, {}, { contacts: 1, laws: coulomb }, none)!;
		expect(solve(problem, options).report.status).toBe("solved");
	}
});

function identity(): Float64Array {
	return Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
}
