/** A module whose ranks make their own part of the lattice, and say what their process held beyond what it had before. */
import { readFileSync, writeFileSync } from "node:fs";
import type { OwnAnswer } from "@stickslip/cluster-runner";
import { bytesOf, firstOf, latticePart } from "./lattice.js";

export interface HeldMemory {
	readonly contacts: number;
	readonly partBytes: number;
	readonly peakBytes: number;
}

let before = 0;
let partBytes = 0;

function kibibytes(name: string): number {
	return Number(new RegExp(`${name}:\\s*(\\d+) kB`).exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? Number.NaN);
}

export default function part(rank: number, ranks: number, argument: unknown) {
	const { side } = argument as { readonly side: number };
	// The most so far is forgotten: what follows is what counts.
	writeFileSync("/proc/self/clear_refs", "5");
	before = kibibytes("VmRSS");
	const own = latticePart(side, firstOf(side, rank, ranks), firstOf(side, rank + 1, ranks));
	partBytes = bytesOf(own);
	return own;
}

export function answer({ ids }: OwnAnswer): HeldMemory {
	return { contacts: ids.length, partBytes, peakBytes: 1024 * (kibibytes("VmHWM") - before) };
}
