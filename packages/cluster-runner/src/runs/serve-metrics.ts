/** Serves the metrics of one run over HTTP. A run at work does so in a thread of its own: metrics-thread.ts. */
import { createServer, type Server } from "node:http";
import { isIPv6 } from "node:net";
import { InputError } from "@stickslip/core";
import { codeOf, messageOf } from "../base/errors.js";
import { METRICS_TYPE } from "../output/exposition.js";
import { metricsText } from "./metrics.js";
import { viewOf } from "./view.js";

const PORT_MAX = 65_535;
/** The default address, which is not reachable from other machines. */
const LOOPBACK = "127.0.0.1";
/** A reader that is too slow is disconnected. */
const REQUEST_MS = 5000;
/** Milliseconds between two checks for such readers. */
const LOOK_MS = 1000;
/** How long a response is cached, for any number of clients. */
const CACHE_MS = 1000;
const CONNECTIONS_MAX = 64;
const HEADER_BYTES_MAX = 2 ** 13;

export interface Address {
	readonly host: string;
	readonly port: number;
}

/** HOST:PORT, [IPv6]:PORT, :PORT or PORT; `source` names the option or variable. */
export function metricsAddress(text: string, source: string): Address {
	const [, bracketed, plain, digits] = /^(?:\[([0-9a-f:.]+)\]:|([^\s:[\]/]*):)?(\d{1,5})$/i.exec(text) ?? [];
	const port = Number(digits ?? Number.NaN);
	const isBad = !(port <= PORT_MAX) || (bracketed !== undefined && !isIPv6(bracketed));
	if (isBad)
		throw new InputError(source, "--metrics", `"${text}" is not of the form HOST:PORT`, "write e.g. 127.0.0.1:9400");
	const host = bracketed ?? plain ?? "";
	return { host: host === "" ? LOOPBACK : host, port };
}

export interface MetricsServer {
	readonly url: string;
	close(): void;
}

/** Rejects with an InputError if it cannot listen there. */
export function serveMetrics(folder: string, { host, port }: Address): Promise<MetricsServer> {
	const limits = {
		requestTimeout: REQUEST_MS,
		headersTimeout: REQUEST_MS,
		keepAliveTimeout: REQUEST_MS,
		connectionsCheckingInterval: LOOK_MS,
		maxHeaderSize: HEADER_BYTES_MAX,
	};
	const text = cached(() => metricsText([viewOf(folder)]));
	const server = createServer(limits, ({ method, url }, response) => {
		const path = url?.replace(/\?.*/s, "");
		if (path !== "/metrics" || (method !== "GET" && method !== "HEAD")) {
			response.writeHead(path === "/metrics" ? 405 : 404, { "content-type": "text/plain" });
			response.end("metrics are at /metrics\n");
			return;
		}
		try {
			const body = text();
			response.writeHead(200, { "content-type": METRICS_TYPE });
			response.end(body);
		} catch (error) {
			response.writeHead(500, { "content-type": "text/plain" });
			response.end(`${messageOf(error)}\n`);
		}
	});
	server.maxConnections = CONNECTIONS_MAX;
	server.setTimeout(REQUEST_MS);
	return new Promise((resolve, reject) => {
		server.on("error", (error) => reject(refusal(error, host, port)));
		server.listen(port, host, () => resolve({ url: urlOf(server, host), close: () => end(server) }));
	});
}

/** The last result of `read`, while it is recent. Errors are not cached. */
function cached(read: () => string): () => string {
	let last = "";
	let since = -Infinity;
	return () => {
		if (performance.now() - since > CACHE_MS) {
			last = read();
			since = performance.now();
		}
		return last;
	};
}

function refusal(error: Error, host: string, port: number): InputError {
	const code = codeOf(error);
	const problems: Readonly<Record<string, string>> = {
		EADDRINUSE: "is in use by another program",
		EADDRNOTAVAIL: "is not an address of this machine",
		EACCES: "cannot be listened on (permission denied)",
		ENOTFOUND: "is not known",
	};
	const problem =
		(code === undefined ? undefined : problems[code]) ?? `cannot be listened on (${code ?? error.message})`;
	return new InputError("--metrics", `${host}:${port}`, problem, "choose another one");
}

function urlOf(server: Server, host: string): string {
	const address = server.address();
	const port = typeof address === "object" && address !== null ? address.port : 0;
	return `http://${isIPv6(host) ? `[${host}]` : host}:${port}/metrics`;
}

/** Readers that keep their connection open are not waited for. */
function end(server: Server): void {
	server.close();
	server.closeAllConnections();
}
