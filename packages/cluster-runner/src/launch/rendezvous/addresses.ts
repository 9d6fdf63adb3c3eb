/**
 * Which address of this host to listen on: what was asked for, or else the one that the other side is reached from. Nothing listens on
 * a public address unless somebody asked for it.
 */

import { createSocket } from "node:dgram";
import { lookup } from "node:dns/promises";
import { isIPv4 } from "node:net";
import { networkInterfaces } from "node:os";
import { InputError } from "@stickslip/core";

export const LOOPBACK = "127.0.0.1";
/** Asked for, it means all addresses of a host. */
export const EVERYWHERE = "0.0.0.0";

/** The name of an interface, and an address of it. */
export interface OwnAddress {
	readonly name: string;
	readonly address: string;
}

export interface Listening {
	/** What to bind to. */
	readonly bind: string;
	/** What others are told. */
	readonly told: string;
}

export function ownAddresses(): OwnAddress[] {
	return Object.entries(networkInterfaces()).flatMap(([name, all = []]) =>
		all.filter(({ family }) => family === "IPv4").map(({ address }) => ({ name, address })),
	);
}

/** Networks that no public traffic reaches: RFC 1918, 6598 (carriers and clusters), 3927 (link-local). */
const PRIVATE = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "169.254.0.0/16"];

export function isLoopback(address: string): boolean {
	return isIn(address, "127.0.0.0/8");
}

export function isPrivate(address: string): boolean {
	return isLoopback(address) || PRIVATE.some((network) => isIn(address, network));
}

/** Whether an IPv4 address is in a network written as 10.0.0.0/8. */
export function isIn(address: string, network: string): boolean {
	const [base = "", bits] = network.split("/");
	if (!isIPv4(address) || !isIPv4(base)) return false;
	// Shifts of 32 bits shift by none: a network of all addresses has no bits to compare.
	const shift = 32 - Number(bits);
	return shift >= 32 || number(address) >>> shift === number(base) >>> shift;
}

function number(address: string): number {
	return address.split(".").reduce((value, part) => ((value << 8) | Number(part)) >>> 0, 0);
}

/** The address that was asked for, among this host's; undefined where it has none such. `listen` is an address, a network or an interface. */
export function askedFor(listen: string, own: readonly OwnAddress[] = ownAddresses()): string | undefined {
	if (isIPv4(listen)) return own.find(({ address }) => address === listen || isLoopback(listen))?.address && listen;
	if (/^[\d.]+\/\d{1,2}$/.test(listen)) return own.find(({ address }) => isIn(address, listen))?.address;
	return own.find(({ name }) => name === listen)?.address;
}

/** Throws an InputError where `listen` cannot be the name of anything to listen on. */
export function checkListen(listen: string, source: string): void {
	const isNetwork = /^([\d.]+)\/(\d{1,2})$/.exec(listen);
	const isGood = isNetwork ? isIPv4(isNetwork[1]!) && Number(isNetwork[2]) <= 32 : isIPv4(listen) || isName(listen);
	if (isGood) return;
	const remedy = "give an IPv4 address, a network (10.0.0.0/8), an interface (eth0), or 0.0.0.0 for all";
	throw new InputError(source, "--listen", `"${listen}" is nothing to listen on`, remedy);
}

/** Throws an InputError where this host has no such address: for whoever speaks of this host alone. */
export function requireOwn(listen: string, source: string): void {
	if (listen !== EVERYWHERE && askedFor(listen) === undefined) throw notOwn(listen, source);
}

function notOwn(listen: string, source: string): InputError {
	const have = ownAddresses().map(({ name, address }) => `${address} (${name})`);
	const problem = `this host has no address of ${listen}, only ${have.join(", ")}`;
	return new InputError(source, "--listen", problem, "name a network or an interface that all hosts have");
}

/** An interface's name has at most 15 characters on Linux. */
function isName(text: string): boolean {
	return /^[A-Za-z][\w.:@-]{0,14}$/.test(text);
}

/**
 * Where to listen so that `toward` reaches it: an address or a name of the other side. An address that was asked for and is not this
 * host's is another host's, and does not count here.
 */
export async function listening(toward: string, listen: string | undefined): Promise<Listening> {
	if (listen === EVERYWHERE) return { bind: EVERYWHERE, told: await routeFrom(toward) };
	const asked = listen === undefined ? undefined : askedFor(listen);
	if (asked !== undefined) return { bind: asked, told: asked };
	if (listen !== undefined && !isIPv4(listen)) throw notOwn(listen, "network");
	return unasked(await routeFrom(toward));
}

/** An address that nobody asked for must not be public. */
export function unasked(address: string): Listening {
	if (isPrivate(address)) return { bind: address, told: address };
	const problem = `${address} is a public address, and nobody asked to listen on it`;
	const remedy = "give --listen with a private network or interface of the hosts, or with 0.0.0.0 where this is meant";
	throw new InputError("network", "listen", problem, remedy);
}

/** This host's address on the way to another; no packet is sent. */
export async function routeFrom(toward: string): Promise<string> {
	const address = isIPv4(toward) ? toward : (await lookup(toward, { family: 4 })).address;
	const socket = createSocket("udp4");
	try {
		await new Promise<void>((resolve, reject) => {
			socket.once("error", reject);
			socket.connect(DISCARD_PORT, address, resolve);
		});
		return socket.address().address;
	} catch (error) {
		const told = error instanceof Error ? error.message : String(error);
		const remedy = "check the network of this host, or give --listen";
		throw new InputError("network", toward, `there is no route to it (${told})`, remedy);
	} finally {
		socket.close();
	}
}

/** Any port will do. */
const DISCARD_PORT = 9;
