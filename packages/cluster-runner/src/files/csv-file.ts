/** A table of numbers as text that grows line by line: the first number of a line is its step. An incomplete line of a killed process is cut off. */
import { closeSync, existsSync, openSync, readFileSync, truncateSync } from "node:fs";
import { writeEnd } from "./write-end.js";

/** Bytes that are written at once. */
const HELD_CHARACTERS = 2 ** 14;

export class CsvFile {
	readonly #file: number;
	/** The last step that is there. */
	#last = -1;
	#held = "";
	/** Bytes in the file. */
	#end = 0;

	/** `goesOn`: appends to existing lines; steps that are there are not written again. */
	constructor(path: string, columns: readonly string[], goesOn: boolean) {
		const head = `${columns.join(",")}\n`;
		const text = goesOn && existsSync(path) ? readFileSync(path, "utf8") : "";
		if (text.startsWith(head)) {
			const whole = text.slice(0, text.lastIndexOf("\n") + 1);
			truncateSync(path, Buffer.byteLength(whole));
			const last = whole.trimEnd().split("\n").at(-1) ?? "";
			this.#last = last === head.trimEnd() ? -1 : Number(last.split(",")[0]);
			this.#file = openSync(path, "r+");
			this.#end = Buffer.byteLength(whole);
		} else {
			this.#file = openSync(path, "w");
			this.#held = head;
			this.flush();
		}
	}

	add(row: Float64Array): void {
		if (row[0]! <= this.#last) return;
		this.#last = row[0]!;
		this.#held += `${row.join(",")}\n`;
		if (this.#held.length >= HELD_CHARACTERS) this.flush();
	}

	flush(): void {
		if (this.#held === "") return;
		writeEnd(this.#file, this.#end, this.#held);
		this.#end += Buffer.byteLength(this.#held);
		this.#held = "";
	}

	close(): void {
		this.flush();
		closeSync(this.#file);
	}
}

/** The columns and the numbers of such a file, row after row. */
export function readCsv(path: string): { readonly columns: readonly string[]; readonly values: Float64Array } {
	const [head = "", ...lines] = readFileSync(path, "utf8").split("\n").slice(0, -1);
	const columns = head.split(",");
	const values = new Float64Array(columns.length * lines.length);
	for (const [row, line] of lines.entries()) {
		for (const [column, text] of line.split(",").entries()) values[columns.length * row + column] = Number(text);
	}
	return { columns, values };
}
