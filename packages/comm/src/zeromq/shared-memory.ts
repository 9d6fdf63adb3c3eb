/**
 * Memory that two processes of one machine have in common: an anonymous file (memfd_create), which the other opens by its number
 * under /proc, so that there is nothing to remove, whatever happens to either. On Linux; elsewhere there is none.
 */
import { closeSync, fstatSync, ftruncateSync, openSync } from "node:fs";
import { foreign, linuxCalls } from "../base/foreign.js";

interface Calls {
	/** As the C functions. */
	readonly create: (name: string, flags: number) => number;
	readonly map: (at: number, bytes: number, access: number, flags: number, file: number, offset: number) => number;
	readonly unmap: (at: number, bytes: number) => number;
	/** Node warns of files that it closes and has not opened. */
	readonly close: (file: number) => number;
}

const CLOSE_ON_EXEC = 1;
const READ_AND_WRITE = 3;
const MAP_SHARED = 1;

/** Where the other process finds it. */
export interface MemoryHandle {
	readonly process: number;
	readonly file: number;
}

export interface SharedMemory {
	readonly buffer: ArrayBuffer;
	/** By which the other process opens it. */
	readonly file: number;
	/** To be called, once, when the other process has opened it, or will not. */
	closeFile(): void;
	/** Afterwards nobody may look at the buffer. */
	release(): void;
}

/** Without them ranks use sockets alone, which is only slower. */
const calls = linuxCalls<Calls>((library) => ({
	create: library.func("memfd_create", "int", ["str", "unsigned int"]),
	map: library.func("mmap", "intptr_t", ["intptr_t", "size_t", "int", "int", "int", "int64_t"]),
	unmap: library.func("munmap", "int", ["intptr_t", "size_t"]),
	close: library.func("close", "int", ["int"]),
}));

/** New memory, of zeros; undefined where the system has none to share. */
export function createMemory(bytes: number): SharedMemory | undefined {
	const file = calls()?.create("stickslip", CLOSE_ON_EXEC) ?? -1;
	if (file < 0) return undefined;
	const closeFile = () => void calls()!.close(file);
	try {
		ftruncateSync(file, bytes);
	} catch {
		closeFile();
		return undefined;
	}
	const memory = mapped(file, bytes);
	if (memory === undefined) closeFile();
	return memory && { ...memory, file, closeFile };
}

/** What another process has created with so many bytes; undefined where it is gone or not to be had. */
export function openMemory(
	{ process, file }: MemoryHandle,
	bytes: number,
): Omit<SharedMemory, "file" | "closeFile"> | undefined {
	try {
		const opened = openSync(`/proc/${process}/fd/${file}`, "r+");
		const { size } = fstatSync(opened);
		// Memory behind the end of a shorter file would end this process when it is read.
		const memory = size === bytes ? mapped(opened, bytes) : undefined;
		closeSync(opened);
		return memory;
	} catch {
		// The process has ended, or is one whose files this one may not open.
		return undefined;
	}
}

function mapped(file: number, bytes: number): Pick<SharedMemory, "buffer" | "release"> | undefined {
	const { map, unmap } = calls() ?? {};
	const at = map?.(0, bytes, READ_AND_WRITE, MAP_SHARED, file, 0) ?? -1;
	if (at <= 0) return undefined;
	return { buffer: foreign().view(at, bytes), release: () => void unmap?.(at, bytes) };
}
