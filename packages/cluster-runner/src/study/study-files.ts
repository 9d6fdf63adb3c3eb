/** Writes what a study found: lines of text for people, CSV and JSON for programs. */
import { join } from "node:path";
import { InputError } from "@stickslip/core";
import { codeOrText } from "../base/errors.js";
import { makeFolders } from "../base/folders.js";
import { writeWhole } from "../files/write.js";
import { type Column, head, row } from "../output/table.js";
import type { PageTable } from "./study-page.js";

/** Throws an InputError if the folder of a study cannot be made. */
export function makeFolder(folder: string): void {
	try {
		makeFolders(folder);
	} catch (error) {
		throw new InputError("study", "--output", `${folder} cannot be made (${codeOrText(error)})`, "name another folder");
	}
}

/** The files by their names. */
export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
	for (const [name, text] of Object.entries(files)) writeWhole(join(folder, name), text);
}

/** The first column is aligned left, the others right. */
export function tableLines({ titles, rows }: PageTable): string[] {
	const columns: Column[] = titles.map((title, k) => ({
		title,
		width: Math.max(title.length, ...rows.map((cells) => cells[k]?.length ?? 0)),
		align: k === 0 ? "left" : "right",
	}));
	return [...head(columns), ...rows.map((cells) => row(columns, cells))];
}

/** The columns are the keys of all records, in the order in which they come first; what a record has not is empty. */
export function csvOf(records: readonly Readonly<Record<string, string | number | undefined>>[]): string {
	const columns = [...new Set(records.flatMap((each) => Object.keys(each)))];
	const lines = records.map((each) => columns.map((column) => quoted(String(each[column] ?? ""))).join(","));
	return `${[columns.map(quoted).join(","), ...lines].join("\n")}\n`;
}

function quoted(text: string): string {
	return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
