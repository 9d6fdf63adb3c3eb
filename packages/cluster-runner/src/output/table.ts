/** Tables of text that are printed row by row, so every column's width is known before the first row is. */
import { oneLine } from "../base/format.js";

export interface Column {
	readonly title: string;
	readonly width: number;
	/** Text is aligned left, numbers right. */
	readonly align: "left" | "right";
}

/** A row of a table; a cell that is too long shifts the others. */
export function row(columns: readonly Column[], cells: readonly string[]): string {
	const padded = columns.map(({ width, align }, index) => {
		const cell = oneLine(cells[index] ?? "");
		return align === "left" ? cell.padEnd(width) : cell.padStart(width);
	});
	return padded.join("  ").trimEnd();
}

export function head(columns: readonly Column[]): string[] {
	const titles = columns.map(({ title }) => title);
	return [row(columns, titles), columns.map(({ width }) => "-".repeat(width)).join("  ")];
}

/** Names and values under each other; empty values are left out. */
export function pairs(rows: readonly (readonly [string, string])[]): string[] {
	const shown = rows.filter(([, value]) => value !== "");
	const width = Math.max(0, ...shown.map(([name]) => name.length)) + 2;
	return shown.map(([name, value]) => `  ${name.padEnd(width)}${oneLine(value)}`);
}
