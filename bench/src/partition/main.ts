/**
 * Partitions against METIS: balance and cut on graphs of many kinds for 2 to 64 parts, ours by every method that fits, METIS with its default
 * options at the same allowance of balance; and a million contacts in 64 parts against the clock.
 */
import { parseArgs } from "node:util";
import {
	BALANCE_MAX,
	balanceAim,
	type Graph,
	graphOfBodies,
	hasMetis,
	metis,
	partition,
	reportOf,
} from "@stickslip/partition";
import type { Bench } from "../bench.js";
import { dataFolder } from "../data.js";
import { recordCsv } from "../record.js";
import { type Drawn, latticeBodies, samples } from "./graphs.js";

const usage = "npm run bench -- partition [--only NAME] [--tiny]";
const PARTS = [2, 3, 5, 8, 16, 32, 64];
const CONTACTS = 10_000;
const TINY_CONTACTS = 200;
/** Promises: the cut relative to METIS's, and the seconds for a million contacts. */
const CUT_MAX = 1.15;
const MILLION_SECONDS_MAX = 5;
const MILLION_EDGE = 73;
const MILLION_PARTS = 64;
const MILLION_RUNS = 3;
/** METIS counts what a part may weigh above the mean in thousandths. */
const UFACTOR = Math.round(1000 * (BALANCE_MAX - 1));

/** `kept` says whether balance and cut are within the promise; only of auto. */
export type Row = Readonly<Record<"graph" | "method" | "kept", string>> &
	Readonly<
		Record<
			"vertices" | "edges" | "parts" | "balance" | "aim" | "cut" | "overMetis" | "ghosts" | "milliseconds",
			number | ""
		>
	>;

/** All methods on one graph; METIS's row comes first where there is METIS. */
export function compare(name: string, { graph, points }: Drawn, parts: number): Row[] {
	const facts = { graph: name, vertices: graph.vertices, edges: graph.neighbour.length / 2, parts };
	const rival = hasMetis() ? timed(graph, parts, () => metis(graph, parts, { ufactor: UFACTOR })) : undefined;
	const aim = balanceAim(graph, parts);
	const rows: Row[] = [];
	if (rival !== undefined) rows.push({ ...facts, method: "metis", ...rival, aim, overMetis: 1, kept: "" });
	for (const method of points === undefined ? (["auto"] as const) : (["auto", "rcb", "sfc"] as const)) {
		const options = points === undefined ? { method } : { method, points };
		const mine = timed(graph, parts, () => partition(graph, parts, options).owner);
		const overMetis = rival === undefined ? "" : ratio(mine.cut, rival.cut);
		const holds = mine.balance <= aim + 1e-9 && (overMetis === "" || overMetis <= CUT_MAX);
		rows.push({ ...facts, method, ...mine, aim, overMetis, kept: method === "auto" ? (holds ? "yes" : "no") : "" });
	}
	return rows;
}

const ratio = (mine: number, rival: number): number => (mine === rival ? 1 : mine / rival);

function timed(graph: Graph, parts: number, make: () => Int32Array) {
	const begin = performance.now();
	const owner = make();
	const milliseconds = performance.now() - begin;
	const { balance, cutWeight, ghostShare } = reportOf(graph, { owner, parts, method: "metis", reason: "" });
	return { balance, cut: cutWeight, ghosts: ghostShare, milliseconds };
}

function line(row: Row): string {
	const number = (value: number | "", digits: number): string => (value === "" ? "-" : value.toFixed(digits));
	const cells = [
		`balance ${number(row.balance, 3)}`,
		`cut ${String(row.cut).padStart(6)}`,
		`relative to METIS ${number(row.overMetis, 3)}`,
		`ghosts ${number(row.ghosts === "" ? "" : 100 * row.ghosts, 1)} %`,
		`${number(row.milliseconds, 0)} ms`,
	];
	const broken = row.kept === "no" ? "  NOT KEPT" : "";
	return `${row.graph.padEnd(12)}${String(row.parts).padStart(3)}  ${row.method.padEnd(6)} ${cells.join(", ")}${broken}`;
}

function million(edge: number): Row {
	const begin = performance.now();
	const graph = graphOfBodies(latticeBodies(edge));
	console.log(`${graph.vertices} contacts: made and joined in ${((performance.now() - begin) / 1000).toFixed(2)} s`);
	// The least of some: other programs only ever add to the time.
	const runs = Array.from({ length: MILLION_RUNS }, () =>
		timed(graph, MILLION_PARTS, () => partition(graph, MILLION_PARTS).owner),
	);
	const mine = runs.reduce((best, run) => (run.milliseconds < best.milliseconds ? run : best));
	const aim = balanceAim(graph, MILLION_PARTS);
	const kept = mine.milliseconds <= 1000 * MILLION_SECONDS_MAX && mine.balance <= aim + 1e-9 ? "yes" : "no";
	const facts = { graph: "lattice", vertices: graph.vertices, edges: graph.neighbour.length / 2, parts: MILLION_PARTS };
	return { ...facts, method: "auto", ...mine, aim, overMetis: "", kept };
}

export const partitions: Bench = {
	name: "partition",
	what: "balance and cut against METIS on eight graphs for 2 to 64 parts, and a million contacts in 64 parts",
	async run(args) {
		let only: string | undefined;
		let tiny = false;
		try {
			const options = { only: { type: "string" }, tiny: { type: "boolean", default: false } } as const;
			({ only, tiny } = parseArgs({ args: [...args], options }).values);
			if (only !== undefined && !samples.some(({ name }) => name === only)) throw new Error(`unknown graph ${only}`);
		} catch (error) {
			console.log(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
			return 2;
		}
		if (!hasMetis()) console.log("skipped: no libmetis to compare with; on Debian: apt install libmetis5");
		const data = dataFolder();
		const rows: Row[] = [];
		for (const { name, make } of samples) {
			if (only !== undefined && only !== name) continue;
			const drawn = await make(tiny ? TINY_CONTACTS : CONTACTS, data);
			if (drawn === undefined) {
				console.log(`skipped: ${name} is among the shared problems, which are not here`);
				continue;
			}
			for (const parts of tiny ? [3] : PARTS) {
				const found = compare(name, drawn, parts);
				for (const row of found) console.log(line(row));
				rows.push(...found);
			}
		}
		if (only === undefined) {
			rows.push(million(tiny ? 8 : MILLION_EDGE));
			console.log(line(rows[rows.length - 1]!));
		}
		if (!tiny && only === undefined) console.log(`recorded in ${recordCsv("partition", rows.map(rounded))}`);
		const broken = rows.filter(({ kept }) => kept === "no").length;
		console.log(`${rows.filter(({ kept }) => kept === "yes").length} kept, ${broken} not kept`);
		return broken === 0 ? 0 : 1;
	},
};

function rounded(row: Row): Record<string, string | number> {
	return Object.fromEntries(
		Object.entries(row).map(([key, value]) => [key, typeof value === "number" ? Number(value.toPrecision(5)) : value]),
	);
}
