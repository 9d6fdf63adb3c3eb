/**
 * `npm run docs:performance`: writes the tables of docs/performance.md from what benches recorded in bench/results. tidy/performance.test.ts fails where the
 * page has other numbers than these files.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const page = "docs/performance.md";
const results = "bench/results";

/** The rows of a result by its columns, and what its first lines say of machine, date and revision. */
export function parseResult(text) {
	const lines = text.split("\n").filter((line) => line !== "");
	const facts = lines.filter((line) => line.startsWith("#")).map((line) => line.slice(2).split(": "));
	const [header, ...rows] = lines.filter((line) => !line.startsWith("#")).map(cellsOf);
	return {
		facts: Object.fromEntries(facts),
		rows: rows.map((cells) => Object.fromEntries(header.map((name, k) => [name, cells[k]]))),
	};
}

function cellsOf(line) {
	const cells = [...`${line},`.matchAll(/("(?:[^"]|"")*"|[^,]*),/g)].map(([, cell]) => cell);
	return cells.map((cell) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell));
}

const count = (text) => Number(text).toLocaleString("en-US");
const percent = (share) => {
	const value = 100 * Number(share);
	return value === 0 ? "" : value < 0.5 ? "<1" : value.toFixed(0);
};
const text3 = (value) => String(Number(Number(value).toPrecision(3)));
const time = (us) => (us < 1000 ? `${text3(us)} us` : us < 1e6 ? `${text3(us / 1000)} ms` : `${text3(us / 1e6)} s`);
const ratio = (one, other) => (one === "" ? "" : (Number(one) / Number(other)).toFixed(2));

/** In columns as wide as their widest cell, as the formatter has them. */
function table(columns, rows) {
	const widths = columns.map((column, k) => Math.max(3, ...[column, ...rows.map((cells) => cells[k])].map(lengthOf)));
	const line = (cells) => `| ${cells.map((cell, k) => String(cell).padEnd(widths[k])).join(" | ")} |`;
	return [line(columns), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}

const lengthOf = (cell) => String(cell).length;

function madeOn({ facts }) {
	return `Measured on ${facts.cores} cores of ${facts.processor} with Node ${facts.node}, ${facts.date}, revision ${facts.revision}.`;
}

const name = ({ problem, contacts }) => `${problem}, ${count(contacts)}`;

/** Shares of a solve's time, by what performance.csv calls them. */
const SHARES = [
	["check", "checks"],
	["order", "order, colours"],
	["formOperator", "operator"],
	["memory", "memory"],
	["setUpOfFew", "set-up of a few"],
	["sweeps", "sweeps"],
	["products", "products"],
	["mixing", "mixing"],
	["measuring", "measures"],
	["otherKernels", "other kernels"],
	["script", "TypeScript"],
];

function whereOf(result) {
	const used = SHARES.filter(([key]) => result.rows.some((row) => percent(row[`${key}Share`]) !== ""));
	const rows = result.rows.map((row) => [
		name(row),
		row.tolerance,
		row.iterations,
		time(row.totalUs),
		...used.map(([key]) => percent(row[`${key}Share`])),
	]);
	const columns = ["problem", "tolerance", "iterations", "whole", ...used.map(([, title]) => `${title}, %`)];
	return `${madeOn(result)}\n\n${table(columns, rows)}`;
}

function machineOf(result) {
	const swept = result.rows.filter(({ gbps }) => gbps !== "");
	const columns = [
		"problem",
		"operator",
		"ns per contact and sweep",
		"bytes per contact",
		"GB/s",
		"of a triad's",
		"GFLOP/s",
		"of the peak",
	];
	const rows = swept.map((row) => [
		name(row),
		row.operator,
		row.nsPerSweepAndContact,
		row.bytesPerContact,
		row.gbps,
		`${ratio(row.gbps, row.streamGbps)} of ${row.streamGbps}`,
		row.gflops,
		`${ratio(row.gflops, row.peakGflops)} of ${row.peakGflops}`,
	]);
	return table(columns, rows);
}

function stepsOf(result) {
	const columns = [
		"drum of",
		"steps, rounds",
		"contacts",
		"iterations, from zero",
		"detection",
		"set-up",
		"solve",
		"rest",
		"all but detection over solve (at most)",
		"single solves from zero: in memory, over a step (at least)",
		"of files in one process",
		"by the command line",
	];
	const single = (row, way) => `${time(1000 * row[`${way}Ms`])}, ${row[`${way}Gain`]} (${row.gainTarget})`;
	const rows = result.rows.map((row) => [
		count(row.bodies),
		`${count(row.steps)}, ${row.rounds}`,
		count(row.contacts),
		`${row.iterations}, ${row.iterationsFromZero}`,
		...["detectMs", "setupMs", "solveMs", "restMs"].map((key) => time(1000 * row[key])),
		`${row.beside} (${row.besideTarget})`,
		...["zero", "file", "command"].map((way) => single(row, way)),
	]);
	return `${madeOn(result)}\n\n${table(columns, rows)}`;
}

const RANK_PHASES = ["plan", "partition", "cut", "build", "iterations", "assemble"];

function ranksOf(result) {
	const columns = ["problem", "transport", "one rank", "two", "times as fast", "iterations alone", ...RANK_PHASES];
	const rows = result.rows.map((row) => [
		name(row),
		row.way,
		time(1000 * row.oneMs),
		time(1000 * row.twoMs),
		`${ratio(row.oneMs, row.twoMs)}${row.target === "" ? "" : ` of ${row.target}`}`,
		Number(row.speedupOfIterations).toFixed(2),
		...RANK_PHASES.map((phase) => time(1000 * row[`${phase}Ms`])),
	]);
	return `${madeOn(result)}\n\n${table(columns, rows)}`;
}

function productsOf(result) {
	const ours = result.rows.filter(({ kernel }) => kernel === "ours, wasm");
	const rows = ours.map((row) => {
		const same = result.rows.filter(({ pattern, place }) => pattern === row.pattern && place === row.place);
		const best = same.find(({ kernel }) => kernel.startsWith("C,") && !kernel.endsWith("alone"));
		const free = same.find(({ kernel }) => kernel === "matrix-free, wasm");
		const speed = (of) => (of === undefined ? "" : `${text3(of.nsPerContact)} (${text3(of.gbps)} GB/s)`);
		return [row.pattern, row.place, speed(row), speed(best), Number(row.ratio).toFixed(2), speed(free)];
	});
	const columns = ["rows", "in", "ours, ns per contact", "best C", "ours over C", "without W"];
	return `${madeOn(result)}\n\n${table(columns, rows)}`;
}

const mean = (values) => Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
/** Fewer sweeps than these are those with which mixing begins. */
const FEW = 5;

function limitsOf(result) {
	const columns = [
		"problems",
		"natural",
		"rows",
		"times as fast",
		"rows that are",
		"if sweeps alone took time",
		"sweeps, in the mean",
		"of the time wanted",
		`rows of less than ${FEW}`,
	];
	const groups = groupedBy(result.rows, groupOf);
	const rows = [...groups.values()].map((each) => {
		const [{ set, tolerance, target }] = each;
		const of = (key) => each.map((row) => Number(row[key]));
		return [
			set,
			tolerance,
			each.length,
			`${mean(of("ratio")).toFixed(2)} of ${target}`,
			each.filter((row) => Number(row.ratio) >= Number(target)).length,
			mean(of("ratioOfSweeps")).toFixed(2),
			text3(mean(of("products"))),
			text3(mean(of("sweepsWanted"))),
			of("sweepsWanted").filter((sweeps) => sweeps < FEW).length,
		];
	});
	return `${madeOn(result)}\n\n${table(columns, rows)}`;
}

const groupOf = ({ set, tolerance }) => `${set} ${tolerance}`;

function groupedBy(rows, keyOf) {
	const groups = new Map();
	for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row]);
	return groups;
}

const PARTS = {
	where: ["performance", whereOf],
	machine: ["performance", machineOf],
	steps: ["steps", stepsOf],
	ranks: ["ranks-auto", ranksOf],
	products: ["kernels", productsOf],
	limits: ["siconos-limits", limitsOf],
};

/** The page with its tables made of these results, texts by name. */
export function withTables(text, resultOf) {
	return Object.entries(PARTS).reduce((made, [part, [file, tableOf]]) => {
		const begin = `<!-- ${part}: made by \`npm run docs:performance\`, do not edit. -->`;
		const end = `<!-- The end of ${part}. -->`;
		const [from, to] = [made.indexOf(begin), made.indexOf(end)];
		if (from === -1 || to < from) throw new Error(`${page} has no marks for ${part}: ${begin} and ${end}`);
		const tables = tableOf(parseResult(resultOf(file)));
		return `${made.slice(0, from + begin.length)}\n\n${tables}\n\n${made.slice(to)}`;
	}, text);
}

export function readResult(file) {
	return readFileSync(join(root, results, `${file}.csv`), "utf8");
}

function main() {
	const path = join(root, page);
	writeFileSync(path, withTables(readFileSync(path, "utf8"), readResult));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
