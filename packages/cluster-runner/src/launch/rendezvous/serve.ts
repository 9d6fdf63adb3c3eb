/** The desk on its port: every connection is encrypted, and one that does not know the run's secret is not heard. */
import { keysOf } from "../../ranks/keys.js";
import { BEAT_MS } from "../../ranks/messages.js";
import { Ear } from "../../ranks/sockets.js";
import { addressOf, isLoopback, isPrivate, type Listening, listening, ownAddresses, unasked } from "./addresses.js";
import { Desk } from "./desk.js";
import type { Station } from "./station.js";
import { type FromDesk, isToDesk, type ToDesk } from "./talk.js";

/** Nodes that hear that the run is over have so long to do so. */
const LAST_MS = 500;

export interface OpenDesk {
	/** curve://host:port */
	readonly address: string;
	readonly desk: Desk;
	/** Tells all nodes that the run is over, and closes. */
	close(code: number, more: boolean): Promise<void>;
}

export interface DeskPlace extends Pick<Station, "nodes" | "host" | "port"> {
	readonly line: string;
	readonly secret: Uint8Array;
	readonly listen: string | undefined;
	readonly told: (line: string) => void;
	readonly refused: () => void;
}

export async function openDesk({ host, port, secret, listen, ...rest }: DeskPlace): Promise<OpenDesk> {
	const keys = keysOf(secret);
	const at = await listeningAs(host, listen);
	const ear = new Ear<FromDesk, ToDesk>(keys, isToDesk, { at, port });
	const { told } = rest;
	const desk = new Desk({ ...rest, send: (identity) => ear.sender(identity), now: () => performance.now() });
	const address = await ear.open();
	void ear.listen((identity, message) => desk.take(identity, message));
	let isTold = false;
	const timer = setInterval(() => {
		desk.beat();
		if (ear.refused === 0 || isTold) return;
		isTold = true;
		told("somebody who has another STICKSLIP_KEY, or none, was turned away");
	}, BEAT_MS);
	return {
		address,
		desk,
		async close(code, more) {
			desk.over(code, more);
			await new Promise((resolve) => setTimeout(resolve, LAST_MS));
			clearInterval(timer);
			await ear.close();
		},
	};
}

/** Others find this host by a name that may not be known yet: then by the one address that it has. */
async function listeningAs(name: string, listen: string | undefined): Promise<Listening> {
	const found = await addressOf(name).catch(() => undefined);
	const own = ownAddresses().map(({ address }) => address);
	const isOwn = found !== undefined && (own.includes(found) || isLoopback(found));
	if (listen !== undefined) return await listening(found ?? own.find((each) => !isLoopback(each)) ?? name, listen);
	if (isOwn) return unasked(found);
	const outside = own.filter((address) => !isLoopback(address));
	const [only, ...more] = outside.filter(isPrivate);
	// Of several, the one on the way to that name; it fails where nobody knows the name.
	return only !== undefined && more.length === 0 ? unasked(only) : await listening(outside[0] ?? name, undefined);
}
