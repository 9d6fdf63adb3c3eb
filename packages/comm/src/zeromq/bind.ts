/** How a rank gets its wire: it binds a port of its own, all tell each other their addresses by other means, and connect. */
import { assert } from "@stickslip/core/parallel";
import type { Control } from "../control.js";
import type { Patience } from "../patience.js";
import { Sockets } from "./socket.js";
import { checkEndpoints, ZeromqWire } from "./wire.js";

export interface BindOptions {
	readonly rank: number;
	readonly size: number;
	/** 16 random bytes, the same for all ranks of one run and for no other. */
	readonly key: Uint8Array;
	readonly control: Control;
	readonly patience: Patience;
	/** The address to bind to, as others reach it. */
	readonly host?: string;
}

export interface Binding {
	/** Where this rank is sent to. */
	readonly endpoint: string;
	/** Makes the wire, once, from the addresses of all ranks in order. */
	connect(endpoints: readonly string[]): ZeromqWire;
	/** For a rank that never connects; otherwise the wire's own close does it. */
	close(): void;
}

export function bindZeromq(options: BindOptions): Binding {
	const { rank, size, host = "127.0.0.1" } = options;
	assert(rank >= 0 && rank < size, "a rank is below the size");
	const sockets = new Sockets(rank);
	try {
		const { socket: pull, endpoint } = sockets.pull(host);
		return {
			endpoint,
			connect(endpoints) {
				checkEndpoints(endpoints, size);
				return new ZeromqWire({ ...options, sockets, pull, endpoints });
			},
			close: () => sockets.close(0),
		};
	} catch (error) {
		sockets.close(0);
		throw error;
	}
}
