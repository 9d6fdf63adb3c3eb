/** What a solve of a prepared pattern takes beyond its iterations: checking and setting up new values, final measures, the answer and its hash. */
import { assembleRigid, generate, type NewValues, type Problem, type Session, solve } from "@stickslip/core";

/** Values that take turns, so that none is the one of the solve before. */
const FACTORS = [1, 1.01, 0.99, 1.02];

export interface BeyondIterations {
	readonly contacts: number;
	readonly solves: number;
	/** Microseconds beyond the iterations: the least, and of how many of a hundred solves at most. */
	readonly least: number;
	readonly median: number;
	readonly ninety: number;
	/** Microseconds of the iterations, the median. */
	readonly iterations: number;
}

function pile(contacts: number): Problem {
	const { rigid, ...rest } = generate("spheres", { contacts, seed: 3 });
	return { ...rest, W: assembleRigid(rigid) };
}

/** W and q times a factor: other values of the same pattern. */
function variantOf(problem: Problem, factor: number): { readonly values: NewValues; readonly hash: string } {
	const times = (values: Float64Array) => values.map((value) => factor * value);
	const [q, values] = [times(problem.q), times(problem.W!.values)];
	const { hash } = solve({ ...problem, q, W: { ...problem.W!, values } }).report;
	return { values: { q, values }, hash };
}

/** Solves with new W and q until they have taken `seconds` in all; each answer has to have the hash of `solve`. */
export async function beyondIterations(session: Session, size: number, seconds: number): Promise<BeyondIterations> {
	const problem = pile(size);
	const variants = FACTORS.map((factor) => variantOf(problem, factor));
	const pattern = await session.prepare(problem);
	const [beyond, iterations]: [number[], number[]] = [[], []];
	const until = performance.now() + 1000 * seconds;
	for (let i = 0; i < 2 * FACTORS.length || performance.now() < until; i += 1) {
		const { values, hash } = variants[i % variants.length]!;
		const started = performance.now();
		const { report } = await pattern.solve(values, { results: "view" });
		const whole = performance.now() - started;
		if (report.hash !== hash) throw new Error("a session has another answer than solve");
		beyond.push(1000 * whole - 1e6 * report.seconds);
		iterations.push(1e6 * report.seconds);
	}
	pattern.release();
	const at = (numbers: readonly number[], share: number) =>
		[...numbers].sort((one, other) => one - other)[Math.floor(share * (numbers.length - 1))]!;
	return {
		contacts: problem.contacts,
		solves: beyond.length,
		least: at(beyond, 0),
		median: at(beyond, 0.5),
		ninety: at(beyond, 0.9),
		iterations: at(iterations, 0.5),
	};
}
