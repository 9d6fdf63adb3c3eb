/**
 * The address of this host to listen on: the one that --listen selects, or else the one on the route to the peers. A public address is
 * used only with --listen.
 */

import { createSocket } from "node:dgram";
import { lookup } from "node:dns/promises";
import { BlockList, isIP, isIPv6 } from "node:net";
import { hostname, networkInterfaces } from "node:os";
import { InputError } from "@stickslip/core";
import { messageOf } from "../base/errors.js";

export const LOOPBACK = "127.0.0.1";
/** With --listen, they mean all addresses of a host. */
const EVERYWHERE: readonly string[] = ["0.0.0.0", "::"];

/** The name of an interface, and an address of it. */
export interface OwnAddress {
	readonly name: string;
	readonly address: string;
}

export interface ListenAddress {
	/** What to bind to. */
	readonly bind: string;
	/** The address that peers connect to. */
	readonly advertised: string;
}

/** What clients on other hosts connect to where a service listens there: its name, where that is all addresses. */
export function advertisedHost(bind: string): string {
	return EVERYWHERE.includes(bind) ? hostname() : bind;
}

/** Addresses that are valid on a whole network: without IPv6's link-local ones. */
export function ownAddresses(): OwnAddress[] {
	const own = Object.entries(networkInterfaces()).flatMap(([name, all = []]) =>
		all.filter(({ address }) => !isIn(address, LINK_LOCAL)).map(({ address }) => ({ name, address })),
	);
	return own.sort((one, other) => isIP(one.address) - isIP(other.address));
}

const LINK_LOCAL = "fe80::/10";
/** Networks that no public traffic reaches: RFC 1918, 6598 (carriers and clusters), 3927 (link-local); of IPv6 RFC 4193 and its link-local ones. */
const PRIVATE = [
	...["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "169.254.0.0/16"],
	...["fc00::/7", LINK_LOCAL],
];

export function isLoopback(address: string): boolean {
	return isIn(address, "127.0.0.0/8") || isIn(address, "::1/128");
}

export function isPrivate(address: string): boolean {
	return isLoopback(address) || PRIVATE.some((network) => isIn(address, network));
}

/** Whether an address is in a network written as 10.0.0.0/8 or fd00::/8. */
export function isIn(address: string, network: string): boolean {
	const [base = "", bits] = network.split("/");
	if (isIP(base) === 0 || isIP(address) !== isIP(base)) return false;
	const family = isIPv6(base) ? "ipv6" : "ipv4";
	const list = new BlockList();
	list.addSubnet(base, Number(bits), family);
	return list.check(address, family);
}

function isSame(one: string, other: string): boolean {
	return isIn(one, `${other}/${isIPv6(other) ? 128 : 32}`);
}

/** An address and the bits that count, where the text is a network. */
function networkIn(text: string): string | undefined {
	const [, base = "", bits] = /^([\da-f.:]+)\/(\d{1,3})$/i.exec(text) ?? [];
	return isIP(base) !== 0 && Number(bits) <= (isIPv6(base) ? 128 : 32) ? text : undefined;
}

/** The address of this host that `listen` selects; undefined if it has none. `listen` is an address, a network or an interface. */
export function matchOwnAddress(listen: string, own: readonly OwnAddress[] = ownAddresses()): string | undefined {
	if (isIP(listen) !== 0)
		return own.find(({ address }) => isSame(address, listen) || isIn(listen, "127.0.0.0/8"))?.address && listen;
	const network = networkIn(listen);
	if (network !== undefined) return own.find(({ address }) => isIn(address, network))?.address;
	return own.find(({ name }) => name === listen)?.address;
}

/** Throws an InputError if `listen` is not an address, a network or an interface. */
export function checkListen(listen: string, source: string): void {
	if (isIP(listen) !== 0 || networkIn(listen) !== undefined || isName(listen)) return;
	const remedy = "give an address, a network (10.0.0.0/8, fd00::/8), an interface (eth0), or 0.0.0.0 or :: for all";
	throw new InputError(source, "--listen", `"${listen}" is not an address, network or interface`, remedy);
}

/** Throws an InputError if this host has no such address: for values that are for this host only. */
export function requireOwn(listen: string, source: string): void {
	if (!EVERYWHERE.includes(listen) && matchOwnAddress(listen) === undefined) throw notOwn(listen, source);
}

function notOwn(listen: string, source: string): InputError {
	const have = ownAddresses().map(({ name, address }) => `${address} (${name})`);
	const problem = `this host has no address in ${listen}, only ${have.join(", ")}`;
	return new InputError(source, "--listen", problem, "name a network or an interface that all hosts have");
}

/** An interface's name has at most 15 characters on Linux. */
function isName(text: string): boolean {
	return /^[A-Za-z][\w.:@-]{0,14}$/.test(text);
}

/**
 * Where to listen so that `toward`, an address or a name, can connect. An address in `listen` that is not one of this host is that of
 * another host, and is ignored.
 */
export async function listenAddress(toward: string, listen: string | undefined): Promise<ListenAddress> {
	if (listen !== undefined && EVERYWHERE.includes(listen)) {
		const advertised = await routeFrom(toward);
		// All IPv6 addresses include the IPv4 ones.
		return { bind: isIPv6(advertised) ? "::" : listen, advertised };
	}
	const matched = listen === undefined ? undefined : matchOwnAddress(listen);
	if (matched !== undefined) return { bind: matched, advertised: matched };
	if (listen !== undefined && isIP(listen) === 0) throw notOwn(listen, "network");
	return requirePrivate(await routeFrom(toward));
}

/** Without --listen the address must not be public. */
export function requirePrivate(address: string): ListenAddress {
	if (isPrivate(address)) return { bind: address, advertised: address };
	const problem = `${address} is a public address, which is used only with --listen`;
	const remedy =
		"give --listen with a private network or interface of the hosts, or with 0.0.0.0 or :: if this is intended";
	throw new InputError("network", "listen", problem, remedy);
}

/** The address of a name; of several one with a route. Rejects if the name does not resolve. */
export async function addressOf(name: string): Promise<string> {
	if (isIP(name) !== 0) return name;
	const found = (await lookup(name, { all: true, order: "ipv4first" })).map(({ address }) => address);
	for (const address of found.length > 1 ? found : []) {
		const isReached = await sourceToward(address).then(
			() => true,
			() => false,
		);
		if (isReached) return address;
	}
	return found[0] ?? name;
}

/** This host's address on the way to another. */
export async function routeFrom(toward: string): Promise<string> {
	const address = await addressOf(toward);
	try {
		return await sourceToward(address);
	} catch (error) {
		const cause = messageOf(error);
		const remedy = "check the network of this host, or give --listen";
		throw new InputError("network", toward, `there is no route to it (${cause})`, remedy);
	}
}

/** Asks the system; no packet is sent. */
async function sourceToward(address: string): Promise<string> {
	const socket = createSocket(isIPv6(address) ? "udp6" : "udp4");
	try {
		await new Promise<void>((resolve, reject) => {
			socket.once("error", reject);
			socket.connect(DISCARD_PORT, address, resolve);
		});
		return socket.address().address;
	} finally {
		socket.close();
	}
}

/** Any port will do. */
const DISCARD_PORT = 9;
