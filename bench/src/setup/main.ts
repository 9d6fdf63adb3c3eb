/**
 * What comes before the iterations, and what is left of a solve where there are hardly any: set-up by phase, tiny problems, the whole command.
 * Minima of many repeats: whatever else the machine does only adds.
 */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { SETUP_PHASES } from "@stickslip/core/parallel";
import type { Bench } from "../bench.js";
import { recordCsv } from "../record.js";
import { FORMS, type Form, type PhaseTimes, problemOf, warmTimes } from "./phases.js";

const SIZES = [300, 3000, 30_000, 300_000];
const WARM_SECONDS = 4;
/** Microseconds per contact, warm. */
const MOST: Record<Form, number> = { "W given": 0.6, "W of bodies": 0.6, "matrix-free": 0.4 };

type Row = Record<string, string | number>;

const rounded = (value: number): number => Number(value.toPrecision(3));

function rowOf(form: Form, contacts: number, when: string, { total, phases }: PhaseTimes): Row {
	const each = SETUP_PHASES.map((phase) => [phase, rounded(phases[phase] / contacts)] as const);
	return { kind: form, contacts, when, total: rounded(total / contacts), ...Object.fromEntries(each) };
}

function print(row: Row): void {
	const { kind, contacts, when, total, ...phases } = row;
	const parts = Object.entries(phases).map(([phase, time]) => `${phase} ${time}`);
	console.log(
		`${String(kind).padEnd(12)}${String(contacts).padStart(8)} ${when}: ${total} us per contact (${parts.join(", ")})`,
	);
}

/** In a process of its own, whose answer is one line. */
function inNewProcess(...args: readonly (string | number)[]): unknown {
	const file = fileURLToPath(new URL("child.js", import.meta.url));
	return JSON.parse(execFileSync(process.execPath, [file, ...args.map(String)], { encoding: "utf8" }));
}

export function setupRows(sizes: readonly number[], seconds: number, cold: boolean): Row[] {
	const rows: Row[] = [];
	for (const form of FORMS) {
		for (const contacts of sizes) {
			const problem = problemOf(form, contacts);
			rows.push(rowOf(form, problem.contacts, "warm", warmTimes(problem, form, seconds)));
			print(rows.at(-1)!);
			if (!cold) continue;
			rows.push(rowOf(form, problem.contacts, "cold", inNewProcess("cold", form, contacts) as PhaseTimes));
			print(rows.at(-1)!);
		}
	}
	return rows;
}

export const setup: Bench = {
	name: "setup",
	what: "set-up by phase, tiny problems and the whole command, warm and cold",
	run(args) {
		const sizes = args.length > 0 ? args.map(Number) : SIZES;
		if (!sizes.every((size) => Number.isInteger(size) && size > 0)) {
			console.log("npm run bench -- setup [CONTACTS...]");
			return 2;
		}
		const rows = setupRows(sizes, WARM_SECONDS, args.length === 0);
		const missed = rows.filter(({ kind, when, total }) => when === "warm" && Number(total) > MOST[kind as Form]);
		for (const { kind, contacts, total } of missed) {
			console.log(`MISSED: ${kind}, ${contacts} contacts: ${total} us per contact, at most ${MOST[kind as Form]}`);
		}
		if (args.length === 0) console.log(`recorded in ${recordCsv("setup", rows)}`);
		return missed.length === 0 ? 0 : 1;
	},
};
