/** A picture of a stored step, seen as its scene says. */
import { InputError } from "@stickslip/core";
import { compileShape, picture, type RunReader, type Vector } from "@stickslip/mechanics";
import { three } from "../base/format.js";
import { writeWhole } from "../files/write.js";

export interface DrawOptions {
	/** Where the eye is, seen from the scene. */
	readonly from?: Vector | undefined;
	readonly width?: number | undefined;
}

/** Writes the picture, and returns what it shows. */
export function drawStep(run: RunReader, step: number, file: string, { from, width }: DrawOptions = {}): string {
	const { name, view, obstacles } = run.scene;
	const shapes = run.shapes.map((shape, index) => compileShape(shape, run.parts[0]!.path, `/shapes/${index}`));
	const title = `${name}, step ${step}, ${three(run.timeOf(step))} s`;
	const seen = from === undefined && view !== undefined ? { from: minus(view.direction), up: view.up } : { from };
	// Obstacles have the first ids, in their order.
	const hidden = new Set(obstacles.flatMap(({ isHidden }, id) => (isHidden === true ? [id] : [])));
	const options = { title, hidden, ...(seen.from && { from: seen.from, up: seen.up }), ...(width && { width }) };
	const bodies = run.bodies(step);
	for (const field of ["position", "map"] as const) {
		if (bodies[field].every(Number.isFinite)) continue;
		const problem = `has a number in step ${step} that is not finite`;
		throw new InputError(run.parts[0]!.path, `/bodies/${field}`, problem, "draw another step");
	}
	writeWhole(file, picture(shapes, bodies, options), { followsLinks: true });
	return title;
}

/** Of the stored steps the nearest to a time. */
export function stepAt(run: RunReader, seconds: number): number | undefined {
	const { steps } = run;
	const far = (step: number) => Math.abs(run.timeOf(step) - seconds);
	return steps.reduce<number | undefined>(
		(best, step) => (best === undefined || far(step) < far(best) ? step : best),
		undefined,
	);
}

function minus([x, y, z]: Vector): Vector {
	return [-x, -y, -z];
}
