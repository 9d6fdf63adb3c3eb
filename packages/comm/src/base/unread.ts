/** Detects with poll(2) that a pipe or socket of this process has lost its reader, before anything is written to it. */
import { fstatSync } from "node:fs";
import { platform } from "node:os";
import { foreign } from "./foreign.js";

/** struct pollfd: the descriptor, the requested events, and the returned ones. */
const POLL_BYTES = 8;
const ANSWER_AT = 6;
const POLLERR = 0x8;
const POLLHUP = 0x10;

/** Also false for other files, and if the system does not tell. */
export function isUnread(descriptor: number): boolean {
	try {
		// Node.js 20 resolves no symbolic links of modules that are loaded after a plain stat of a pipe; one with bigint does no harm.
		const kind = fstatSync(descriptor, { bigint: true });
		if (platform() !== "linux" || !(kind.isFIFO() || kind.isSocket())) return false;
		const poll = foreign().load(null).func("int poll(_Inout_ uint8_t *asked, unsigned long count, int milliseconds)");
		const pollfd = Buffer.alloc(POLL_BYTES);
		pollfd.writeInt32LE(descriptor);
		return poll(pollfd, 1, 0) > 0 && (pollfd.readInt16LE(ANSWER_AT) & (POLLERR | POLLHUP)) !== 0;
	} catch {
		return false;
	}
}
