/** What `connect` takes, in Node.js and in browsers. */
import { InputError, version } from "@stickslip/core";
import { Client } from "./client/client.js";
import type { OpenConnection } from "./connections/connection.js";

export interface ConnectOptions {
	/** What the service's log calls this program. Default: this package. */
	readonly client?: string;
	/** How long the first connection is tried for, in seconds. Default 10. */
	readonly timeout?: number;
	/** How long a lost connection is tried for until what is under way is rejected, in seconds. Default 60. */
	readonly retry?: number;
}

const TIMEOUT_SECONDS = 10;
const RETRY_SECONDS = 60;

export function openClient(
	open: OpenConnection,
	{ address, token, remedy }: { readonly address: string; readonly token: string; readonly remedy: string },
	{ client = `@stickslip/client ${version}`, timeout = TIMEOUT_SECONDS, retry = RETRY_SECONDS }: ConnectOptions,
): Promise<Client> {
	for (const [name, value] of Object.entries({ timeout, retry })) {
		if (typeof value === "number" && value >= 0) continue;
		throw new InputError("options", name, `${String(value)} is not at least 0`, "give a number of seconds");
	}
	return Client.open({ open, address, token, remedy, client, retrySeconds: retry }, timeout);
}
