/** A report for people: a few lines for one problem, or a row of a table for many. */
import { errorOf, type Report } from "@stickslip/core";
import { counted, duration, exact, oneLine, small, three } from "../base/format.js";
import { rankFacts, rankTable } from "./ranks.js";
import { type Column, head, pairs, row } from "./table.js";

const measures = ["energy", "natural", "merit"] as const;
/** Of a report for people, at most. */
const remediesShown = 3;

/** One problem, in about ten lines. */
export function summary(report: Report, written = ""): string[] {
	const { seconds, secondsFirst, iterations, products } = report;
	return [
		`${report.problem}: ${report.status}: ${report.reason}`,
		...pairs([
			["contacts", counted(report.contacts, "contact").replace(/ .*/, "")],
			["method", report.method],
			["choice", report.choice ?? ""],
			...remedies(report.remedies),
			...(report.warnings ?? []).map(({ text }): [string, string] => ["warning", text]),
			["error", errors(report)],
			["iterations", `${counted(iterations, "iteration")}, ${counted(products, "product")} with W`],
			["time", `${duration(seconds)}${secondsFirst > 0 ? ` (first solve with set-up ${duration(secondsFirst)})` : ""}`],
			["operator", report.operator],
			...rankFacts(report),
			["hash", report.hash],
			["written", written],
		]),
		...rankTable(report),
	];
}

/** A hard problem tries dozens: the last ones are shown, with the number of earlier ones. */
function remedies(all: readonly string[]): [string, string][] {
	const rest = all.length - remediesShown;
	const lines = [...(rest > 0 ? [`${rest} more before these (--json has all)`] : []), ...all.slice(-remediesShown)];
	return lines.map((line, index) => [index === 0 ? "remedies" : "", line]);
}

/** The chosen measure first, with its tolerance. */
export function errors(report: Report): string {
	const { measure, tolerance } = report;
	const target = `${measure} ${small(errorOf(report))} (tolerance ${exact(tolerance)})`;
	const others = measures.filter((name) => name !== measure).map((name) => `${name} ${small(report[name])}`);
	return [target, ...others].join(", ");
}

/** The columns of the table for problems of these names. The names are written without the folder. */
export function tableColumns(names: readonly string[], folder: string): readonly Column[] {
	const longest = Math.max(7, ...names.map((name) => name.length - folder.length));
	return [
		{ title: "problem", width: longest, align: "left" },
		{ title: "contacts", width: 9, align: "right" },
		{ title: "status", width: 15, align: "left" },
		{ title: "iterations", width: 10, align: "right" },
		{ title: "products", width: 9, align: "right" },
		...measures.map((name) => ({ title: name, width: 8, align: "right" }) as const),
		{ title: "seconds", width: 8, align: "right" },
		{ title: "ranks", width: 5, align: "right" },
		{ title: "method", width: 6, align: "left" },
	];
}

/** The folder that all names are in, with its slash; empty where there is none. */
export function commonFolder(names: readonly string[]): string {
	const [first = [], ...others] = names.map((name) => name.split("/").slice(0, -1));
	let depth = first.length;
	for (const folders of others) {
		const parting = folders.findIndex((folder, level) => folder !== first[level]);
		depth = Math.min(depth, parting < 0 ? folders.length : parting);
	}
	return depth === 0 ? "" : `${first.slice(0, depth).join("/")}/`;
}

export function tableHead(columns: readonly Column[], folder: string): string[] {
	return folder === "" ? head(columns) : [`in ${oneLine(folder)}`, "", ...head(columns)];
}

export function tableRow(columns: readonly Column[], report: Report, folder: string): string {
	return row(columns, [
		report.problem.slice(folder.length),
		String(report.contacts),
		report.status,
		String(report.iterations),
		String(report.products),
		...measures.map((name) => small(report[name])),
		three(report.seconds),
		String(report.ranks),
		report.method,
	]);
}

export interface Counts {
	readonly attempted: number;
	/** Not attempted. */
	readonly missing: number;
	/** Answers that were to be written and could not be. */
	readonly unwritten: number;
}

/** What the table cannot hold: why each problem that is not solved ended, and the total. */
export function tableFoot(reports: readonly Report[], { attempted, missing, unwritten }: Counts): string[] {
	const unsolved = reports.filter(({ status }) => status !== "solved");
	const solved = reports.length - unsolved.length;
	const total = reports.reduce((sum, { seconds }) => sum + seconds, 0);
	const unread = attempted - reports.length;
	const facts = [
		`${solved} of ${attempted + missing} solved in ${duration(total)}`,
		unread > 0 ? `${unread} could not be read or solved (see the messages)` : "",
		unwritten > 0 ? `${counted(unwritten, "answer")} could not be written (see the messages)` : "",
		missing > 0 ? `${missing} not attempted` : "",
	];
	return [
		"",
		...unsolved.map(({ problem, status, reason }) => `${problem}: ${status}, ${reason}`),
		facts.filter((fact) => fact !== "").join("; "),
	];
}
