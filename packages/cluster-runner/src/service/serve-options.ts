/** The options of `stickslip serve`: their help, and what they mean. */
import { InputError } from "@stickslip/core";
import { withoutUndefined } from "../base/without-undefined.js";
import type { Arguments } from "../cli/arguments.js";
import type { OptionSpec } from "../cli/command.js";
import { memoryOf } from "../placement/quantities.js";
import { hostPort } from "../protocol/host-port.js";
import { advertisedHost, LOOPBACK } from "../protocol/listen-address.js";
import type { Place, ServeCommandLine, ServeRequest } from "../requests/serve-request.js";
import { ranksIn } from "../requests/solve-request.js";
import { rankSpecs } from "../requests/solve-specs.js";
import type { Addresses } from "./service-folder.js";

const ZEROMQ_PORT = 9440;
const WEBSOCKET_PORT = 9441;
const PORT_MAX = 65_535;
const GIB = 2 ** 30;
const DEFAULTS = {
	requests: 1000,
	bytes: 4 * GIB,
	seconds: 3600,
	message: GIB,
	keep: 600,
	keepBytes: GIB / 8,
	drain: 60,
} as const;

const RANKS_HELP =
	"number of ranks, or auto (default: one per core); small problems are solved side by side, large ones by all of them";

export const serveSpecs: readonly OptionSpec[] = [
	...rankSpecs.map((spec) => (spec.name === "ranks" ? { ...spec, what: RANKS_HELP } : spec)),
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
		what: "host name in the connection files, if it differs from that of --listen",
	},
	{
		name: "keys",
		value: "FOLDER",
		what: "keys and connection files (default $STICKSLIP_SERVICE, else ~/.stickslip/service)",
	},
	{
		name: "client",
		value: "NAME",
		what: "create a connection file for this client if it has none (default: one called default, if there are no clients)",
		repeatable: true,
	},
	{
		name: "add-client",
		value: "NAME",
		what: "only create a connection file for another client, and print its path; a running service accepts it",
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
		what: `pending requests per client (default ${DEFAULTS.requests})`,
	},
	{ name: "limit-bytes", value: "SIZE", what: "bytes of these and of the patterns of a client (default 4G)" },
	{ name: "limit-message", value: "SIZE", what: "bytes of one message (default 1G)" },
	{ name: "limit-seconds", value: "S", what: `seconds of one solve (default ${DEFAULTS.seconds})` },
	{
		name: "keep",
		value: "S",
		what: `seconds for which answers are kept to be fetched again (default ${DEFAULTS.keep})`,
	},
	{ name: "keep-bytes", value: "SIZE", what: "bytes of the answers and warm starts kept for a client (default 128M)" },
	{
		name: "drain",
		value: "S",
		what: `seconds that requests have to finish after a signal (default ${DEFAULTS.drain})`,
	},
	{ name: "json", what: "print one JSON object on standard output when the service is up" },
];

/** Options that say where clients find the service. */
const WHERE = ["listen", "websocket", "advertise"] as const;

/** Throws an InputError for what makes no sense. */
export function parseServe(args: Arguments): Omit<ServeCommandLine, "line"> {
	const [extra] = args.operands;
	if (extra !== undefined) args.refuse(extra, "is not an option", "stickslip serve --help lists all");
	const [cert, key] = [args.text("tls-cert"), args.text("tls-key")];
	if ((cert === undefined) !== (key === undefined)) {
		args.refuse(cert === undefined ? "--tls-cert" : "--tls-key", "is missing", "give the certificate and its key");
	}
	const clients = args.texts("client");
	const serve: ServeRequest = {
		command: "serve",
		...placesOf(args),
		origins: args.texts("origin").map(originOf),
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
		drainSeconds: args.seconds("drain", "from 0", DEFAULTS.drain) ?? DEFAULTS.drain,
		json: args.flag("json"),
		...withoutUndefined({
			folder: args.text("keys"),
			clients: clients.length > 0 ? clients : undefined,
			tls: cert !== undefined && key !== undefined ? { cert, key } : undefined,
		}),
	};
	return { serve, how: ranksIn(args) };
}

function placesOf(args: Arguments) {
	const websocket = args.text("websocket") ?? `${LOOPBACK}:${WEBSOCKET_PORT}`;
	const advertise = args.text("advertise");
	return {
		zeromq: placeOf("--listen", args.text("listen") ?? `tcp://${LOOPBACK}:${ZEROMQ_PORT}`, "tcp://"),
		...(websocket !== "none" && { websocket: placeOf("--websocket", websocket, "") }),
		...(advertise !== undefined && { advertise }),
	};
}

/** The address for clients of a service that is started with these options; undefined if none of them defines it. */
export function plannedAddresses(args: Arguments): Addresses | undefined {
	if (WHERE.every((name) => args.text(name) === undefined)) return undefined;
	const { zeromq, websocket, advertise } = placesOf(args);
	const address = (scheme: string, { host, port }: Place) => {
		if (port === 0) args.refuse("--add-client", "the port is not known before the service is up", "name the port");
		return `${scheme}://${hostPort(advertise ?? advertisedHost(host), port)}`;
	};
	const scheme = args.text("tls-cert") === undefined ? "ws" : "wss";
	return { zeromq: address("tcp", zeromq), ...(websocket && { websocket: address(scheme, websocket) }) };
}

/** scheme HOST:PORT or [IPv6]:PORT. */
function placeOf(option: string, text: string, scheme: string): Place {
	const rest = text.startsWith(scheme) ? text.slice(scheme.length) : "";
	const [, bracketed, plain, digits] = /^(?:\[([0-9a-f:.]+)\]|([^\s:[\]/]+)):(\d{1,5})$/i.exec(rest) ?? [];
	const port = Number(digits ?? Number.NaN);
	const host = bracketed ?? plain;
	if (host !== undefined && port <= PORT_MAX) return { host, port };
	const problem = `"${text}" is not of the form ${scheme}ADDRESS:PORT`;
	throw new InputError("serve", option, problem, `write e.g. ${scheme}${LOOPBACK}:${ZEROMQ_PORT}`);
}

/** As browsers send it. */
function originOf(text: string): string {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (url !== undefined && /^https?:$/.test(url.protocol) && url.pathname === "/") return url.origin;
	throw new InputError("serve", "--origin", `"${text}" is not the origin of a page`, "write e.g. https://example.org");
}
