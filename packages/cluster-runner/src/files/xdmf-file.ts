/**
 * The XDMF file of a run at work. It has three series of grids, and each step adds a grid to all of them: blanks behind each series are overwritten,
 * and when they are used up, the file is written again with twice the room. It is well-formed XML whenever its writer is killed.
 */
import { closeSync, existsSync, openSync, readFileSync, writeSync } from "node:fs";
import { basename } from "node:path";
import {
	type PartOfStep,
	XDMF_SERIES,
	XDMF_SERIES_TAIL,
	type XdmfGrids,
	type XdmfSeries,
	xdmfSeriesHead,
	xdmfStep,
	xdmfText,
} from "@stickslip/mechanics";
import { partPath, xdmfPath } from "./run-names.js";
import { writeWhole } from "./write.js";

const ROOM_MIN = 2 ** 16;
const NOTHING: XdmfGrids = { surfaces: "", centres: "", contacts: "" };

/** Where a series has its next grid, and where its room ends, in bytes. */
interface Slot {
	end: number;
	readonly limit: number;
}

export class XdmfFile {
	readonly #output: string;
	readonly #path: string;
	#file = -1;
	#slots: Readonly<Record<XdmfSeries, Slot>>;

	/** `goesOn`: appends to the steps that are there. */
	constructor(output: string, goesOn: boolean) {
		this.#output = output;
		this.#path = xdmfPath(output);
		const grids = goesOn && existsSync(this.#path) ? gridsIn(readFileSync(this.#path, "utf8")) : NOTHING;
		this.#slots = this.#layOut(grids, ROOM_MIN);
	}

	add(time: number, parts: readonly Omit<PartOfStep, "file">[]): void {
		const named = parts.map((part) => ({ ...part, file: basename(partPath(this.#output, part.rank)) }));
		const grids = xdmfStep(time, named);
		const needed = Math.max(...XDMF_SERIES.map((series) => Buffer.byteLength(grids[series])));
		const isFull = XDMF_SERIES.some((series) => this.#slots[series].end + needed > this.#slots[series].limit);
		if (isFull) {
			const all = gridsIn(readFileSync(this.#path, "utf8"));
			const longest = Math.max(...XDMF_SERIES.map((series) => Buffer.byteLength(all[series])));
			this.#slots = this.#layOut(all, ROOM_MIN + longest + needed);
		}
		for (const series of XDMF_SERIES) {
			const slot = this.#slots[series];
			// In one call, so that the series always has its end.
			writeSync(this.#file, grids[series] + XDMF_SERIES_TAIL, slot.end);
			slot.end += Buffer.byteLength(grids[series]);
		}
	}

	/** Without the room. */
	close(): void {
		closeSync(this.#file);
		this.#write(xdmfText(gridsIn(readFileSync(this.#path, "utf8"))));
	}

	#layOut(grids: XdmfGrids, room: number): Readonly<Record<XdmfSeries, Slot>> {
		if (this.#file >= 0) closeSync(this.#file);
		const text = xdmfText(grids, room);
		this.#write(text);
		this.#file = openSync(this.#path, "r+");
		const slotOf = (series: XdmfSeries): Slot => {
			const head = xdmfSeriesHead(series);
			const end = Buffer.byteLength(text.slice(0, text.indexOf(head)) + head + grids[series]);
			return { end, limit: end + room };
		};
		return { surfaces: slotOf("surfaces"), centres: slotOf("centres"), contacts: slotOf("contacts") };
	}

	#write(text: string): void {
		writeWhole(this.#path, text, { isLasting: false, followsLinks: true });
	}
}

/** The grids of each series in a file that this program wrote. */
function gridsIn(text: string): XdmfGrids {
	const starts = XDMF_SERIES.map((series) => text.indexOf(xdmfSeriesHead(series)));
	const of = (series: XdmfSeries) => {
		const place = XDMF_SERIES.indexOf(series);
		if (starts[place]! < 0) return "";
		const next = starts[place + 1] ?? text.indexOf("</Domain>");
		const inner = text.slice(starts[place]! + xdmfSeriesHead(series).length, next);
		return inner.slice(0, Math.max(0, inner.lastIndexOf(XDMF_SERIES_TAIL)));
	};
	return { surfaces: of("surfaces"), centres: of("centres"), contacts: of("contacts") };
}
