/** `validation [pile] [impact] [hopper] [--resume]`: scenes of Anitescu 2014 against the laws that they have to follow. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Bench } from "../../bench.js";
import { mergeCsv } from "../../record.js";
import { hopper } from "./hopper.js";
import { impact } from "./impact.js";
import type { Table, ValidationRow } from "./part.js";
import { pile } from "./pile.js";

const NAME = "validation";
const KEY = ["part", "run", "quantity"];
const stored = fileURLToPath(new URL(`../../../results/${NAME}.csv`, import.meta.url));

const parts: Readonly<Record<string, (table: Table) => void>> = { pile, impact, hopper };

/** What is measured, by part and run. No cell of a run has commas. */
function storedNumbers(): Map<string, number> {
	if (!existsSync(stored)) return new Map();
	const cells = readFileSync(stored, "utf8")
		.split("\n")
		.map((line) => line.split(","));
	return new Map(
		cells.filter(([, run]) => run !== "fit").map(([part, run, , value]) => [`${part} ${run}`, Number(value)]),
	);
}

function run(args: readonly string[]): number {
	const { values, positionals } = parseArgs({
		args: [...args],
		options: { resume: { type: "boolean" } },
		allowPositionals: true,
	});
	const names = positionals.length > 0 ? positionals : Object.keys(parts);
	const unknown = names.find((name) => !Object.hasOwn(parts, name));
	if (unknown !== undefined) {
		console.log(`there is no part ${unknown}; choose among ${Object.keys(parts).join(", ")}`);
		return 2;
	}
	const known = values.resume ? storedNumbers() : new Map<string, number>();
	const rows: ValidationRow[] = [];
	const table: Table = {
		known: (part, run) => known.get(`${part} ${run}`),
		add(row) {
			rows.push(row);
			console.log(Object.values(row).join("  "));
			mergeCsv(NAME, KEY, [row]);
		},
		say: (line) => console.log(line),
	};
	for (const name of names) parts[name]!(table);
	return rows.some(({ held }) => held === "NO") ? 1 : 0;
}

export const validation: Bench = {
	name: NAME,
	what: "piles, impacts and flow from a silo against the laws of papers; [pile] [impact] [hopper] [--resume]",
	run,
};
