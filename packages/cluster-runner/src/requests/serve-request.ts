/** The request of a `serve` as data: where it listens, which clients it accepts, and its limits. */
import {
	atLeast,
	type Checked,
	called,
	exactly,
	flag,
	integer,
	list,
	optional,
	record,
	text,
} from "@stickslip/core/schema";
import type { ExecutionOptions } from "./solve-request.js";

const PORT_MAX = 65_535;
const LIST_MAX = 1000;

const word = text(10_000);
const words = called("a list of words", list(word, LIST_MAX));
/** Host and port; port 0 is any that is free. */
const place = record({ host: word, port: integer(0, PORT_MAX) });
export type Place = Checked<typeof place>;

export const isServeRequest = record({
	command: exactly("serve"),
	/** The folder of keys and connection files. */
	folder: optional(called("the name of a folder", word)),
	zeromq: place,
	/** Without it there is no WebSocket, and no address for health and metrics. */
	websocket: optional(place),
	/** The host that clients connect to, if it is not the one it listens on. */
	advertise: optional(word),
	/** Clients to create if they do not exist. Default: one, if there is none yet. */
	clients: optional(words),
	/** Of pages that may connect. */
	origins: words,
	/** Files. */
	tls: optional(record({ cert: word, key: word })),
	limits: record({ requests: integer(1), bytes: integer(1), message: integer(1), seconds: atLeast(0) }),
	keep: record({ seconds: atLeast(0), bytes: integer(0) }),
	/** How long requests have to end when it is asked to stop. */
	drainSeconds: atLeast(0),
	json: flag,
});
export type ServeRequest = Checked<typeof isServeRequest>;

/** A line, and its request. */
export interface ServeCommandLine {
	/** The words after `stickslip`, for display. */
	readonly line: readonly string[];
	readonly serve: ServeRequest;
	readonly solve?: undefined;
	readonly simulate?: undefined;
	readonly study?: undefined;
	readonly how: ExecutionOptions;
}
