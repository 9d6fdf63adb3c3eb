/** @stickslip/client in browsers, and wherever else there is a WebSocket and no Node.js. */
import { InputError } from "@stickslip/core";
import type { Client } from "./client/client.js";
import { type ConnectOptions, checkNames, inServiceWords, openClient } from "./connect.js";
import { WebSocketConnection, type WebSocketLike } from "./connections/websocket.js";

export { ServiceError, type ServiceErrorCode } from "./base/service-error.js";
export type { Client, ServicePattern } from "./client/client.js";
export type { ServicePartOptions, ServiceSolveOptions } from "./client/options.js";
export type { ConnectOptions } from "./connect.js";

/** Of what stands in a connection file a page needs these two; it may have them all. */
export interface WebSocketDetails {
	/** wss://host:port */
	readonly websocket: string;
	readonly token: string;
}

/** Browsers do not tell pages why. */
const REMEDY = "look whether the service runs there and has the origin of this page (stickslip serve --origin)";

/** Resolves when the service has said welcome. The service has to allow the page's origin (`stickslip serve --origin`). */
export function connect(where: WebSocketDetails, options: ConnectOptions = {}): Promise<Client> {
	return inServiceWords(() => connectThere(where, options));
}

async function connectThere(where: WebSocketDetails, options: ConnectOptions): Promise<Client> {
	checkNames(options);
	const { websocket, token } = where;
	for (const [name, value] of Object.entries({ websocket, token })) {
		if (typeof value === "string") continue;
		throw new InputError("connection", name, "is missing", "give websocket and token of the connection file");
	}
	const open = () => new WebSocket(websocket) as unknown as WebSocketLike;
	return openClient(
		(events) => new WebSocketConnection(open(), events),
		{ address: websocket, token, remedy: REMEDY },
		options,
	);
}
