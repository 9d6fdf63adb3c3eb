/** A service in the process of the test, on a folder and ports of its own. */
import { readFileSync } from "node:fs";
import type { ConnectionDetails } from "@stickslip/client";
import type { Session } from "@stickslip/core";
import { onTestFinished } from "vitest";
import { type RunningService, type ServeOptions, serve } from "../src/service/serve.js";
import { testFolder } from "./run-cli.js";

export interface Served {
	readonly service: RunningService;
	readonly folder: string;
	/** What the service has said. */
	readonly log: string[];
	/** The connection file of a client. */
	file(name?: string): ConnectionDetails & { readonly zeromq: string; readonly websocket: string };
	/** The text of a page of HTTP, asked for by a client. */
	page(path: string, token?: string): Promise<{ readonly status: number; readonly text: string }>;
}

type Changes = Partial<Omit<ServeOptions, "limits" | "keep" | "log">> & {
	readonly limits?: Partial<ServeOptions["limits"]>;
	readonly keep?: Partial<ServeOptions["keep"]>;
};

/** Ended with the test. */
export async function served(openSession: () => Promise<Session>, changes: Changes = {}): Promise<Served> {
	const { limits, keep, folder = testFolder(), ...rest } = changes;
	const log: string[] = [];
	const here = { host: "127.0.0.1", port: 0 };
	const service = await serve({
		folder,
		zeromq: here,
		websocket: here,
		clients: ["ann", "bob"],
		origins: [],
		limits: { requests: 100, bytes: 2 ** 28, seconds: 60, message: 2 ** 26, ...limits },
		keep: { seconds: 60, bytes: 2 ** 24, ...keep },
		openSession,
		log: (line) => log.push(line),
		...rest,
	});
	let isDrained = false;
	const drain = service.drain.bind(service);
	service.drain = async (...how) => {
		isDrained = true;
		await drain(...how);
	};
	onTestFinished(async () => {
		if (!isDrained) await drain("test", 0);
	});
	const file = (name = "ann") => JSON.parse(readFileSync(service.clients.get(name)!, "utf8"));
	return {
		service,
		folder,
		log,
		file,
		async page(path, token = file().token) {
			const headers = { authorization: `Bearer ${token}` };
			const response = await fetch(file().websocket.replace(/^ws/, "http") + path, { headers });
			return { status: response.status, text: await response.text() };
		},
	};
}
