/** Estimates the memory that a file needs before it is loaded: warns if that is a large part of the free memory, and refuses what cannot fit. */
import { InputError } from "@stickslip/core";
import type { MemoryEstimate } from "@stickslip/core/fclib";
import { bytes, oneLine } from "../base/format.js";
import { systemText } from "../base/proc.js";
import type { Terminal } from "../cli/command.js";
import { choose, type RankOptions } from "../ranks/choose.js";

const MIB = 2 ** 20;
/** The limit of 32-bit addresses, and the part of it that a rank can use if the others use as much. */
const RANK_BYTES = 2 ** 32;
const USABLE = 0.9;
/** Of this process as measured, and of each further rank. */
const PROCESS_BYTES = 130 * MIB;
const PER_RANK_BYTES = 45 * MIB;
/** The share of free memory from which on a warning is printed. */
const LARGE = 0.5;

/** With the process and its ranks. */
export function wholeBytes({ about }: MemoryEstimate, ranks = 1): number {
	return about + PROCESS_BYTES + (ranks > 1 ? ranks * PER_RANK_BYTES : 0);
}

/** What to call with a file's name, size and estimate, before it is loaded. */
export function memoryCheck(terminal: Terminal, options: RankOptions) {
	return (name: string, contacts: number, estimate: MemoryEstimate): void => {
		const { ranks } = choose(contacts, options);
		requireRoom(name, estimate, ranks);
		const [about, free] = [wholeBytes(estimate, ranks), freeBytes()];
		if (about < LARGE * free) return;
		terminal.err(
			`stickslip: ${oneLine(name)}: about ${bytes(about)} of memory will be needed, and ${bytes(free)} are free`,
		);
	};
}

function requireRoom(name: string, { least, leastInRanks }: MemoryEstimate, ranks: number): void {
	if (leastInRanks > ranks * RANK_BYTES) {
		const enough = Math.ceil(leastInRanks / (USABLE * RANK_BYTES));
		const each = ranks === 1 ? "one rank, which addresses 4 GiB" : `${ranks} ranks, which address 4 GiB each`;
		throw new InputError(
			name,
			"memory",
			`needs at least ${bytes(leastInRanks)} on ${each}`,
			`use at least ${enough} ranks`,
		);
	}
	const free = freeBytes() + swapBytes();
	if (least <= free) return;
	const problem = `needs at least ${bytes(least)}, and ${bytes(free)} are free here`;
	throw new InputError(name, "memory", problem, "use a machine with more memory");
}

/** Also within the limits of a container. */
function freeBytes(): number {
	return process.availableMemory();
}

function swapBytes(): number {
	const [, kib = "0"] = /^SwapFree: +(\d+) kB$/m.exec(systemText("/proc/meminfo") ?? "") ?? [];
	return 1024 * Number(kib);
}
