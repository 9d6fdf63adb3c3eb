/** The file that the service writes for a client: where it listens, and what lets the client in (docs/protocol.md). */
import { readFileSync } from "node:fs";
import { InputError } from "@stickslip/core";
import { type Checked, firstWrong, optional, record, text } from "@stickslip/core/schema";

const FIELD_MAX = 10_000;
const line = text(FIELD_MAX);

const isConnectionFile = record({
	name: optional(line),
	zeromq: optional(line),
	serviceKey: optional(line),
	publicKey: optional(line),
	secretKey: optional(line),
	token: line,
	websocket: optional(line),
	local: optional(line),
});

/** Either `zeromq` with the three keys, or `websocket`, or both. */
export type ConnectionDetails = Checked<typeof isConnectionFile>;

const REMEDY = "give the connection file that the service wrote for this client";

export function readConnectionFile(path: string): ConnectionDetails {
	let contents: string;
	try {
		contents = readFileSync(path, "utf8");
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		if (code === "ENOENT") throw new InputError(path, "", "does not exist", REMEDY);
		throw new InputError(path, "file", `cannot be read (${code})`, REMEDY);
	}
	let details: unknown;
	try {
		details = JSON.parse(contents);
	} catch {
		throw new InputError(path, "file", "is not JSON", REMEDY);
	}
	return checkDetails(details, path);
}

export function checkDetails(details: unknown, source: string): ConnectionDetails {
	if (isConnectionFile(details)) return details;
	const wrong = firstWrong(details, isConnectionFile) ?? { name: "", problem: "is not a connection file" };
	throw new InputError(source, wrong.name || "file", wrong.problem, REMEDY);
}
