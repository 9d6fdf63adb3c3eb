/** The XDMF file of a run at work: each stored step overwrites the end of the file and is followed by a new end. */
import { closeSync, existsSync, fstatSync, openSync } from "node:fs";
import { basename } from "node:path";
import { type PartOfStep, XDMF_HEAD, XDMF_TAIL, xdmfStep } from "@stickslip/mechanics";
import { partPath, xdmfPath } from "./run-names.js";
import { writeEnd } from "./write-end.js";

const TAIL_BYTES = Buffer.byteLength(XDMF_TAIL);

export class XdmfFile {
	readonly #output: string;
	readonly #file: number;
	/** Where the next step begins. */
	#end: number;

	/** `goesOn`: appends to the steps that are there. */
	constructor(output: string, goesOn: boolean) {
		this.#output = output;
		const path = xdmfPath(output);
		const isThere = goesOn && existsSync(path);
		this.#file = openSync(path, isThere ? "r+" : "w");
		this.#end = isThere ? fstatSync(this.#file).size - TAIL_BYTES : 0;
		if (!isThere) this.#write(XDMF_HEAD);
	}

	add(step: number, time: number, parts: readonly Omit<PartOfStep, "file">[]): void {
		const named = parts.map((part) => ({ ...part, file: basename(partPath(this.#output, part.rank)) }));
		this.#write(xdmfStep(step, time, named));
	}

	close(): void {
		closeSync(this.#file);
	}

	#write(text: string): void {
		writeEnd(this.#file, this.#end, text + XDMF_TAIL, this.#end === 0 ? "" : XDMF_TAIL);
		this.#end += Buffer.byteLength(text);
	}
}
