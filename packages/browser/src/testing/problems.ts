/** Problems that a page and Node.js solve alike: described by a few words, made where they are solved. */
import { assembleRigid, generate, type Problem, rigidToGlobal } from "@stickslip/core";

export interface ProblemSpec {
	readonly kind: string;
	readonly contacts: number;
	readonly seed: number;
	/** What the problem is given by. */
	readonly form: "bodies" | "W" | "global";
}

const spec = (kind: string, contacts: number, form: ProblemSpec["form"] = "bodies"): ProblemSpec => {
	return { kind, contacts, seed: 7, form };
};

/** Small ones, which one rank solves alone, and ones that are cut where there are several ranks. */
export const TEN_PROBLEMS: readonly ProblemSpec[] = [
	spec("spheres", 300),
	spec("spheres-heavy", 300),
	spec("spheres-layers", 300),
	spec("planks", 300),
	spec("spheres", 300, "W"),
	spec("spheres", 300, "global"),
	spec("spheres", 1200),
	spec("spheres-layers", 1200),
	spec("planks", 1200),
	spec("spheres-heavy", 1200, "W"),
];

export function problemOf({ kind, contacts, seed, form }: ProblemSpec): Problem {
	const { rigid, freeVelocity, ...problem } = generate(kind, { contacts, seed });
	if (form === "bodies") return { ...problem, rigid };
	if (form === "W") return { ...problem, W: assembleRigid(rigid) };
	return { ...problem, global: rigidToGlobal(rigid, problem.q, freeVelocity) };
}
