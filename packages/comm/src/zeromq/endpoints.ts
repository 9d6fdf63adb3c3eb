/** The addresses of ranks: tcp://HOST:PORT between hosts, ipc:///PATH within one. */
import { join } from "node:path";
import { InputError } from "@stickslip/core/parallel";

/** The least that systems have room for in the address of a socket, without the zero at its end: 107 bytes on Linux, 103 on macOS. */
const PATH_BYTES_MAX = 103;

/** Of a rank's socket in a folder. */
export function socketPath(folder: string, rank: number): string {
	return join(folder, String(rank));
}

/** Whether the sockets of so many ranks can be in a folder: longer paths would be cut off. */
export function fitsSockets(folder: string, size: number): boolean {
	return Buffer.byteLength(socketPath(folder, size - 1)) <= PATH_BYTES_MAX;
}

/** Checks what a rendezvous handed over, where a mistake would otherwise be found late. */
export function checkEndpoints(endpoints: readonly string[], size: number): void {
	const refuse = (problem: string): never => {
		const remedy = "pass one tcp://HOST:PORT or ipc:///PATH per rank, in order of rank";
		throw new InputError("zeromq", "endpoints", problem, remedy);
	};
	if (endpoints.length !== size) refuse(`${endpoints.length} for ${size} ranks`);
	for (const [rank, endpoint] of endpoints.entries()) {
		const isGood = /^tcp:\/\/[^\s]+:\d{1,5}$/.test(endpoint) || /^ipc:\/\/\/[^\0]+$/.test(endpoint);
		if (!isGood) refuse(`rank ${rank} has ${JSON.stringify(endpoint)}`);
	}
}
