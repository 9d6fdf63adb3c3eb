/** What `connect` takes, in Node.js and in browsers. */
import { InputError, version } from "@stickslip/core";
import { badInput } from "./base/service-error.js";
import { Client } from "./client/client.js";
import type { OpenConnection } from "./connections/connection.js";

export interface ConnectOptions {
	/** What the service's log calls this program. Default: this package. */
	readonly client?: string;
	/** How long to try the first connection, in seconds. Default 10. */
	readonly timeout?: number;
	/** How long to try to reconnect before pending requests are rejected, in seconds. Default 60. */
	readonly retry?: number;
}

const TIMEOUT_SECONDS = 10;
const RETRY_SECONDS = 60;

/** What is wrong with options or a connection file, as a ServiceError that names it, like all that the client says. */
export async function inServiceWords<Result>(work: () => Promise<Result>): Promise<Result> {
	try {
		return await work();
	} catch (error) {
		if (!(error instanceof InputError)) throw error;
		const { source, place } = error;
		throw badInput(error, source === "options" ? place : [source, place].filter((part) => part !== "").join(": "));
	}
}

/** Throws an InputError for an option that `connect` does not have. */
export function checkNames(options: object, ...more: readonly string[]): void {
	const names = ["client", "timeout", "retry", ...more];
	const unknown = Object.keys(options).find((name) => !names.includes(name));
	if (unknown === undefined) return;
	throw new InputError("options", unknown, "unknown option", `use one of ${names.join(", ")}`);
}

export function openClient(
	open: OpenConnection,
	{ address, token, remedy }: { readonly address: string; readonly token: string; readonly remedy: string },
	{ client = `@stickslip/client ${version}`, timeout = TIMEOUT_SECONDS, retry = RETRY_SECONDS }: ConnectOptions,
): Promise<Client> {
	for (const [name, value] of Object.entries({ timeout, retry })) {
		if (typeof value === "number" && value >= 0) continue;
		throw new InputError("options", name, `${String(value)} is not at least 0`, "give a number of seconds");
	}
	if (typeof client !== "string") {
		throw new InputError("options", "client", `${String(client)} is not a text`, "give the name of this program");
	}
	return Client.open({ open, address, token, remedy, client, retrySeconds: retry }, timeout);
}
