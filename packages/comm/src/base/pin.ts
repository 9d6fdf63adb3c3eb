/**
 * One core per rank. The system moves threads, and a thread on its neighbour's core stalls both; on Linux sched_setaffinity keeps the calling thread
 * (process id 0) on a core. Elsewhere nothing is pinned.
 */
import { availableParallelism, platform } from "node:os";
import { foreign } from "./foreign.js";

/** Room for 1024 cores, as glibc's cpu_set_t. */
const MASK_BYTES = 128;

interface Affinity {
	/** Both as the C functions: 0 on success (the C library wraps the raw call behind getaffinity). */
	readonly set: (pid: number, bytes: number, mask: Uint8Array) => number;
	readonly get: (pid: number, bytes: number, mask: Uint8Array) => number;
}

let found: Affinity | undefined | "not yet" = "not yet";

/** The two functions of the C library of this process. */
function affinity(): Affinity | undefined {
	if (found === "not yet") {
		found = undefined;
		try {
			if (platform() === "linux") {
				const library = foreign().load(null);
				found = {
					set: library.func("int sched_setaffinity(int pid, size_t bytes, const uint8_t *mask)"),
					get: library.func("int sched_getaffinity(int pid, size_t bytes, _Out_ uint8_t *mask)"),
				};
			}
		} catch {
			// No such function, or no FFI on this system: ranks run unpinned, which is only slower.
			found = undefined;
		}
	}
	return found;
}

/** Keeps the calling thread on one core; false if that is not possible or not allowed. */
export function pin(core: number): boolean {
	if (!Number.isInteger(core) || core < 0 || core >= 8 * MASK_BYTES) return false;
	const mask = new Uint8Array(MASK_BYTES);
	mask[core >> 3] = 1 << (core & 7);
	return affinity()?.set(0, MASK_BYTES, mask) === 0;
}

/** The cores that the calling thread may use, ascending. Call it before pinning. */
export function cores(): number[] {
	const mask = new Uint8Array(MASK_BYTES);
	if (affinity()?.get(0, MASK_BYTES, mask) !== 0) return Array.from({ length: availableParallelism() }, (_, i) => i);
	return Array.from({ length: 8 * MASK_BYTES }, (_, core) => core).filter(
		(core) => ((mask[core >> 3] ?? 0) >> (core & 7)) & 1,
	);
}
