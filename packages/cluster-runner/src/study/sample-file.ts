/** The samples of a study, a line of JSON each in a file that grows: whatever ends the study, the next run continues from there. */
import {
	closeSync,
	existsSync,
	fsyncSync,
	openSync,
	readdirSync,
	readFileSync,
	truncateSync,
	writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { InputError } from "@stickslip/core";
import { type Axes, FAILED, keyOf, type Sample } from "./sample.js";

/** What a study is: samples of another one are not gone on with. */
export type StudyHead = Readonly<Record<string, string | number | undefined>>;

/** The name of the file of a whole study, and those of its parts. */
export const SAMPLES_FILE = "cells.jsonl";
const PARTS = /^cells(-\d+-of-\d+)?\.jsonl$/;

export interface SampleFileOptions {
	/** Whether cells that failed are to be measured again. */
	readonly retriesFailed?: boolean | undefined;
}

export class SampleFile {
	readonly path: string;
	readonly #head: StudyHead;
	readonly #samples = new Map<string, Sample>();
	readonly #file: number;

	/** Continues with existing samples; throws if they belong to another study. Those of other parts beside it are read as well. */
	constructor(path: string, head: StudyHead, { retriesFailed = false }: SampleFileOptions = {}) {
		this.path = path;
		this.#head = head;
		const own = wholeLines(path);
		this.readOthers();
		if (own.length > 0) this.#take(path, own);
		for (const [place, { status }] of [...this.#samples]) {
			if (retriesFailed && status === FAILED) this.#samples.delete(place);
		}
		this.#file = openSync(path, "a");
		if (own.length === 0) this.#write(head);
	}

	/** Reads what the other parts of the study have measured by now. */
	readOthers(): void {
		const folder = dirname(this.path);
		for (const name of existsSync(folder) ? readdirSync(folder) : []) {
			if (!PARTS.test(name) || name === basename(this.path)) continue;
			const lines = linesOf(join(folder, name)).whole;
			if (lines.length > 0) this.#take(join(folder, name), lines);
		}
	}

	get samples(): readonly Sample[] {
		return [...this.#samples.values()];
	}

	find(axes: Axes, round: number): Sample | undefined {
		return this.#samples.get(placeOf(axes, round));
	}

	add(sample: Sample): void {
		this.#keep(sample);
		this.#write(sample);
	}

	/** What was measured once is not replaced by a failure of another attempt. */
	#keep(sample: Sample): void {
		const place = placeOf(sample.axes, sample.round);
		const known = this.#samples.get(place);
		if (known === undefined || known.status === FAILED || sample.status !== FAILED) this.#samples.set(place, sample);
	}

	close(): void {
		closeSync(this.#file);
	}

	#write(record: object): void {
		// On a full disk writeSync may write half of the line and report no error.
		writeFileSync(this.#file, `${JSON.stringify(record)}\n`);
		fsyncSync(this.#file);
	}

	#take(path: string, [first = "", ...others]: readonly string[]): void {
		const theirs = parsed(path, first, 1) as Record<string, unknown>;
		const ours = JSON.parse(JSON.stringify(this.#head)) as Record<string, unknown>;
		const names = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])];
		const other = names.find((name) => ours[name] !== theirs[name]);
		if (other !== undefined) {
			const what = `is of a study with ${other} ${String(theirs[other])}, and this one has ${String(ours[other])}`;
			throw new InputError(path, other, what, "name another folder, or remove this one");
		}
		for (const [index, line] of others.entries()) {
			const sample = parsed(path, line, index + 2);
			if (!isSample(sample)) throw damaged(path, index + 2);
			this.#keep(sample);
		}
	}
}

function placeOf(axes: Axes, round: number): string {
	return `${round} ${keyOf(axes)}`;
}

function isSample(value: unknown): value is Sample {
	if (typeof value !== "object" || value === null) return false;
	const { axes, round, status, reason, hash, values, made } = value as Partial<Record<keyof Sample, unknown>>;
	const isObject = (each: unknown) => typeof each === "object" && each !== null;
	return (
		[axes, values, made].every(isObject) &&
		[status, reason, hash].every((text) => typeof text === "string") &&
		Number.isInteger(round)
	);
}

function parsed(path: string, line: string, number: number): unknown {
	try {
		return JSON.parse(line);
	} catch {
		throw damaged(path, number);
	}
}

function damaged(path: string, line: number): InputError {
	return new InputError(path, `line ${line}`, "is not a cell of a study", "remove the line, or name another folder");
}

/** An incomplete last line of a killed process is cut off. */
function wholeLines(path: string): string[] {
	if (!existsSync(path)) return [];
	const { whole, bytes, isCut } = linesOf(path);
	if (isCut) truncateSync(path, bytes);
	return whole;
}

function linesOf(path: string): { readonly whole: string[]; readonly bytes: number; readonly isCut: boolean } {
	const text = readFileSync(path, "utf8");
	const whole = text.slice(0, text.lastIndexOf("\n") + 1);
	const bytes = Buffer.byteLength(whole);
	return { whole: whole.split("\n").filter((line) => line !== ""), bytes, isCut: whole.length < text.length };
}
