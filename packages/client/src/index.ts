/** @stickslip/client: the client of `stickslip serve`, for Node.js. */
import { InputError } from "@stickslip/core";
import WebSocket from "ws";
import type { Client } from "./client/client.js";
import { type ConnectOptions, checkNames, inServiceWords, openClient } from "./connect.js";
import { type ConnectionDetails, checkDetails, readConnectionFile } from "./connection-file.js";
import { CONNECT_TIMEOUT_MS, type OpenConnection } from "./connections/connection.js";
import { WebSocketConnection, type WebSocketLike } from "./connections/websocket.js";
import { zeromqOpener } from "./connections/zeromq.js";

export { ServiceError, type ServiceErrorCode } from "./base/service-error.js";
export type { Client, ServicePattern } from "./client/client.js";
export type { ServicePartOptions, ServiceSolveOptions } from "./client/options.js";
export type { ConnectOptions } from "./connect.js";
export type { ConnectionDetails } from "./connection-file.js";

const REMEDY = "look whether the service runs there (stickslip serve)";

export interface NodeConnectOptions extends ConnectOptions {
	/** Default: zeromq where the connection file has it. */
	readonly transport?: "zeromq" | "websocket";
}

/** Resolves when the service has said welcome; `where` is the path of a connection file, or what stands in one. */
export function connect(where: string | ConnectionDetails, options: NodeConnectOptions = {}): Promise<Client> {
	return inServiceWords(() => connectThere(where, options));
}

async function connectThere(where: string | ConnectionDetails, options: NodeConnectOptions): Promise<Client> {
	checkNames(options, "transport");
	const source = typeof where === "string" ? where : "connection";
	const details = typeof where === "string" ? readConnectionFile(where) : checkDetails(where, source);
	const { zeromq, serviceKey, publicKey, secretKey, websocket, local, token } = details;
	const transport = options.transport ?? (zeromq === undefined ? "websocket" : "zeromq");
	const missing = (name: string) =>
		new InputError(source, name, "is missing", `give it, or choose another transport than ${transport}`);
	if (transport === "websocket") {
		if (websocket === undefined) throw missing("websocket");
		return openClient(websocketOpener(websocket, source), { address: websocket, token, remedy: REMEDY }, options);
	}
	if (transport !== "zeromq") {
		const problem = `${String(transport)} is not a transport of clients`;
		throw new InputError("options", "transport", problem, "use zeromq or websocket");
	}
	if (zeromq === undefined) throw missing("zeromq");
	if (serviceKey === undefined) throw missing("serviceKey");
	if (publicKey === undefined) throw missing("publicKey");
	if (secretKey === undefined) throw missing("secretKey");
	const open = await zeromqOpener({ zeromq, serviceKey, publicKey, secretKey, ...(local !== undefined && { local }) });
	return openClient(open, { address: zeromq, token, remedy: REMEDY }, options);
}

function websocketOpener(address: string, source: string): OpenConnection {
	if (!/^wss?:\/\//.test(address))
		throw new InputError(source, "websocket", "is not ws://... or wss://...", "correct it");
	const settings = { perMessageDeflate: false, maxPayload: 0, handshakeTimeout: CONNECT_TIMEOUT_MS };
	return (events) => new WebSocketConnection(new WebSocket(address, settings) as unknown as WebSocketLike, events);
}
