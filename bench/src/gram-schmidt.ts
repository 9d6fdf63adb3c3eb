/**
 * How orthogonal GMRES' directions are with one reduction per step: on the matrices of pqn as the report has it, beside modified and
 * classical Gram-Schmidt, which take a reduction per direction and two per step. The answer to whether saving reductions cost stability.
 */
import { describeOrthogonality, type Problem } from "@stickslip/core";
import type { Bench } from "./bench.js";
import { dataFiles, dataFolder, readFile } from "./data.js";
import { recordCsv } from "./record.js";

export type Row = {
	readonly problem: string;
	readonly contacts: number;
	readonly m: number;
	/** The most of any solve. */
	readonly directions: number;
	/** | V^T V - I |, columns of length one, the worst of all solves. */
	readonly ours: number;
	readonly modified: number;
	readonly classical: number;
};

/** Directions per solve: those of Koziara 2017, and six times as many. */
const LENGTHS = [10, 60];
const ITERATIONS = 5;
/** Ours may be so many times modified's loss, and what rounding leaves of any basis. */
const FACTOR_MAX = 3;
const ROUNDING = 1e-14;

export function losses(name: string, problem: Problem, iterations = ITERATIONS): Row[] {
	return LENGTHS.map((m) => ({
		problem: name,
		contacts: problem.contacts,
		m,
		...describeOrthogonality(problem, { m, iterations }),
	}));
}

export function isAsGood({ ours, modified }: Row): boolean {
	return ours <= FACTOR_MAX * modified + ROUNDING;
}

export const gramSchmidt: Bench = {
	name: "gram-schmidt",
	what: "how orthogonal the directions of GMRES are, against modified and classical Gram-Schmidt",
	async run(args) {
		const data = dataFolder();
		if (data === undefined) return 0;
		const only = args[0] ?? "";
		const rows: Row[] = [];
		console.log(header);
		for (const { name, path } of dataFiles(data, ["fclib", "drum", "cubes", "generated"])) {
			if (!name.includes(only)) continue;
			for (const row of losses(name, await readFile(path))) {
				rows.push(row);
				console.log(line(row));
			}
		}
		const worse = rows.filter((row) => !isAsGood(row)).length;
		console.log(`${rows.length - worse} of ${rows.length} at most ${FACTOR_MAX} times modified Gram-Schmidt's loss`);
		if (only === "" && rows.length > 0) console.log(`recorded in ${recordCsv("gram-schmidt", rows)}`);
		return worse === 0 ? 0 : 1;
	},
};

const header = `${"".padEnd(46)}contacts    m  directions      ours  modified  classical`;

function line(row: Row): string {
	const { problem, contacts, m, directions, ours, modified, classical } = row;
	const counts = [String(contacts).padStart(8), String(m).padStart(5), String(directions).padStart(12)];
	const sizes = [ours, modified].map((loss) => loss.toExponential(1).padStart(10));
	const last = classical.toExponential(1).padStart(11);
	return `${problem.padEnd(46)}${counts.join("")}${sizes.join("")}${last}${isAsGood(row) ? "" : "  WORSE"}`;
}
