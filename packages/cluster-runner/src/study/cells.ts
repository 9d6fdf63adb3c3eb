/** The cells of a study, a line of JSON each in a file that grows: whatever ends the study, the next run continues from there. */
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, truncateSync, writeSync } from "node:fs";
import { InputError, type MeasureName } from "@stickslip/core";

/** What a study is: cells of another one are not gone on with. */
export interface StudyHead {
	readonly study: "profile";
	readonly version: string;
	readonly measure: MeasureName;
	readonly timeLimit: number;
	readonly maxIterations: number | undefined;
	readonly repeat: number;
	readonly processor: string;
}

/** One problem, one variant, one tolerance. */
export interface Cell {
	readonly problem: string;
	readonly variant: string;
	readonly tolerance: number;
	readonly contacts: number;
	/** Of the report, or "failed". */
	readonly status: string;
	readonly reason: string;
	readonly seconds: number;
	readonly iterations: number;
	readonly products: number;
	readonly error: number;
	readonly hash: string;
}

export function keyOf({ problem, variant, tolerance }: Pick<Cell, "problem" | "variant" | "tolerance">): string {
	return JSON.stringify([problem, variant, tolerance]);
}

export class CellFile {
	readonly path: string;
	readonly cells = new Map<string, Cell>();
	readonly #file: number;

	/** Continues with existing cells; throws if they belong to another study. */
	constructor(path: string, head: StudyHead) {
		this.path = path;
		const lines = existsSync(path) ? wholeLines(path) : [];
		if (lines.length > 0) this.#take(lines, head);
		this.#file = openSync(path, "a");
		if (lines.length === 0) this.#write(head);
	}

	add(cell: Cell): void {
		this.cells.set(keyOf(cell), cell);
		this.#write(cell);
	}

	close(): void {
		closeSync(this.#file);
	}

	#write(record: object): void {
		writeSync(this.#file, `${JSON.stringify(record)}\n`);
		fsyncSync(this.#file);
	}

	#take([first = "", ...others]: readonly string[], head: StudyHead): void {
		const theirs = this.#parsed(first, 1) as Record<string, unknown>;
		const ours = JSON.parse(JSON.stringify(head)) as Record<string, unknown>;
		const names = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])];
		const other = names.find((name) => ours[name] !== theirs[name]);
		if (other !== undefined) {
			const what = `is of a study with ${other} ${String(theirs[other])}, and this one has ${String(ours[other])}`;
			throw new InputError(this.path, other, what, "name another folder, or remove this one");
		}
		for (const [index, line] of others.entries()) {
			const cell = this.#parsed(line, index + 2) as Cell;
			if (!isCell(cell)) throw this.#damaged(index + 2);
			this.cells.set(keyOf(cell), cell);
		}
	}

	#parsed(line: string, number: number): unknown {
		try {
			return JSON.parse(line);
		} catch {
			throw this.#damaged(number);
		}
	}

	#damaged(line: number): InputError {
		return new InputError(
			this.path,
			`line ${line}`,
			"is not a cell of a study",
			"remove the line, or name another folder",
		);
	}
}

function isCell(value: unknown): value is Cell {
	if (typeof value !== "object" || value === null) return false;
	const { problem, variant, tolerance, status } = value as Partial<Record<keyof Cell, unknown>>;
	return [problem, variant, status].every((text) => typeof text === "string") && typeof tolerance === "number";
}

/** An incomplete last line of a killed process is cut off. */
function wholeLines(path: string): string[] {
	const text = readFileSync(path, "utf8");
	const whole = text.slice(0, text.lastIndexOf("\n") + 1);
	if (whole.length < text.length) truncateSync(path, Buffer.byteLength(whole));
	return whole.split("\n").filter((line) => line !== "");
}
