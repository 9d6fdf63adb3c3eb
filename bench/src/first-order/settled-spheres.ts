/**
 * Anitescu 2014's table of settled spheres: beds of 1,000, 2,000 and 4,000 spheres in a box, settled by our own simulation, and the contact problem of
 * the step at its end by Jacobi, SOR and APGD from R = 0, in the law of that paper (relaxed) and without friction. The paper has times of whole simulations; here are
 * products and processor time of one step, and the ratios to APGD beside the paper's.
 */
import { parseArgs } from "node:util";
import { type ContactLaws, LAWS, PARAMETERS, type Problem, solve } from "@stickslip/core";
import { toTheEnd } from "@stickslip/core/parallel";
import { type ContactSolver, makeScene, Simulation, TileSolver } from "@stickslip/mechanics";
import type { Bench } from "../bench.js";
import { recordCsv } from "../record.js";

const BODIES = [1000, 2000, 4000];
/** One second, after which nothing falls any more. */
const STEPS = 200;
const STEP = 5e-3;
/** Of the simulation that lets them settle. */
const LOOSE = 1e-2;
const TOLERANCE = 1e-3;
const ITERATIONS_MAX = 100_000;

/** Speed-ups over APGD: the times of the paper's tables. */
const PAPER: Readonly<Record<number, { readonly jacobi: number; readonly sor: number }>> = {
	1000: { jacobi: 11.43, sor: 4.72 },
	2000: { jacobi: 14.73, sor: 7.99 },
	4000: { jacobi: 9.4, sor: 8.89 },
};

const VARIANTS = [
	{ name: "jacobi", method: "jacobi", set: { window: 0 } },
	{ name: "sor", method: "sor", set: { window: 0, omega: 1 } },
	{ name: "apgd", method: "apgd", set: {} },
] as const;

export type Row = {
	readonly bodies: number;
	readonly law: string;
	readonly contacts: number;
	readonly method: string;
	readonly status: string;
	readonly iterations: number;
	readonly products: number;
	readonly seconds: number;
	/** Of products and of seconds, to APGD's. */
	readonly productsRatio: number;
	readonly secondsRatio: number;
	readonly paperRatio: number;
};

/** The contact problem of the last step of a bed that has settled. */
export function settled(bodies: number, steps = STEPS): Problem {
	const inner = new TileSolver();
	let problem: Problem | undefined;
	const solver: ContactSolver = {
		*solve(step, options, domain) {
			problem = structuredClone({ ...step.problem });
			return yield* inner.solve(step, options, domain);
		},
	};
	const setup = { ...makeScene("spheres", { bodies, step: STEP }), solver: { tolerance: LOOSE } };
	const simulation = new Simulation(setup, { solver, onFailure: "continue" });
	for (let step = 0; step < steps; step += 1) toTheEnd(simulation.step());
	if (problem === undefined) throw new Error("no sphere touches anything");
	return { ...problem, name: `${bodies} settled spheres` };
}

/** The same contacts in another law. */
function inLaw(problem: Problem, law: "relaxed" | "frictionless"): Problem {
	if (law === "frictionless") return { ...problem, mu: problem.mu.map(() => 0) };
	const { contacts } = problem;
	const laws: ContactLaws = {
		law: new Uint8Array(contacts).fill(LAWS.indexOf(law)),
		parameters: new Float64Array(PARAMETERS * contacts),
	};
	return { ...problem, laws };
}

export function compared(problem: Problem, bodies: number, law: "relaxed" | "frictionless"): Row[] {
	const given = inLaw(problem, law);
	const taken = VARIANTS.map(({ name, method, set }) => {
		const before = process.cpuUsage().user;
		const { report } = solve(given, { method, set, tolerance: TOLERANCE, maxIterations: ITERATIONS_MAX });
		return { name, report, seconds: (process.cpuUsage().user - before) / 1e6 };
	});
	const apgd = taken.at(-1)!;
	return taken.map(({ name, report, seconds }) => ({
		bodies,
		law,
		contacts: problem.contacts,
		method: name,
		status: report.status,
		iterations: report.iterations,
		products: report.products,
		seconds,
		productsRatio: report.products / apgd.report.products,
		secondsRatio: seconds / apgd.seconds,
		paperRatio: name === "apgd" ? 1 : (PAPER[bodies]?.[name] ?? Number.NaN),
	}));
}

/** Whether APGD is ahead of SOR and SOR of Jacobi, by products; what does not end solved has taken more than it says. */
export function isInOrder(rows: readonly Row[]): boolean {
	const of = (method: string) => rows.find((row) => row.method === method);
	const [jacobi, sor, apgd] = ["jacobi", "sor", "apgd"].map(of);
	return apgd?.status === "solved" && sor!.products > apgd.products && jacobi!.products > sor!.products;
}

function line(row: Row): string {
	const { method, status, iterations, products, seconds, productsRatio, secondsRatio, paperRatio } = row;
	const cells = [
		method.padEnd(8),
		status.padEnd(16),
		String(iterations).padStart(9),
		String(products).padStart(9),
		seconds.toFixed(2).padStart(8),
		productsRatio.toFixed(2).padStart(9),
		secondsRatio.toFixed(2).padStart(9),
		paperRatio.toFixed(2).padStart(9),
	];
	return `  ${cells.join("")}`;
}

const HEAD = `  ${"method".padEnd(8)}${"status".padEnd(16)}${"iters".padStart(9)}${"products".padStart(9)}${"cpu s".padStart(8)}${"x prod.".padStart(9)}${"x cpu".padStart(9)}${"x paper".padStart(9)}`;

export const settledSpheres: Bench = {
	name: "settled-spheres",
	what: "Anitescu 2014's table: settled spheres by Jacobi, SOR and APGD, ratios beside the paper's",
	run(args) {
		const { values } = parseArgs({ args: [...args], options: { bodies: { type: "string", multiple: true } } });
		const sizes = values.bodies?.map(Number) ?? BODIES;
		if (!sizes.every((bodies) => Number.isInteger(bodies) && bodies > 0)) {
			console.log("npm run bench -- settled-spheres [--bodies N]...");
			return 2;
		}
		const rows: Row[] = [];
		let isKept = true;
		for (const bodies of sizes) {
			const problem = settled(bodies);
			for (const law of ["relaxed", "frictionless"] as const) {
				const mine = compared(problem, bodies, law);
				rows.push(...mine);
				console.log([`\n${problem.name}, ${problem.contacts} contacts, ${law}:`, HEAD, ...mine.map(line)].join("\n"));
				isKept &&= isInOrder(mine);
			}
		}
		console.log(`\nAPGD ahead of SOR ahead of Jacobi, by products: ${isKept ? "everywhere" : "not everywhere"}`);
		if (values.bodies === undefined) console.log(`recorded in ${recordCsv("settled-spheres", rows.map(flat))}`);
		return isKept ? 0 : 1;
	},
};

function flat(row: Row): Record<string, string | number> {
	const three = (value: number) => value.toPrecision(3);
	return {
		...row,
		seconds: row.seconds.toFixed(3),
		productsRatio: three(row.productsRatio),
		secondsRatio: three(row.secondsRatio),
	};
}
