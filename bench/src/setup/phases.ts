/** The set-up of a solve by phase: warm (the least of many), and cold (the first in a process of its own). */
import { assembleRigid, generate, type Problem, prepareSolver } from "@stickslip/core";
import { SETUP_PHASES, type SetupPhase, setUp, watchSetup } from "@stickslip/core/parallel";

/** From W as it was given, from bodies to W, and from bodies to a product without W. */
export const FORMS = ["W given", "W of bodies", "matrix-free"] as const;
export type Form = (typeof FORMS)[number];

export interface PhaseTimes {
	/** Microseconds of a whole set-up. */
	readonly total: number;
	/** Microseconds by phase, each the least of its own. */
	readonly phases: Readonly<Record<SetupPhase, number>>;
}

export function problemOf(form: Form, contacts: number, seed = 3): Problem {
	const made = generate("spheres", { contacts, seed });
	if (form !== "W given") return made;
	const { rigid, ...rest } = made;
	return { ...rest, W: assembleRigid(rigid) };
}

/** A budget of products is the general way's, whose phases these are: a few thousand contacts are set up in one call otherwise. */
const optionsOf = (form: Form) => ({
	set: { operator: form === "matrix-free" ? "matrix-free" : "assembled", products: 1e9 },
});

/** The same of a solver that was prepared for the pattern: what new values cost. */
export function preparedTimes(problem: Problem, form: Form, seconds: number): PhaseTimes {
	const solver = prepareSolver(problem, optionsOf(form));
	return leastTimes(() => solver.setUp(problem), seconds);
}

export function warmTimes(problem: Problem, form: Form, seconds: number): PhaseTimes {
	const options = optionsOf(form);
	return leastTimes(() => setUp(problem, options), seconds);
}

/** Set-ups until they have taken `seconds` in all, three at least; phases are told apart in every second one, as looking at the clock costs some. */
function leastTimes(once: () => void, seconds: number): PhaseTimes {
	let total = Number.POSITIVE_INFINITY;
	const least = timesOf(Number.POSITIVE_INFINITY);
	const until = performance.now() + 1000 * seconds;
	for (let rounds = 0; rounds < 3 || performance.now() < until; rounds += 1) {
		const start = performance.now();
		once();
		total = Math.min(total, 1000 * (performance.now() - start));
		const now = watched(once);
		for (const phase of SETUP_PHASES) least[phase] = Math.min(least[phase], now[phase]);
	}
	return { total, phases: least };
}

/** The first set-up of this process. */
export function coldTimes(problem: Problem, form: Form): PhaseTimes {
	const start = performance.now();
	const phases = watched(() => setUp(problem, optionsOf(form)));
	return { total: 1000 * (performance.now() - start), phases };
}

function timesOf(each: number): Record<SetupPhase, number> {
	return Object.fromEntries([...SETUP_PHASES, "done"].map((phase) => [phase, each])) as Record<SetupPhase, number>;
}

function watched(work: () => void): Record<SetupPhase, number> {
	const times = timesOf(0);
	let phase: SetupPhase = "validate";
	let since = performance.now();
	watchSetup((next) => {
		const now = performance.now();
		times[phase] += 1000 * (now - since);
		phase = next;
		since = now;
	});
	work();
	watchSetup(undefined);
	return times;
}
