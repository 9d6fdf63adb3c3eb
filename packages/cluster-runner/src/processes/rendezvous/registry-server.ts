/** The registry on its port: every connection is encrypted, and one without the run's secret is refused. */
import { keysOf } from "../../protocol/keys.js";
import {
	addressOf,
	isLoopback,
	isPrivate,
	type ListenAddress,
	listenAddress,
	ownAddresses,
	requirePrivate,
} from "../../protocol/listen-address.js";
import { BEAT_MS } from "../../protocol/messages.js";
import { ServerSocket } from "../../protocol/sockets.js";
import type { NodeIdentity } from "./node-identity.js";
import { NodeRegistry } from "./registered-nodes.js";
import { isToRegistry, type MessageFromRegistry, type MessageToRegistry } from "./registry-messages.js";

/** How long nodes have to receive the end of the run. */
const LAST_MS = 500;

export interface OpenRegistry {
	/** curve://host:port */
	readonly address: string;
	readonly nodeRegistry: NodeRegistry;
	/** Notifies all nodes of the end of the run, and closes. */
	close(code: number, more: boolean): Promise<void>;
}

export interface OpenRegistryOptions extends Pick<NodeIdentity, "nodes" | "host" | "port"> {
	readonly line: string;
	readonly secret: Uint8Array;
	readonly listen: string | undefined;
	readonly print: (line: string) => void;
	readonly onRefused: () => void;
}

export async function openRegistry({
	host,
	port,
	secret,
	listen,
	...rest
}: OpenRegistryOptions): Promise<OpenRegistry> {
	const keys = keysOf(secret);
	const at = await chooseListenAddress(host, listen);
	const socket = new ServerSocket<MessageFromRegistry, MessageToRegistry>(keys, isToRegistry, { at, port });
	const { print } = rest;
	const nodeRegistry = new NodeRegistry({
		...rest,
		send: (identity) => socket.sender(identity),
		now: () => performance.now(),
	});
	const address = await socket.open();
	void socket.listen((identity, message) => nodeRegistry.take(identity, message));
	let isReported = false;
	const timer = setInterval(() => {
		nodeRegistry.beat();
		if (socket.refused === 0 || isReported) return;
		isReported = true;
		print("refused a connection with another STICKSLIP_KEY, or without one");
	}, BEAT_MS);
	return {
		address,
		nodeRegistry,
		async close(code, more) {
			nodeRegistry.over(code, more);
			await new Promise((resolve) => setTimeout(resolve, LAST_MS));
			clearInterval(timer);
			await socket.close();
		},
	};
}

/** Other nodes reach this host by a name that may not resolve yet: then its only address is used. */
async function chooseListenAddress(name: string, listen: string | undefined): Promise<ListenAddress> {
	const found = await addressOf(name).catch(() => undefined);
	const own = ownAddresses().map(({ address }) => address);
	const isOwn = found !== undefined && (own.includes(found) || isLoopback(found));
	if (listen !== undefined) return await listenAddress(found ?? own.find((each) => !isLoopback(each)) ?? name, listen);
	if (isOwn) return requirePrivate(found);
	const outside = own.filter((address) => !isLoopback(address));
	const [only, ...more] = outside.filter(isPrivate);
	// Of several, the one on the route to that name; this fails if the name does not resolve.
	return only !== undefined && more.length === 0
		? requirePrivate(only)
		: await listenAddress(outside[0] ?? name, undefined);
}
