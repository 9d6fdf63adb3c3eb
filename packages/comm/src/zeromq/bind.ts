/** Creates the wire of a rank: it binds a port, the ranks exchange their addresses by other means, and each connects to the others. */
import { assert, InputError } from "@stickslip/core/parallel";
import type { Control } from "../base/control.js";
import { Patience } from "../base/patience.js";
import { checkEndpoints, socketPath } from "./endpoints.js";
import { SharedRings } from "./rings.js";
import { type CurveKeys, Sockets } from "./socket.js";
import { ZeromqWire } from "./wire.js";

/** To be woken through a socket takes several times as long as among threads, so that it pays to spin for longer before. */
const SPINS_FACTOR = 4;

export interface BindOptions {
	readonly rank: number;
	readonly size: number;
	/** 16 random bytes, the same for all ranks of one run and for no other. */
	readonly key: Uint8Array;
	readonly control: Control;
	readonly patience: Patience;
	/** The address to bind to, as others reach it; loopback unless said. */
	readonly host?: string;
	/** Instead of an address: a folder that nobody else may enter, where all ranks are on one machine. */
	readonly folder?: string;
	/** With a folder: whether messages may go through memory that ranks share; true unless said. */
	readonly sharesMemory?: boolean;
	/** Encrypts all traffic; the same keys for all ranks of one run. For whatever others of this machine may connect to, or leaves it. */
	readonly curve?: CurveKeys;
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
	const { rank, size, control, patience, host = "127.0.0.1", folder, curve, sharesMemory = true } = options;
	assert(rank >= 0 && rank < size, "a rank is below the size");
	if (["*", "0.0.0.0", "::"].includes(host)) {
		const problem = `${host} is not an address that other hosts can connect to`;
		throw new InputError("zeromq", "host", problem, "name the address of one interface");
	}
	const sockets = new Sockets(rank, curve);
	try {
		const endpoint = sockets.pull(folder === undefined ? { host } : { path: socketPath(folder, rank) });
		return {
			endpoint,
			connect(endpoints) {
				checkEndpoints(endpoints, size);
				const rings =
					folder === undefined || !sharesMemory
						? undefined
						: new SharedRings(new Patience({ control, spins: SPINS_FACTOR * patience.spins }));
				return new ZeromqWire({ ...options, sockets, endpoints, rings });
			},
			close: () => sockets.close(0),
		};
	} catch (error) {
		sockets.close(0);
		throw error;
	}
}
