/** What comparisons have found on one machine, revision by revision, as a table and drawn. */
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { linePlot } from "@stickslip/cluster-runner";
import type { Bench } from "../bench.js";
import { circumstances, mergeCsv, readCsv } from "../record.js";
import type { Row } from "./compare.js";

const folder = fileURLToPath(new URL("../../results/history", import.meta.url));
/** Rows of one comparison of one case. */
const KEY = ["revision", "against", "case"] as const;

type Column = (typeof KEY)[number] | "ratio";

/** A file name for machines of this kind. */
export function machineName({ processor, cores } = circumstances()): string {
	return `${processor} ${cores} cores`
		.toLowerCase()
		.replaceAll(/[^a-z0-9]+/g, "-")
		.replaceAll(/^-|-$/g, "");
}

/** Returns the path. A comparison that is repeated replaces its rows. */
export function recordHistory(rows: readonly Row[], against: string, into = folder): string {
	const { revision, date } = circumstances();
	const table = rows.map(({ name, unit, now, spread, ratio, rounds, verdict, hash = "" }) => ({
		...{ revision, against, case: name, date, unit, least: now.toPrecision(5), spread: spread.toFixed(3) },
		...{ ratio: ratio.median.toFixed(4), low: ratio.low.toFixed(4), high: ratio.high.toFixed(4) },
		...{ rounds, verdict, hash },
	}));
	return mergeCsv(machineName(), KEY, table, into);
}

/**
 * A line for each case over the revisions in the order of their comparison: 1 is the first of them, and each is as far from the one that it was compared
 * with as their ratio says. Times of different days are not compared.
 */
export function drawHistory(name: string, from = folder): string {
	const rows = readCsv<Column>(name, from);
	const revisions = [...new Set(rows.flatMap(({ against, revision }) => [against, revision]))];
	const lines = [...new Set(rows.map((row) => row.case))].map((each) => {
		const places = new Map<string, number>();
		for (const { revision, against, ratio } of rows.filter((row) => row.case === each)) {
			if (!places.has(against)) places.set(against, 1);
			places.set(revision, places.get(against)! * Number(ratio));
		}
		const points = revisions.flatMap((revision, x) => {
			const y = places.get(revision);
			return y === undefined ? [] : [[x, y] as const];
		});
		return { name: each, points };
	});
	const marks = revisions.map((_, x) => x);
	const text = (x: number) => revisions[x] ?? "";
	return linePlot({
		title: `Cost by revision, as measured side by side (${name})`,
		x: { label: "revision", scale: "linear", marks, text },
		y: { label: "times the first revision", scale: "linear", holds: [0.9, 1.1] },
		lines,
	});
}

export const history: Bench = {
	name: "history",
	what: "draws what comparisons of revisions (--against) have found, a picture for each machine of bench/results/history",
	run() {
		const names = (existsSync(folder) ? readdirSync(folder) : []).filter((file) => file.endsWith(".csv"));
		if (names.length === 0) console.log("there is no history yet: npm run bench -- --against REV records one");
		for (const file of names) {
			const path = join(folder, file.replace(/\.csv$/, ".svg"));
			writeFileSync(path, `${drawHistory(file.replace(/\.csv$/, ""))}\n`);
			console.log(`drawn in ${path}`);
		}
		return undefined;
	},
};
