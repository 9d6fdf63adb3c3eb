/**
 * What the time that is wanted comes to in sweeps: for each row that `siconos` has recorded where Siconos takes long, how many products with W ours makes, what a plain sweep
 * takes by itself, and how many of them a tenth of Siconos' time (a fifteenth to 1e-8) would be. Where those are a few, no method that sweeps gets there.
 */
import { parseArgs } from "node:util";
import type { Bench } from "../bench.js";
import { dataFolder } from "../data.js";
import { readCsv, recordCsv } from "../record.js";
import { ours, sweepSeconds } from "./core.js";
import { flat, header, type LimitRow, line, summary, targetOf } from "./limits-table.js";
import { PROBLEM_SETS, subjectsOf } from "./subjects.js";
import { FILES, LONG_SECONDS, parseRow, type Row } from "./table.js";

const usage = "npm run bench -- siconos-limits [data] [generated] [scenes] [--only TEXT] [--seconds S]";
/** Solves that do not end are not looked at. */
const LIMIT_SECONDS = 10;

export const siconosLimits: Bench = {
	name: "siconos-limits",
	what: "how many of our sweeps the time would be in which we want to be done, by what `siconos` has recorded",
	async run(args) {
		const { values, positionals } = parseArgs({
			args: [...args],
			allowPositionals: true,
			options: { only: { type: "string", default: "" }, seconds: { type: "string", default: "0.2" } },
		});
		const seconds = Number(values.seconds);
		const sets = PROBLEM_SETS.filter((set) => positionals.length === 0 || positionals.includes(set));
		if (positionals.length > sets.length || !(seconds > 0)) {
			console.log(usage);
			return 2;
		}
		const data = sets.includes("data") ? dataFolder() : undefined;
		const rows: LimitRow[] = [];
		console.log(header);
		for (const { set, name, read } of subjectsOf(sets, data)) {
			const recorded = recordedOf(FILES[set]).filter((row) => row.problem === name && name.includes(values.only));
			if (recorded.length === 0) continue;
			const problem = await read();
			if ("unfit" in problem) continue;
			const sweep = sweepSeconds(problem, seconds);
			for (const { tolerance, contacts, siconos, ours: own } of recorded) {
				const { products, status } = ours(problem, tolerance, 1, LIMIT_SECONDS);
				if (status !== "solved" || siconos === undefined) continue;
				const times = { seconds: own.seconds, sweepSeconds: sweep, siconosSeconds: siconos.seconds };
				const target = targetOf(tolerance);
				const row: LimitRow = { set, problem: name, contacts, tolerance, target, products, ...times };
				console.log(line(row));
				rows.push(row);
			}
		}
		rows.sort((a, b) => b.tolerance - a.tolerance);
		console.log(["", ...summary(rows)].join("\n"));
		if (rows.length > 0 && values.only === "" && sets.length === PROBLEM_SETS.length) {
			console.log(`recorded in ${recordCsv("siconos-limits", rows.map(flat))}`);
		}
		return 0;
	},
};

/** Rows that both solved and in which Siconos takes long; none where nothing was recorded. */
function recordedOf(file: string): Row[] {
	try {
		return readCsv(file)
			.map(parseRow)
			.filter(({ ours, siconos }) => ours.solved && (siconos?.seconds ?? 0) > LONG_SECONDS);
	} catch {
		return [];
	}
}
