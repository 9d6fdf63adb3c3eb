/** Where the hub listens for processes on other hosts: on the way to them. */
import { InputError } from "@stickslip/core";
import { reasonOf } from "../../ranks/refusal.js";
import { addressOf, isLoopback, type Listening, listening, ownAddresses } from "../rendezvous/addresses.js";
import { hostIn } from "../rendezvous/host-port.js";

/** `peers` are the members' hosts, by name or address. */
export async function doorToward(peers: readonly string[], listen: string | undefined): Promise<{ at: Listening }> {
	const addresses: string[] = [];
	for (const peer of peers) {
		// One that is known to nobody is for whoever has to reach it to tell.
		const found = await addressOf(peer).catch(() => undefined);
		if (found !== undefined) addresses.push(found);
	}
	if (peers.length > 0 && addresses.length === 0) {
		const problem = peers.length > 1 ? "none of these names resolves" : "the name does not resolve";
		throw new InputError("hosts", peers.join(", "), problem, "check the names, or give addresses");
	}
	const own = new Set(ownAddresses().map(({ address }) => address));
	// On the way to itself a host would find its loopback, or an address that others do not see.
	const other = addresses.find((address) => !own.has(address) && !isLoopback(address));
	const outside = other ?? addresses.find((address) => !isLoopback(address)) ?? addresses[0] ?? "127.0.0.1";
	return { at: await listening(outside, listen) };
}

/** What is wrong with the addresses of a run's ranks: some would find themselves on their own loopback where they look for others. */
export function unreachable(endpoints: readonly string[]): string | undefined {
	const isHere = endpoints.map((endpoint) => isLoopback(hostIn(endpoint)));
	const first = isHere.indexOf(true);
	if (first < 0 || !isHere.includes(false)) return undefined;
	const problem = "listens on loopback, which ranks on other hosts cannot reach";
	const remedy = "give the host by its name on the network, or give --listen";
	return reasonOf(new InputError("network", `rank ${first}`, problem, remedy));
}
