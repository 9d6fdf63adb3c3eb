/** The address on which the hub listens for processes on other hosts: the one on the route to them. */
import { InputError } from "@stickslip/core";
import { hostIn } from "../../protocol/host-port.js";
import {
	addressOf,
	isLoopback,
	type ListenAddress,
	listenAddress,
	ownAddresses,
} from "../../protocol/listen-address.js";
import { reasonOf } from "../../protocol/refusal.js";

/** `peers` are the members' hosts, by name or address. */
export async function bindAddressToward(
	peers: readonly string[],
	listen: string | undefined,
): Promise<{ at: ListenAddress }> {
	const addresses: string[] = [];
	for (const peer of peers) {
		// A name that does not resolve is reported by the program that connects to it.
		const found = await addressOf(peer).catch(() => undefined);
		if (found !== undefined) addresses.push(found);
	}
	if (peers.length > 0 && addresses.length === 0) {
		const problem = peers.length > 1 ? "none of these names resolves" : "the name does not resolve";
		throw new InputError("hosts", peers.join(", "), problem, "check the names, or give addresses");
	}
	const own = new Set(ownAddresses().map(({ address }) => address));
	// The route of a host to itself leads over loopback, or over an address that others cannot reach.
	const other = addresses.find((address) => !own.has(address) && !isLoopback(address));
	const outside = other ?? addresses.find((address) => !isLoopback(address)) ?? addresses[0] ?? "127.0.0.1";
	return { at: await listenAddress(outside, listen) };
}

/** The error in the addresses of a run's ranks, if some of them listen on loopback and others do not. */
export function unreachable(endpoints: readonly string[]): string | undefined {
	const isHere = endpoints.map((endpoint) => isLoopback(hostIn(endpoint)));
	const first = isHere.indexOf(true);
	if (first < 0 || !isHere.includes(false)) return undefined;
	const problem = "listens on loopback, which ranks on other hosts cannot reach";
	const remedy = "give the host by its name on the network, or give --listen";
	return reasonOf(new InputError("network", `rank ${first}`, problem, remedy));
}
