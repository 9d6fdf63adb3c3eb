/**
 * `npm run docs:scaling`: writes the tables of docs/scaling.md from bench/results/scaling.csv, which `npm run bench -- scaling` measures, and those of
 * sensitivity from sensitivity.csv. tidy/scaling.test.ts fails where the page has other ones. What was not reached stands there as well.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const page = "docs/scaling.md";
const mark = (name) => [
	`<!-- ${name}: made by \`npm run docs:scaling\`, do not edit. -->`,
	`<!-- The end of ${name}. -->`,
];

/** Rows by the names of the header, and the comment lines as facts. */
export function parseCsv(text) {
	const lines = text.split("\n").filter((line) => line !== "");
	const facts = lines.filter((line) => line.startsWith("# ")).map((line) => line.slice(2).split(": "));
	const [header = [], ...rows] = lines.filter((line) => !line.startsWith("#")).map(cellsOf);
	return {
		facts: Object.fromEntries(facts),
		rows: rows.map((cells) => Object.fromEntries(header.map((name, k) => [name, cells[k] ?? ""]))),
	};
}

function cellsOf(line) {
	const cells = [...`${line},`.matchAll(/("(?:[^"]|"")*"|[^,]*),/g)].map((match) => match[1]);
	return cells.map((cell) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell));
}

/** A table of Markdown whose columns are as wide as they have to be: as the formatter would write it. */
export function table(titles, rows) {
	const cells = [titles, ...rows].map((row) => row.map((cell) => cell.replaceAll("|", "\\|")));
	const widths = titles.map((_, k) => Math.max(3, ...cells.map((row) => row[k].length)));
	const line = (row) => `| ${row.map((cell, k) => cell.padEnd(widths[k])).join(" | ")} |`;
	const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
	return [line(cells[0]), rule, ...cells.slice(1).map(line)].join("\n");
}

const percent = (text) => (text === "" ? "" : `${(100 * Number(text)).toFixed(1)} %`);
const three = (text) =>
	text === "" ? "" : Number(Number(text).toPrecision(3)).toLocaleString("en", { maximumSignificantDigits: 3 });

function machineOf({ processor, cores, node, date, revision }) {
	return `${processor}, ${cores} cores, Node ${node}, ${date}, revision ${revision}.`;
}

/** Cores that others may keep busy before times are worth little. */
const OTHERS_MAX = 0.1;
const PARALLEL = ["loadBalance", "serialisation", "transfer"];
const SHARES = ["iterationFactor", "computation", "product"];
const TITLES = [
	"method",
	"ranks",
	"seconds",
	"spread",
	"speed-up",
	"efficiency",
	"balance",
	"serial.",
	"transfer",
	"parallel",
	"iterations",
	"computation",
	"product",
];

/** A section for each case: times with their factors, what an iteration exchanges, and the verdicts. */
export function scalingTables({ facts, rows }) {
	const cases = [...new Set(rows.map((row) => row.case))].sort();
	const parts = cases.map((name) => {
		const own = rows.filter((row) => row.case === name).sort(byCell);
		const hasSolves = own.some((row) => row.solveEfficiency !== "");
		const cell = (row) => `${row.ranks}${row.transport === "none" ? "" : ` ${row.transport}`}`;
		const times = own.map((row) => [
			...[row.method, cell(row), three(row.seconds), percent(row.spread), three(row.speedup), percent(row.efficiency)],
			...(hasSolves ? [percent(row.solveEfficiency)] : []),
			...PARALLEL.map((share) => percent(row[share])),
			percent(parallelOf(row)),
			...SHARES.map((share) => percent(row[share])),
		]);
		const titles = hasSolves ? [...TITLES.slice(0, 6), "of solves", ...TITLES.slice(6)] : TITLES;
		const traffic = own
			.filter((row) => Number(row.ranks) > 1)
			.map((row) => {
				const each = Math.max(1, Number(row.iterations));
				const counts = ["exchanges", "reductions", "messages", "bytes"].map((count) =>
					three(String(Number(row[count]) / each)),
				);
				return [row.method, cell(row), three(row.contacts), three(row.iterations), ...counts, row.hash.slice(0, 8)];
			});
		const others = Math.max(0, ...own.map((row) => Number(row.others)));
		const worth = others > OTHERS_MAX ? ": **these times are worth little**" : "";
		const load = `Other programs kept up to ${others.toFixed(2)} cores busy meanwhile${worth}.`;
		return [
			`### ${name}: ${own[0].problem}`,
			table(titles, times),
			"Of an iteration:",
			table(
				["method", "ranks", "contacts", "iterations", "exchanges", "reductions", "messages", "bytes", "hash"],
				traffic,
			),
			own
				.filter((row) => Number(row.ranks) > 1)
				.map((row) => `- ${row.method}, ${cell(row)}: ${row.verdict}.`)
				.join("\n"),
			load,
		].join("\n\n");
	});
	return [`Measured on ${machineOf(facts)}`, ...parts].join("\n\n");
}

/** Load balance, serialisation and transfer together. */
function parallelOf(row) {
	const shares = PARALLEL.map((share) => row[share]);
	return shares.includes("") ? "" : String(shares.reduce((product, share) => product * Number(share), 1));
}

const byCell = (a, b) =>
	a.method.localeCompare(b.method) || Number(a.ranks) - Number(b.ranks) || a.transport.localeCompare(b.transport);

/** A table for each kind of body: what each choice of options takes, beside the report's own numbers where it has them. */
export function sensitivityTables({ facts, rows }) {
	const isDrawn = (row) => row.case.startsWith("Figure");
	const cases = [...new Set(rows.filter((row) => !isDrawn(row)).map((row) => row.case))];
	const tables = cases.map((name) => {
		const own = rows.filter((row) => row.case === name).sort((a, b) => a.method.localeCompare(b.method, "en"));
		const cells = own.map((row) => [
			...[row.method, row.steps, three(row.iterations), row.failed, three(row.seconds), percent(row.solveShare)],
			...[three(row.theirIterations), row.theirFailed, three(row.theirSeconds), percent(row.theirShare)],
		]);
		const titles = [
			"options",
			"steps",
			"it/step",
			"failed",
			"seconds",
			"solving",
			"report: it/step",
			"failed",
			"seconds",
			"solving",
		];
		return `### ${name}\n\n${table(titles, cells)}`;
	});
	return [`Measured on ${machineOf(facts)}`, ...tables, ...figureTables(rows.filter(isDrawn))].join("\n\n");
}

/** A grid of the report's figures as a table: delta down, the other options across; iterations of a step, failed solves in brackets, seconds. */
function figureTables(rows) {
	const drawn = rows.map((row) => {
		const [, name, density] = /^(.*?)(?:, (\S+) kg\/m3)?$/.exec(row.case);
		const { delta, ...others } = Object.fromEntries(
			row.method.split(" ").flatMap((word) => (word.includes("=") ? [word.split("=")] : [])),
		);
		const across = density === undefined ? `${others.epsilon}, ${others.m}` : `${density} kg/m3`;
		const failed = row.failed === "0" ? "" : ` (${row.failed})`;
		return {
			name,
			delta,
			across,
			steps: row.steps,
			cell: `${three(row.iterations)}${failed}, ${three(row.seconds)} s`,
		};
	});
	const inOrder = (values) => [...new Set(values)].sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
	const numbered = inOrder(drawn.map(({ name }) => name)).sort((a, b) => numberOf(a) - numberOf(b));
	return numbered.map((name) => {
		const own = drawn.filter((row) => row.name === name);
		const across = inOrder(own.map((row) => row.across));
		const deltas = [...new Set(own.map(({ delta }) => delta))].sort((a, b) => a - b);
		const cells = deltas.map((delta) => [
			delta,
			...across.map((one) => own.find((row) => row.delta === delta && row.across === one)?.cell ?? ""),
		]);
		const kind = across[0].endsWith("kg/m3") ? "density" : "epsilon, m";
		return `### ${name}: ${own[0].steps} steps\n\n${table([`delta \\ ${kind}`, ...across], cells)}`;
	});
}

const numberOf = (figure) => Number(/\d+/.exec(figure)[0]);

/** The page with what was measured between its marks. */
export function withTables(text, results) {
	let made = text;
	for (const [name, tables] of Object.entries(results)) {
		const [begin, end] = mark(name);
		const from = made.indexOf(begin);
		const to = made.indexOf(end);
		if (from === -1 || to < from) throw new Error(`${page} has no marks to write between: ${begin} and ${end}`);
		made = `${made.slice(0, from + begin.length)}\n\n${tables}\n\n${made.slice(to)}`;
	}
	return made;
}

/** Of the committed results. */
export function tablesOf(folder = join(root, "bench/results")) {
	const read = (name) => {
		const path = join(folder, `${name}.csv`);
		return existsSync(path) ? parseCsv(readFileSync(path, "utf8")) : undefined;
	};
	const [scaling, sensitivity] = [read("scaling"), read("sensitivity")];
	return {
		...(scaling && { scaling: scalingTables(scaling) }),
		...(sensitivity && { sensitivity: sensitivityTables(sensitivity) }),
	};
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	const path = join(root, page);
	writeFileSync(path, withTables(readFileSync(path, "utf8"), tablesOf()));
}
