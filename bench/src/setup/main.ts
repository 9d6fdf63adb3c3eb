/**
 * What comes before the iterations, and what is left of a solve where there are hardly any: set-up by phase, tiny problems, memory over
 * many solves. Minima of many repeats: whatever else the machine does only adds.
 */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SETUP_PHASES } from "@stickslip/core/parallel";
import type { Bench } from "../bench.js";
import { dataFolder } from "../data.js";
import { recordCsv } from "../record.js";
import { COMMAND_PHASES, commandTimes } from "./command.js";
import { EARLY_PROBLEMS, type EarlyTimes } from "./early.js";
import { FORMS, type Form, type PhaseTimes, preparedTimes, problemOf, warmTimes } from "./phases.js";
import { type MemoryUse, type memoryOf, tinyProblems, tinyTiming } from "./tiny.js";

const SIZES = [300, 3000, 30_000, 300_000];
const WARM_SECONDS = 4;
const TINY_SECONDS = 1;
/** Microseconds per contact, warm. */
const MOST: Record<Form, number> = { "W given": 0.6, "W of bodies": 0.6, "matrix-free": 0.4 };
const NEW_VALUES_MAX = 0.15;
/** Milliseconds of `stickslip solve` of a file of 3,000 contacts. */
const COMMAND_MS_MAX = 350;
const COMMANDS = 7;
/** Microseconds: set-up, iterations of one contact, of more. */
const TINY_MOST = { setUp: 8, one: 1.2, more: 8 };
const FIRST_MS_MAX = 8;
const FIRSTS = 7;
const EARLY_PROCESSES = 2;
const EARLY_SECONDS = 0.5;
const GROWTH_MIB_MAX = 1;

type Row = Record<string, string | number>;

const rounded = (value: number): number => Number(value.toPrecision(3));

function rowOf(form: Form, contacts: number, when: string, { total, phases }: PhaseTimes): Row {
	const each = SETUP_PHASES.map((phase) => [phase, rounded(phases[phase] / contacts)] as const);
	return { kind: form, contacts, when, total: rounded(total / contacts), ...Object.fromEntries(each) };
}

function print(row: Row): void {
	const { kind, contacts, when, total, ...phases } = row;
	const parts = Object.entries(phases).map(([phase, time]) => `${phase} ${time}`);
	const head = `${String(kind).padEnd(12)}${String(contacts).padStart(8)} ${when}`;
	console.log(`${head}: ${total} us per contact (${parts.join(", ")})`);
}

/** In a process of its own, whose answer is one line. */
function inNewProcess(...args: readonly (string | number)[]): unknown {
	const file = fileURLToPath(new URL("child.js", import.meta.url));
	return JSON.parse(execFileSync(process.execPath, [file, ...args.map(String)], { encoding: "utf8" }));
}

function setupRows(sizes: readonly number[], isCold: boolean): Row[] {
	const rows: Row[] = [];
	const keep = (row: Row): void => {
		rows.push(row);
		print(row);
	};
	for (const form of FORMS) {
		for (const size of sizes) {
			const problem = problemOf(form, size);
			const { contacts } = problem;
			keep(rowOf(form, contacts, "warm", warmTimes(problem, form, WARM_SECONDS)));
			keep(rowOf(form, contacts, "new values", preparedTimes(problem, form, WARM_SECONDS)));
			if (isCold) keep(rowOf(form, contacts, "cold", inNewProcess("cold", form, size) as PhaseTimes));
		}
	}
	return rows;
}

/** Whether it was kept, after a line when it was not. */
function held(what: string, value: number, most: number, unit: string): boolean {
	if (value <= most) return true;
	console.log(`MISSED: ${what}: ${rounded(value)} ${unit}, at most ${most}`);
	return false;
}

async function tiny(): Promise<boolean> {
	let all = true;
	const rows = [];
	for (const problem of await tinyProblems(dataFolder())) {
		const row = tinyTiming(problem, TINY_SECONDS);
		const { contacts, iterations, setUp, iterating, whole } = row;
		const counts = `${String(contacts).padStart(2)} contacts, ${String(iterations).padStart(3)} iterations, ${row.status}`;
		const times = `set-up ${rounded(setUp)} us, iterations ${rounded(iterating)} us, whole ${rounded(whole)} us`;
		console.log(`${row.problem.padEnd(36)} ${counts}: ${times}`);
		rows.push({ ...row, setUp: rounded(setUp), iterating: rounded(iterating), whole: rounded(whole) });
		if (contacts === 5) all = held(`${row.problem}, set-up`, setUp, TINY_MOST.setUp, "us") && all;
		const most = contacts === 1 ? TINY_MOST.one : TINY_MOST.more;
		if (contacts === 1 || contacts >= 5) all = held(`${row.problem}, iterations`, iterating, most, "us") && all;
	}
	console.log(`recorded in ${recordCsv("setup-tiny", rows)}`);
	return all;
}

function processes(): boolean {
	const firsts = Array.from({ length: FIRSTS }, () => inNewProcess("first") as number);
	const first = Math.min(...firsts);
	console.log(`first solve of a process: ${rounded(first)} ms beyond loading (least of ${FIRSTS})`);
	let all = held("first solve of a process", first, FIRST_MS_MAX, "ms");
	for (const contacts of [5, 300, 3000]) {
		const { before, after } = inNewProcess("memory", contacts, 1000) as ReturnType<typeof memoryOf>;
		const told = ({ used, resident }: MemoryUse): string =>
			`${used.toFixed(1)} MiB used (${resident.toFixed(0)} resident)`;
		console.log(`${contacts} contacts: ${told(before)} after 100 solves, ${told(after)} after 1,000 more`);
		all = held(`growth at ${contacts} contacts`, after.used - before.used, GROWTH_MIB_MAX, "MiB") && all;
	}
	return all;
}

/** Whole solves: the least of some processes. */
function early(): number {
	const data = dataFolder();
	if (data === undefined) return 0;
	const rows = EARLY_PROBLEMS.map((source) => {
		const path = /^[0-9]+$/.test(source) ? source : join(data, `${source}.hdf5`);
		const all = Array.from({ length: EARLY_PROCESSES }, () => inNewProcess("early", path, EARLY_SECONDS) as EarlyTimes);
		const least = (of: (times: EarlyTimes) => number) => rounded(Math.min(...all.map(of)));
		const { contacts, iterations } = all[0]!;
		const row = {
			problem: source.slice(source.indexOf("/") + 1),
			...{ contacts, iterations },
			cold: least((times) => times.cold),
			early: least((times) => times.early),
			warm: least((times) => times.warm),
			warmIterating: least((times) => times.warmIterating),
		};
		const times = `${row.cold} us first, ${row.early} early, ${row.warm} warm, of which iterations ${row.warmIterating}`;
		console.log(`${row.problem.padEnd(36)} ${contacts} contacts, ${iterations} iterations: ${times}`);
		return row;
	});
	console.log(`recorded in ${recordCsv("setup-early", rows)}`);
	return 0;
}

function command(): boolean {
	const times = commandTimes(COMMANDS);
	console.log(
		`stickslip solve, cold: ${COMMAND_PHASES.map((phase) => `${phase} ${rounded(times[phase])}`).join(", ")} ms`,
	);
	return held("stickslip solve, cold", times.whole, COMMAND_MS_MAX, "ms");
}

export const setup: Bench = {
	name: "setup",
	what: "set-up by phase, warm and cold; problems of a few contacts; memory over many solves; early: whole solves, the first of a process and warm ones",
	async run(args) {
		if (args[0] === "early") return early();
		const sizes = args.length > 0 ? args.filter((word) => word !== "tiny").map(Number) : SIZES;
		if (!sizes.every((size) => Number.isInteger(size) && size > 0)) {
			console.log("npm run bench -- setup [early | tiny] [CONTACTS...]");
			return 2;
		}
		const rows = setupRows(sizes, args.length === 0);
		let all = true;
		for (const { kind, contacts, when, total } of rows) {
			const most = when === "warm" ? MOST[kind as Form] : when === "new values" ? NEW_VALUES_MAX : Infinity;
			all = held(`${kind}, ${contacts} contacts, ${when}`, Number(total), most, "us per contact") && all;
		}
		if (args.length === 0 || args.includes("tiny")) {
			all = (await tiny()) && all;
			all = processes() && all;
			all = command() && all;
		}
		if (args.length === 0) console.log(`recorded in ${recordCsv("setup", rows)}`);
		return all ? 0 : 1;
	},
};
