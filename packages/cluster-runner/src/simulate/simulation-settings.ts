/** The settings of a simulation as names and values, so that a report says how it was made: scheme, step, tolerance, friction, restitution, seed. */
import { DEFAULT_TOLERANCES } from "@stickslip/core";
import { resolveSceneOptions, type SceneDescription, sceneEntryOf, sceneNames } from "@stickslip/mechanics";
import { exact } from "../base/format.js";
import type { SimulateRequest } from "../requests/simulate-request.js";

/** More laws than that are counted. */
const LAWS_MAX = 20;

export function simulationSettings(
	{ scheme, step, until, gravity, solver, contact, laws = [] }: SceneDescription,
	{ scene, options }: Pick<SimulateRequest, "scene" | "options">,
): [string, string][] {
	const { name, ...schemeOptions } = scheme;
	const { measure = "energy", tolerance = DEFAULT_TOLERANCES[measure], method = "auto", maxIterations, set } = solver;
	const limits = { ...(maxIterations !== undefined && { "at most": `${maxIterations} iterations` }), ...set };
	const rest = laws.length - LAWS_MAX;
	return [
		["scheme", listed(name, schemeOptions)],
		["step", `${step} s, to ${until} s`],
		["tolerance", `${measure} ${exact(tolerance)}`],
		["method", listed(method, limits)],
		["gravity", `${gravity.join(", ")} m/s2`],
		["contact", lawText(contact)],
		...laws.slice(0, LAWS_MAX).map((law): [string, string] => [law.between.join(" - "), lawText(law)]),
		...(rest > 0 ? [["laws", `${rest} more`] as [string, string]] : []),
		["scene options", sceneNames.includes(scene) ? sceneOptions(scene, options) : ""],
	];
}

function lawText({ law = "coulomb", friction, restitution = 0, ...rest }: SceneDescription["contact"]): string {
	const { between: _, ...numbers } = rest as typeof rest & { readonly between?: unknown };
	return listed(law, { friction, restitution, ...numbers });
}

/** Options of a scene by name, the seed among them, with defaults; step and end have a row of their own. */
function sceneOptions(scene: string, given: SimulateRequest["options"]): string {
	const options = resolveSceneOptions(scene, sceneEntryOf(scene).options, given);
	return listed("", { ...options, step: undefined, until: undefined });
}

/** A name, and what is given beside it. */
function listed(name: string, options: Readonly<Record<string, unknown>>): string {
	const given = Object.entries(options).filter(([, value]) => value !== undefined);
	return [name, ...given.map(([key, value]) => `${key} ${String(value)}`)].filter((part) => part !== "").join(", ");
}
