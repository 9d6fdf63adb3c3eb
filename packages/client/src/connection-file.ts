/** The file that the service writes for a client: where it listens, and what lets the client in (docs/protocol.md). */
import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { InputError } from "@stickslip/core";
import { parseJson } from "@stickslip/core/json";
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
const OTHERS = 0o007;
const GROUP = 0o070;

/** Throws an InputError for a file that is none, or that others may read: whoever has what is in it is this client. */
export function readConnectionFile(path: string): ConnectionDetails {
	let contents: string;
	try {
		contents = readPrivate(path);
	} catch (error) {
		if (error instanceof InputError) throw error;
		const { code } = error as NodeJS.ErrnoException;
		if (code === "ENOENT") throw new InputError(path, "", "does not exist", REMEDY);
		throw new InputError(path, "file", `cannot be read (${code})`, REMEDY);
	}
	return checkDetails(parseJson(contents, path, { remedy: REMEDY }), path);
}

function readPrivate(path: string): string {
	const file = openSync(path, "r");
	try {
		const { mode, uid } = fstatSync(file);
		const isOwn = uid === process.geteuid?.();
		// A file of another user may be shared with a group, as those of a Secret in a pod are.
		if (process.platform === "win32" || (mode & (isOwn ? OTHERS | GROUP : OTHERS)) === 0)
			return readFileSync(file, "utf8");
	} finally {
		closeSync(file);
	}
	const remedy = `chmod 600 ${path}; if others have read it, remove it and let the service write another (--client)`;
	throw new InputError(path, "file", "is accessible to other users", remedy);
}

export function checkDetails(details: unknown, source: string): ConnectionDetails {
	if (isConnectionFile(details)) return details;
	const wrong = firstWrong(details, isConnectionFile) ?? { name: "", problem: "is not a connection file" };
	throw new InputError(source, wrong.name || "file", wrong.problem, REMEDY);
}
