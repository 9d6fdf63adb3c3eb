/** Warnings about the step of a run, from the extremes of the whole run. Each remedy ends its warning when it is followed once. */
import type { RunExtremes } from "../simulation/extremes.js";
import { pathOfBody } from "./checks.js";
import type { Mistake } from "./mistakes.js";
import type { Scene } from "./scene.js";
import { recommendedStep } from "./step-size.js";

type RunScene = Pick<Scene, "description" | "step" | "speedLimit" | "overlapLimit">;

/** At most one warning of each kind. */
export function runWarnings(scene: RunScene, extremes: RunExtremes): Mistake[] {
	return [speedWarning(scene, extremes), overlapWarning(scene, extremes)].filter((warning) => warning !== undefined);
}

function speedWarning({ description, step, speedLimit }: RunScene, { speed }: RunExtremes): Mistake | undefined {
	if (speed === undefined || !(speed.value > speedLimit)) return undefined;
	const { value, time, bodies } = speed;
	return {
		path: pathOfBody(description, bodies[0]!),
		problem: `moves at ${shown(value)} m/s at ${shown(time)} s: it may pass through others in a step`,
		remedy: `give a step of at most ${recommendedStep((step * speedLimit) / value)}`,
	};
}

/**
 * An overlap of half-step and moreau is what two bodies move towards each other in a step, at most twice the largest speed, and by chance less. So the
 * step that fits follows from the speed, and from the overlap itself where that grew over many steps.
 */
function overlapWarning(
	{ description, step, overlapLimit }: RunScene,
	{ overlap, speed }: RunExtremes,
): Mistake | undefined {
	if (overlap === undefined || !(overlap.value > overlapLimit)) return undefined;
	const { value, time, bodies } = overlap;
	const [first, second] = bodies.map((id) => pathOfBody(description, id));
	const longest = Math.min((step * overlapLimit) / value, overlapLimit / (2 * (speed?.value ?? 0)));
	return {
		path: second!,
		problem: `overlaps ${first} by ${shown(value)} m at ${shown(time)} s, more than 5 % of the smallest body`,
		remedy: `give a step of at most ${recommendedStep(longest)}`,
	};
}

function shown(value: number): string {
	return String(Number(value.toPrecision(3)));
}
