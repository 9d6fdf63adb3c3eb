/** Starts a service: folder, ranks and listeners; and ends it when it is asked to. */
import { readFileSync } from "node:fs";
import { InputError, type Session } from "@stickslip/core";
import { codeOf, unreadable } from "../base/errors.js";
import { isLoopback } from "../protocol/listen-address.js";
import { openSocketFolder, type SocketFolder } from "../protocol/socket-folder.js";
import type { ServeRequest } from "../requests/serve-request.js";
import type { Listener } from "./connection.js";
import { Service } from "./service.js";
import { type Addresses, ServiceFolder } from "./service-folder.js";
import { SessionKeeper } from "./session-keeper.js";
import { listenWebSocket } from "./websocket-listener.js";
import { listenLocally, listenZeromq, SOCKETS_MAX, type ZeromqLimits } from "./zeromq-listener.js";

export interface ServeOptions extends Omit<ServeRequest, "command" | "drainSeconds" | "json"> {
	/** How many seconds the parts of a problem wait for one another. Default 60. */
	readonly partSeconds?: number | undefined;
	readonly openSession: () => Promise<Session>;
	/** How many times lost ranks are started again before it fails. Default: no limit. */
	readonly triesMax?: number | undefined;
	readonly log: (line: string) => void;
}

export interface RunningService {
	readonly addresses: Addresses;
	readonly ranks: number;
	/** The connection file of each client. */
	readonly clients: ReadonlyMap<string, string>;
	/** Resolves with the reason if lost ranks could not be started again. */
	readonly failed: Promise<unknown>;
	/** Accepts no more requests, answers earlier ones for at most this many seconds, and ends. */
	drain(reason: string, seconds: number): Promise<void>;
	/** Ends at once: clients connect to the next service, and repeat what was not answered. */
	close(): Promise<void>;
}

const DEFAULT_CLIENT = "default";
/** A message above the limit is answered with an error; one above this many times the limit ends its connection. */
const MESSAGE_FACTOR = 2;

/** Throws an InputError for an invalid address, folder or file. */
export async function serve(options: ServeOptions): Promise<RunningService> {
	const { limits, keep, partSeconds, log } = options;
	const folder = new ServiceFolder(options.folder);
	const claim = await folder.claim();
	const keys = folder.keys();
	const keeper = new SessionKeeper(options.openSession, log, options.triesMax);
	const known = {
		clientOf: (token: string) => folder.clientOf(token),
		isClient: (name: string) => folder.isClient(name),
	};
	const service = new Service({ keeper, ...known, limits, keep, partSeconds, log });
	const listeners: Listener[] = [];
	const folders: SocketFolder[] = [];
	const end = async () => {
		await Promise.all(listeners.map((listener) => listener.close()));
		for (const { remove } of folders) remove();
		await keeper.close();
		claim?.release();
	};
	if (claim !== undefined)
		claim.onLost = () => log("another service has taken over the folder: this one does not see new clients");
	try {
		const tls = options.tls && { cert: pem(options.tls.cert), key: pem(options.tls.key) };
		const messageBytesMax = MESSAGE_FACTOR * limits.message;
		const shared = { advertise: options.advertise, messageBytesMax };
		const isKnown = (publicKey: string) => folder.isKnown(publicKey);
		const limitsOf = async () => ({ messageBytesMax, sockets: await socketFolder(folders) });
		const curve = { curve: keys, isKnown, limits: await limitsOf() };
		const zeromq = await listenZeromq({ ...shared, ...options.zeromq, ...curve }, service);
		listeners.push(zeromq);
		const local = await listenInFolder(folder, await limitsOf(), service);
		if (local !== undefined) listeners.push(local);
		let websocket: Listener | undefined;
		if (options.websocket !== undefined) {
			const page = (path: string, token?: string) => service.page(path, listeners, token);
			const { origins } = options;
			websocket = await listenWebSocket({ ...shared, ...options.websocket, tls, origins, page }, service);
			listeners.push(websocket);
			const { host } = options.websocket;
			if (!isLoopback(host) && host !== "localhost" && tls === undefined) {
				log(`${websocket.address} is not encrypted: others on the network can read tokens (--tls-cert, --tls-key)`);
			}
		}
		const addresses = {
			zeromq: zeromq.address,
			...(websocket !== undefined && { websocket: websocket.address }),
			...(local !== undefined && { local: local.address }),
		};
		const { clients = folder.clientNames.length > 0 ? [] : [DEFAULT_CLIENT] } = options;
		for (const name of clients) folder.addClient(name, addresses);
		for (const name of folder.writeAddresses(addresses)) {
			log(`the file of client ${name} has other addresses than ${Object.values(addresses).join(" and ")}`);
		}
		await keeper.start();
		return {
			addresses,
			ranks: keeper.ranks,
			failed: keeper.failed,
			clients: new Map(folder.clientNames.map((name) => [name, folder.fileOf(name)])),
			async drain(reason, seconds) {
				await service.drain(reason, seconds);
				await end();
			},
			close: end,
		};
	} catch (error) {
		await end();
		throw error;
	}
}

/** None if the folder is not suitable, or its file system has no sockets: then connections of this machine are encrypted like others. */
async function listenInFolder(folder: ServiceFolder, limits: ZeromqLimits, service: Service) {
	const path = folder.socketPath;
	// Unencrypted sockets are in folders that only their user may enter.
	if (path === undefined || limits.sockets === undefined) return undefined;
	try {
		return await listenLocally(path, limits, service);
	} catch (error) {
		if (error instanceof InputError || codeOf(error) !== undefined) return undefined;
		throw error;
	}
}

/** For the sockets between connections and the library. What is to be encrypted is encrypted there too. */
async function socketFolder(folders: SocketFolder[]): Promise<string | undefined> {
	const folder = await openSocketFolder(SOCKETS_MAX, { ...process.env, STICKSLIP_CURVE: undefined });
	if (folder !== undefined) folders.push(folder);
	return folder?.path;
}

function pem(file: string): string {
	try {
		return readFileSync(file, "utf8");
	} catch (error) {
		throw unreadable(file, error, "name a PEM file");
	}
}
