/** `stickslip serve`: a service that solves the problems that programs on this machine or others send it. */
import { InputError, openSession } from "@stickslip/core";
import { handleSignals, holdSignals } from "../base/signals.js";
import type { Arguments } from "../cli/arguments.js";
import type { Command, ExitCode, OptionSpec, Terminal } from "../cli/command.js";
import { memoryOf } from "../placement/quantities.js";
import { type Place, type ServeOptions, serve as startService } from "../service/serve.js";

const ZEROMQ_PORT = 9440;
const WEBSOCKET_PORT = 9441;
const LOOPBACK = "127.0.0.1";
const PORT_MAX = 65_535;
const GIB = 2 ** 30;
const DEFAULTS = {
	requests: 1000,
	bytes: 4 * GIB,
	seconds: 3600,
	message: GIB,
	keep: 600,
	keepBytes: GIB / 4,
	drain: 60,
} as const;

const specs: readonly OptionSpec[] = [
	{
		name: "listen",
		value: "tcp://ADDRESS:PORT",
		what: `where to listen for ZeroMQ (default tcp://${LOOPBACK}:${ZEROMQ_PORT}; port 0: any that is free)`,
	},
	{
		name: "websocket",
		value: "ADDRESS:PORT",
		what: `where to listen for WebSocket and HTTP (default ${LOOPBACK}:${WEBSOCKET_PORT}), or none`,
	},
	{
		name: "advertise",
		value: "HOST",
		what: "the host in the connection files, where it is not the one that is listened on",
	},
	{
		name: "keys",
		value: "FOLDER",
		what: "keys and connection files (default $STICKSLIP_SERVICE, else ~/.stickslip/service)",
	},
	{
		name: "client",
		value: "NAME",
		what: "make a connection file for this client, where there is none (default: default)",
		repeatable: true,
	},
	{
		name: "origin",
		value: "URL",
		what: "pages of this origin may connect, e.g. https://example.org (default: no pages)",
		repeatable: true,
	},
	{ name: "tls-cert", value: "FILE", what: "certificate for the WebSocket, PEM, with --tls-key" },
	{ name: "tls-key", value: "FILE", what: "its key, PEM" },
	{
		name: "limit-requests",
		value: "N",
		what: `requests that a client may have under way (default ${DEFAULTS.requests})`,
	},
	{ name: "limit-bytes", value: "SIZE", what: "bytes that they and its patterns may have (default 4G)" },
	{ name: "limit-message", value: "SIZE", what: "bytes of one message (default 1G)" },
	{ name: "limit-seconds", value: "S", what: `seconds of one solve (default ${DEFAULTS.seconds})` },
	{ name: "keep", value: "S", what: `seconds that answers are kept to be fetched again (default ${DEFAULTS.keep})` },
	{ name: "keep-bytes", value: "SIZE", what: "bytes of answers that are kept for one client (default 256M)" },
	{ name: "drain", value: "S", what: `seconds that requests have to end after a signal (default ${DEFAULTS.drain})` },
	{ name: "json", what: "print one JSON object on standard output when the service is up" },
];

const notes = `The first start makes the keys and a connection file for each client, readable by you only; give it to the
program that is to be this client. Removing the file ends its access. The first SIGTERM or Ctrl-C ends the
service when what it has begun is answered (exit code 0), the second at once.

The port of the WebSocket answers GET /healthz and GET /metrics (Prometheus).`;

export const serve: Command = {
	name: "serve",
	usage: "[options]",
	what: "solves what programs send over ZeroMQ or WebSocket",
	options: specs,
	notes,
	run,
};

async function run(args: Arguments, terminal: Terminal): Promise<ExitCode> {
	if (args.operands.length > 0) args.refuse(args.operands[0]!, "is not an option", "stickslip serve --help lists all");
	holdSignals();
	const log = (line: string) => terminal.err(`stickslip: ${line}`);
	const service = await startService(optionsOf(args, log));
	const { addresses, ranks, clients } = service;
	if (args.flag("json")) {
		terminal.out(JSON.stringify({ ...addresses, ranks, pid: process.pid, clients: Object.fromEntries(clients) }));
	}
	log(`serving on ${Object.values(addresses).join(" and ")}, ${ranks} ${ranks === 1 ? "rank" : "ranks"}`);
	for (const [name, file] of clients) log(`client ${name}: ${file}`);
	const signal = await firstSignal();
	log(`${signal}: no more requests; a second one ends at once`);
	await service.drain(signal, args.seconds("drain", "from 0", DEFAULTS.drain) ?? DEFAULTS.drain);
	return 0;
}

/** A second one ends this process. */
function firstSignal(): Promise<NodeJS.Signals> {
	return new Promise((resolve) => {
		let isFirst = true;
		handleSignals((signal) => {
			if (!isFirst) process.exit(130);
			isFirst = false;
			resolve(signal);
		});
	});
}

function optionsOf(args: Arguments, log: (line: string) => void): ServeOptions {
	const [cert, key] = [args.text("tls-cert"), args.text("tls-key")];
	if ((cert === undefined) !== (key === undefined)) {
		args.refuse(cert === undefined ? "--tls-cert" : "--tls-key", "is missing", "give the certificate and its key");
	}
	const clients = args.texts("client");
	const websocket = args.text("websocket") ?? `${LOOPBACK}:${WEBSOCKET_PORT}`;
	return {
		folder: args.text("keys"),
		zeromq: placeOf("--listen", args.text("listen") ?? `tcp://${LOOPBACK}:${ZEROMQ_PORT}`, "tcp://"),
		websocket: websocket === "none" ? undefined : placeOf("--websocket", websocket, ""),
		advertise: args.text("advertise"),
		clients: clients.length > 0 ? clients : ["default"],
		origins: args.texts("origin").map(originOf),
		tls: cert !== undefined && key !== undefined ? { cert, key } : undefined,
		limits: {
			requests: args.integer("limit-requests", 1, 1_000_000, 100) ?? DEFAULTS.requests,
			bytes: memoryOf(args, "limit-bytes") ?? DEFAULTS.bytes,
			message: memoryOf(args, "limit-message") ?? DEFAULTS.message,
			seconds: args.seconds("limit-seconds", "above 0", DEFAULTS.seconds) ?? DEFAULTS.seconds,
		},
		keep: {
			seconds: args.seconds("keep", "from 0", DEFAULTS.keep) ?? DEFAULTS.keep,
			bytes: memoryOf(args, "keep-bytes") ?? DEFAULTS.keepBytes,
		},
		openSession,
		log,
	};
}

/** scheme HOST:PORT or [IPv6]:PORT. */
function placeOf(option: string, text: string, scheme: string): Place {
	const rest = text.startsWith(scheme) ? text.slice(scheme.length) : "";
	const [, bracketed, plain, digits] = /^(?:\[([0-9a-f:.]+)\]|([^\s:[\]/]+)):(\d{1,5})$/i.exec(rest) ?? [];
	const port = Number(digits ?? Number.NaN);
	const host = bracketed ?? plain;
	if (host !== undefined && port <= PORT_MAX) return { host, port };
	throw new InputError(
		"serve",
		option,
		`"${text}" is not of the form ${scheme}ADDRESS:PORT`,
		`write e.g. ${scheme}${LOOPBACK}:9440`,
	);
}

/** As browsers write it. */
function originOf(text: string): string {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (url !== undefined && /^https?:$/.test(url.protocol) && url.pathname === "/") return url.origin;
	throw new InputError("serve", "--origin", `"${text}" is not the origin of a page`, "write e.g. https://example.org");
}
