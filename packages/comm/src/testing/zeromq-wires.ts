/** Wires of all ranks in one thread: what one sends is on its way while the other is asked. */
import { Control } from "../base/control.js";
import { Patience } from "../base/patience.js";
import { bindZeromq } from "../zeromq/bind.js";
import { type CurveKeys, Sockets } from "../zeromq/socket.js";
import type { ZeromqWire } from "../zeromq/wire.js";

export const key = Uint8Array.from({ length: 16 }, (_, i) => 7 * i);

export interface WiresOptions {
	readonly seconds?: number;
	readonly curve?: CurveKeys;
	/** For sockets with paths. */
	readonly folder?: string;
	/** Where ranks are sent to by others, from where they are. */
	readonly reroute?: (endpoints: string[]) => string[];
}

export interface Wires {
	readonly wires: ZeromqWire[];
	readonly endpoints: string[];
	readonly controls: WaitingControl[];
}

/** Calls back while its rank waits, so that other ranks of this thread can do something meanwhile. */
class WaitingControl extends Control {
	meanwhile = (): void => {};

	override check(): void {
		this.meanwhile();
		super.check();
	}
}

/** What has to be closed after a test. */
const closers: (() => void)[] = [];

export function closeAll(): void {
	for (const close of closers.splice(0)) close();
}

export function makeWires(size: number, { seconds = 100, curve, folder, reroute }: WiresOptions = {}): Wires {
	const controls = Array.from({ length: size }, () => new WaitingControl(Control.create().buffer));
	const bindings = controls.map((control, rank) => {
		const patience = new Patience({ control, seconds, spins: 0 });
		return bindZeromq({ rank, size, key, control, patience, ...(curve && { curve }), ...(folder && { folder }) });
	});
	const endpoints = bindings.map(({ endpoint }) => endpoint);
	const known = reroute?.(endpoints) ?? endpoints;
	const wires = bindings.map((binding) => binding.connect(known));
	closers.push(() => {
		for (const wire of wires) wire.close();
	});
	return { wires, endpoints, controls };
}

/** A foreign socket that sends to an address. */
export function stranger(endpoint: string, curve?: CurveKeys): (bytes: Uint8Array) => void {
	const sockets = new Sockets(-1, curve);
	closers.push(() => sockets.close(100));
	const push = sockets.push(endpoint);
	return (bytes) => void sockets.send(push, bytes, bytes.length);
}

/** A stranger who pretends to be where a rank is. */
export function impostor(curve?: CurveKeys): { endpoint: string; receives(): boolean } {
	const sockets = new Sockets(-1, curve);
	closers.push(() => sockets.close(0));
	const endpoint = sockets.pull({ host: "127.0.0.1" });
	const room = new Uint8Array(1024);
	return { endpoint, receives: () => sockets.receive(room, true) >= 0 };
}
