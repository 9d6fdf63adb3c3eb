/**
 * Newton's linearisations on the shared problems: iterations of UNIL where friction is taken away, and of HYB, NEWT and FIX with it, with both line
 * searches (Koziara and Bicanic 2008, section 6: their table 3 has at most five for UNIL, their figure 5 the others); and of interior-point.
 */
import { load } from "@stickslip/cluster-runner";
import { type Problem, solve } from "@stickslip/core";
import type { Bench } from "../bench.js";
import { dataFiles, dataFolder } from "../data.js";
import { recordCsv } from "../record.js";

/** Of the reference's kind: bodies that deform, so that W is regular or nearly so. */
const DEFORMING = /_PR_|_BC_/;
/** What the reference found for them. */
const UNIL_MAX = 5;
const CONTACTS_MAX = 1500;

const COLUMNS: Readonly<Record<string, Readonly<Record<string, string | number>>>> = {
	unil: { linearisation: "unil" },
	"hyb (A)": { linearisation: "hyb", J: 0 },
	"hyb (G)": { linearisation: "hyb", J: 10 },
	"newt (A)": { linearisation: "newt", J: 0 },
	"newt (G)": { linearisation: "newt", J: 10 },
	fix: { linearisation: "fix" },
};
const INTERIOR = "interior-point";

/** Iterations to 1e-8 in energy without friction and of interior points, to 1e-6 of others; empty where it is not solved. */
function iterationsOf(problem: Problem, column: string): string {
	const isUnil = column === "unil";
	const given = isUnil ? { ...problem, mu: problem.mu.map(() => 0) } : problem;
	const isInterior = column === INTERIOR;
	const { report } = solve(given, {
		method: isInterior ? INTERIOR : "newton",
		tolerance: isUnil || isInterior ? 1e-8 : 1e-6,
		maxIterations: 100,
		set: isInterior ? {} : { patience: 0, ...COLUMNS[column]! },
	});
	return report.status === "solved" ? String(report.iterations) : "";
}

export const newtonBench: Bench = {
	name: "newton",
	what: "iterations of UNIL, HYB, NEWT, FIX and interior points on the shared problems",
	async run() {
		const data = dataFolder();
		if (data === undefined) return 0;
		const names = [...Object.keys(COLUMNS), INTERIOR];
		console.log(["problem", "contacts", ...names].join("  "));
		const rows: Record<string, string | number>[] = [];
		for (const { name, path } of dataFiles(data, ["drum", "cubes", "fclib"])) {
			const { problem } = await load(path);
			if (problem.contacts > CONTACTS_MAX) continue;
			const found = Object.fromEntries(names.map((column) => [column, iterationsOf(problem, column)]));
			rows.push({ problem: name, contacts: problem.contacts, ...found });
			console.log([name, problem.contacts, ...names.map((column) => found[column] || "-")].join("  "));
		}
		for (const column of names) {
			const solved = rows.flatMap((row) => (row[column] === "" ? [] : [Number(row[column])]));
			const mean = solved.reduce((sum, count) => sum + count, 0) / solved.length;
			console.log(`${column}: ${solved.length} of ${rows.length} solved, ${mean.toFixed(1)} iterations on average`);
		}
		console.log(`recorded in ${recordCsv("newton", rows)}`);
		const slow = rows.filter(
			({ problem, unil }) => DEFORMING.test(String(problem)) && !(unil !== "" && Number(unil) <= UNIL_MAX),
		);
		for (const row of slow) console.log(`MISSED: ${row.problem}: UNIL took ${row.unil || "too many"}`);
		return slow.length === 0 ? 0 : 1;
	},
};
