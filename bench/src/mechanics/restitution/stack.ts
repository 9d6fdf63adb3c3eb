/** A stack of boxes that bounce, at rest: restitution must not throw it up. */
import { buildScene, describeScene } from "@stickslip/mechanics";
import { openScene, runSteps } from "../simulate.js";
import { boundedRow, type RestitutionRow } from "./row.js";

/** Largest speed of the run, at the default tolerance. */
export function restingSpeed(bodies: number, restitution: number, steps: number): number {
	const { solver: _, ...plain } = describeScene("stack", { bodies });
	const contact = { ...plain.contact, restitution };
	const scene = { ...plain, solver: {}, contact, scheme: { name: "half-step" } as const, step: 1e-3 };
	let largest = 0;
	runSteps(openScene(buildScene(scene), {}), steps, ({ largestSpeed }) => {
		largest = Math.max(largest, largestSpeed);
	});
	return largest;
}

export function stackRows(steps: number): RestitutionRow[] {
	return [0.5, 0.9, 1].map((e) =>
		boundedRow(`stack of 12 at rest, e ${e}: largest speed, m/s`, steps, restingSpeed(12, e, steps), 1e-3),
	);
}
