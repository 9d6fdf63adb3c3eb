/**
 * TUN devices and what a relay needs of the C library, through FFI: a device is made in a namespace by entering it with the calling thread, opening
 * /dev/net/tun there, and coming back. koffi is loaded from comm, since this package does not depend on it.
 */
import { closeSync, constants, openSync } from "node:fs";
import { createRequire } from "node:module";

type Call = (...args: (number | null | Uint8Array | Uint32Array)[]) => number;

interface Koffi {
	load(path: null): { func(prototype: string): Call };
	errno(): number;
}

const koffi: Koffi = createRequire(import.meta.resolve("@stickslip/comm"))("koffi");
const library = koffi.load(null);

export const readBytes = library.func("int64_t read(int fd, void *bytes, size_t count)");
export const writeBytes = library.func("int64_t write(int fd, const void *bytes, size_t count)");
export const errno = (): number => koffi.errno();
const poll = library.func("int ppoll(void *fds, size_t count, const void *timeout, const void *mask)");
const setns = library.func("int setns(int fd, int type)");
const ioctl = library.func("int ioctl(int fd, unsigned long request, void *argument)");
const schedule = library.func("int sched_setscheduler(int pid, int policy, const void *parameter)");

export const EAGAIN = 11;
const CLONE_NEWNET = 0x40000000;
const TUNSETIFF = 0x400454ca;
const IFF_TUN = 0x0001;
/** Packets alone, without a header that says which protocol they are of. */
const IFF_NO_PI = 0x1000;
const IFREQ_BYTES = 40;
const IFREQ_FLAGS_AT = 16;
const SCHED_FIFO = 1;
const POLLIN = 1;

/** A device of this name in a namespace, as a file that does not block. */
export function openTun(namespace: string, name: string): number {
	const home = openSync("/proc/self/ns/net", "r");
	const there = openSync(namespace, "r");
	try {
		check(setns(there, CLONE_NEWNET), `entering ${namespace}`);
		const fd = openSync("/dev/net/tun", constants.O_RDWR | constants.O_NONBLOCK);
		const request = Buffer.alloc(IFREQ_BYTES);
		request.write(name, "latin1");
		request.writeUInt16LE(IFF_TUN | IFF_NO_PI, IFREQ_FLAGS_AT);
		check(ioctl(fd, TUNSETIFF, request), `making ${name}`);
		return fd;
	} finally {
		check(setns(home, CLONE_NEWNET), "coming back");
		closeSync(home);
		closeSync(there);
	}
}

/** Raises the priority above all ordinary threads, so that a packet does not wait for a core. False if that is not allowed. */
export function takePrecedence(): boolean {
	return schedule(0, SCHED_FIFO, new Uint32Array([1])) === 0;
}

/** Waits until one of the files can be read or the time is over. */
export class Poll {
	readonly #files: Uint32Array;
	readonly #time = new Uint32Array(4);

	constructor(files: readonly number[]) {
		this.#files = new Uint32Array(files.flatMap((fd) => [fd, POLLIN]));
	}

	wait(milliseconds: number): void {
		const nanoseconds = Math.max(0, Math.round(1e6 * milliseconds));
		this.#time[0] = Math.floor(nanoseconds / 1e9);
		this.#time[2] = nanoseconds % 1e9;
		poll(this.#files, this.#files.length / 2, this.#time, null);
	}

	/** Whether the last wait found something to read, or the other side gone. */
	isReady(index: number): boolean {
		return (this.#files[2 * index + 1] ?? 0) >>> 16 !== 0;
	}
}

function check(result: number, what: string): void {
	if (result < 0) throw new Error(`${what} failed: error ${koffi.errno()}`);
}
