/**
 * Acary and Cariaga's figures 1 and 2: performance profiles of APGD with each of their seven rules for rho, kept or adapted by either ratio, with their
 * settings: the problem's own units, the gradient measure to 1e-3, at most 200 iterations, s taken anew by their algorithm 3. Scored by products,
 * those that eigenvalues take included: an iteration costs one, and the clock of a busy machine says less.
 *
 * Their 58 problems are FCLIB's with M and H; of these six are in data/, the others are generated in units that make |W_aa| as different as it is
 * among FCLIB's files.
 */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type ProfileCell, profileOf, profilePlot, shareWithin } from "@stickslip/cluster-runner";
import { generate, generateNames, type Problem, solve } from "@stickslip/core";
import type { Bench } from "../bench.js";
import { dataFiles, dataFolder, readGiven } from "../data.js";
import { recordCsv } from "../record.js";

/** In the order of the paper. */
export const RULES = ["ghadimi", "di-cairano", "acary", "normal", "smaller-rho", "w-rho", "eigen-w-rho"];
const RATIOS = ["no", "1", "2"] as const;
type Ratio = (typeof RATIOS)[number];

const TOLERANCE = 1e-3;
const ITERATIONS_MAX = 200;
const TAUS = [1, 1.25, 1.5, 2, 4, 10];
/** Of each kind that is generated. */
const PROBLEMS = 14;
/** Decades of |W_aa| in FCLIB's files, from 0.01 (drums in millimetres) to 300 (stacks of small boxes). */
const LEAST = 1e-2;
const DECADES = 4.5;
/** |W_aa| of what is generated, about. */
const GENERATED = 200;

/** Problems with bodies, each lighter or heavier than the last by a factor that favours no scale (the golden section). */
export function generated(each: number): Problem[] {
	return generateNames().flatMap(({ name }, kind) =>
		Array.from({ length: each }, (_, k) => {
			const problem = generate(name, { contacts: 40 + 20 * k, seed: k + 1 });
			const share = ((kind * each + k) * 0.618034) % 1;
			const lighter = (LEAST * 10 ** (DECADES * share)) / GENERATED;
			const { rigid } = problem;
			return {
				...problem,
				rigid: {
					...rigid,
					inverseMass: rigid.inverseMass.map((value) => lighter * value),
					inverseInertia: rigid.inverseInertia.map((value) => lighter * value),
				},
			};
		}),
	);
}

interface RuleCell extends ProfileCell {
	readonly contacts: number;
	readonly error: number;
}

export function cellOf(problem: Problem, rule: string, ratio: Ratio): RuleCell {
	const { report } = solve(problem, {
		method: "apgd",
		measure: "gradient",
		tolerance: TOLERANCE,
		maxIterations: ITERATIONS_MAX,
		set: { rho: rule, ratio, scaling: "none", operator: "assembled", inner: TOLERANCE, patience: ITERATIONS_MAX },
	});
	const { status, seconds, iterations, products, contacts, gradient: error = Number.NaN } = report;
	return {
		...{ problem: problem.name, variant: rule, tolerance: TOLERANCE, contacts },
		...{ status, seconds, iterations, products, error },
	};
}

/** A row for each rule: problems solved, and rho(tau) of each tau. */
function table(cells: readonly RuleCell[]): string[] {
	const { variants, problems } = profileOf(cells, RULES, TOLERANCE, "products");
	const head = `  ${"rule".padEnd(12)}${"solved".padStart(8)}${TAUS.map((tau) => `rho(${tau})`.padStart(10)).join("")}`;
	return [
		head,
		...variants.map((variant) => {
			const shares = TAUS.map((tau) => `${Math.round(100 * shareWithin(variant, problems, tau))} %`.padStart(10));
			return `  ${variant.variant.padEnd(12)}${String(variant.solved).padStart(8)}${shares.join("")}`;
		}),
	];
}

export const rhoRules: Bench = {
	name: "rho-rules",
	what: "Acary and Cariaga's figures 1 and 2: seven rules for rho of apgd, as performance profiles",
	async run(args) {
		const { values } = parseArgs({ args: [...args], options: { each: { type: "string", default: String(PROBLEMS) } } });
		const each = Number(values.each);
		if (!Number.isInteger(each) || each < 1) {
			console.log("npm run bench -- rho-rules [--each N]");
			return 2;
		}
		const data = dataFolder();
		const problems = generated(each);
		for (const { path } of data ? dataFiles(data, ["fclib-global"]) : []) problems.unshift(await readGiven(path));
		const rows: Record<string, string | number>[] = [];
		const taken = new Map<Ratio, readonly RuleCell[]>();
		for (const ratio of RATIOS) {
			const cells = problems.flatMap((problem) => RULES.map((rule) => cellOf(problem, rule, ratio)));
			taken.set(ratio, cells);
			const kind = ratio === "no" ? "rho as it is (figure 1)" : `rho adapted by ratio ${ratio} (figure 2)`;
			console.log([`\n${kind}, ${problems.length} problems, by products:`, ...table(cells)].join("\n"));
			for (const { problem, variant, contacts, status, iterations, products, seconds } of cells) {
				rows.push({
					ratio,
					problem,
					rule: variant,
					contacts,
					status,
					iterations,
					products,
					seconds: seconds.toFixed(6),
				});
			}
			if (each !== PROBLEMS) continue;
			const plot = profilePlot(profileOf(cells, RULES, TOLERANCE, "products"), "products", "gradient");
			const path = fileURLToPath(new URL(`../../results/rho-rules-${ratio}.svg`, import.meta.url));
			writeFileSync(path, `${plot}\n`);
		}
		console.log(`\n${told(taken).join("\n")}`);
		if (each === PROBLEMS && data !== undefined) console.log(`recorded in ${recordCsv("rho-rules", rows)}`);
		return 0;
	},
};

/** What the paper says, and the order here: by the problems that are solved within half as much again as the best takes. */
function told(cells: ReadonlyMap<Ratio, readonly RuleCell[]>): string[] {
	const order = (ratio: Ratio) => {
		const { variants, problems } = profileOf(cells.get(ratio) ?? [], RULES, TOLERANCE, "products");
		return variants
			.map((variant) => ({ rule: variant.variant, share: Math.round(100 * shareWithin(variant, problems, 1.5)) }))
			.sort((a, b) => b.share - a.share)
			.map(({ rule, share }) => `${rule} ${share} %`)
			.join(", ");
	};
	return [
		"the paper: acary, smaller-rho and w-rho ahead, normal last; adapted by ratio 1: w-rho and acary ahead",
		...RATIOS.map((ratio) => `here, rho(1.5), ratio ${ratio}: ${order(ratio)}`),
	];
}
