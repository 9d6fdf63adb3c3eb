/**
 * The limit of the address space (`ulimit -v`), which some sites set to limit memory. Node.js reserves 10 GiB of addresses for each WebAssembly memory, so
 * that accesses need no bounds check; with --disable-wasm-trap-handler only the maximum size of the memory. A thread needs addresses too, and Node.js
 * aborts without a message of its own if there are none, so this is checked before threads start.
 */
import { InputError } from "@stickslip/core";
import { systemText } from "./proc.js";

const GIB = 2 ** 30;
const FLAG = "--disable-wasm-trap-handler";
/** Addresses for one WebAssembly memory, with and without the flag. */
const GUARDED_BYTES = 10 * GIB;
const LEAST_BYTES = GIB / 8;
/** The most addresses that a thread of Node.js takes: heap, code, memory of the C library. */
const THREAD_BYTES = 2.6 * GIB;

export interface AddressSpace {
	readonly limit: number;
	/** Addresses that are still free. */
	readonly free: number;
}

/** Undefined if there is no limit, or it is not known. */
function addressSpace(): AddressSpace | undefined {
	const limit = Number(/^Max address space\s+(\d+)/m.exec(systemText("/proc/self/limits") ?? "")?.[1]);
	const taken = 1024 * Number(/^VmSize:\s+(\d+)/m.exec(systemText("/proc/self/status") ?? "")?.[1]);
	return Number.isFinite(limit - taken) ? { limit, free: Math.max(0, limit - taken) } : undefined;
}

/** Whether Node.js reserves only the maximum size of a memory: the flag was given when this process started. */
const isLean = [...process.execArgv, ...(process.env.NODE_OPTIONS ?? "").split(/\s+/)].includes(FLAG);

/** Throws an InputError if this many threads and WebAssembly memories do not fit. */
export function requireAddresses(what: string, threads: number, memories: number): void {
	const space = addressSpace();
	if (space === undefined) return;
	const needed = (lean: boolean) => threads * THREAD_BYTES + memories * (lean ? LEAST_BYTES : GUARDED_BYTES);
	if (space.free >= needed(isLean)) return;
	const [limit, free] = [inGib(space.limit), inGib(space.free)];
	const problem = `of ${limit} leaves ${free}, and ${what} needs ${inGib(needed(isLean))}`;
	const isHelp = !isLean && space.free >= needed(true);
	const other = isHelp ? `, or set NODE_OPTIONS=${FLAG}, which needs only ${inGib(needed(true))}` : "";
	throw new InputError("system", "ulimit -v", problem, `raise it${other}`);
}

/** What each of this many threads may reserve for its memory; undefined if there is no limit. */
export function reservation(threads: number, memories: number): number | undefined {
	const space = addressSpace();
	if (space === undefined) return undefined;
	const rest = space.free - threads * THREAD_BYTES;
	return isLean ? rest / (6 * memories) : (rest - memories * GUARDED_BYTES) / memories;
}

/** If the limit matters: makes processes started from here reserve less, and returns a line that says so. */
export function reserveLess(): string | undefined {
	const space = addressSpace();
	if (space === undefined || space.free > 64 * GIB) return undefined;
	if (!isLean) process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ""} ${FLAG}`.trim();
	return `ulimit -v leaves ${inGib(space.free)}: ranks reserve less than 4 GiB of addresses each`;
}

function inGib(bytes: number): string {
	return `${(bytes / GIB).toFixed(1)} GiB`;
}
