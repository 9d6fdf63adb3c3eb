/** The bench at one length of a step; cards of another tilt, and what recovery is for. */
import { expect, it } from "vitest";
import { cardRows, chainRow, chainSinks, leavingRows } from "./geometry.js";

const SCHEMES = [
	{ name: "half-step", recovery: 0.5 },
	{ name: "velocity-impulse" },
	{ name: "moreau", theta: 0.75 },
] as const;

it.each(SCHEMES)(
	"holds by $name",
	(scheme) => {
		const rows = [...leavingRows(scheme, [4e-3]), ...cardRows(scheme, 2e-3, 0.8), chainRow(scheme, 2e-3)];
		expect(rows.filter(({ held }) => held !== "yes")).toEqual([]);
	},
	60_000,
);

it("a chain sinks three times as deep where positions are not recovered", () => {
	const sinks = (recovery: number) => chainSinks({ name: "moreau", recovery }, 1e-3).overlap;
	expect(sinks(0)).toBeGreaterThan(3 * sinks(0.5));
});
