/**
 * One core per rank. The system moves threads, and a thread on its neighbour's core stalls both; on Linux sched_setaffinity keeps the calling thread
 * (process id 0) on a core. Elsewhere nothing is pinned.
 */
import { availableParallelism } from "node:os";
import { linuxCalls } from "./foreign.js";

/** Room for 1024 cores, as glibc's cpu_set_t. */
const MASK_BYTES = 128;

interface Scheduler {
	/** Both as the C functions: 0 on success (the C library wraps the raw call behind getaffinity). */
	readonly set: (pid: number, bytes: number, mask: Uint8Array) => number;
	readonly get: (pid: number, bytes: number, mask: Uint8Array) => number;
	readonly yield: () => number;
}

/** Without them ranks run unpinned, which is only slower. */
const scheduler = linuxCalls<Scheduler>((library) => ({
	set: library.func("int sched_setaffinity(int pid, size_t bytes, const uint8_t *mask)"),
	get: library.func("int sched_getaffinity(int pid, size_t bytes, _Out_ uint8_t *mask)"),
	yield: library.func("sched_yield", "int", []),
}));

/** Keeps the calling thread on one core; false if that is not possible or not allowed. */
export function pin(core: number): boolean {
	if (!Number.isInteger(core) || core < 0 || core >= 8 * MASK_BYTES) return false;
	const mask = new Uint8Array(MASK_BYTES);
	mask[core >> 3] = 1 << (core & 7);
	return scheduler()?.set(0, MASK_BYTES, mask) === 0;
}

/** The cores that the calling thread may use, ascending. Call it before pinning. */
export function cores(): number[] {
	const mask = new Uint8Array(MASK_BYTES);
	if (scheduler()?.get(0, MASK_BYTES, mask) !== 0) return Array.from({ length: availableParallelism() }, (_, i) => i);
	return Array.from({ length: 8 * MASK_BYTES }, (_, core) => core).filter(
		(core) => ((mask[core >> 3] ?? 0) >> (core & 7)) & 1,
	);
}

/** Lets other threads that wait for this core go first. */
export function yieldCore(): void {
	scheduler()?.yield();
}
