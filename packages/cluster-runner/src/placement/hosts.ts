/** Host names as people list them: a,b,c on the line, or a file with one per line as Open MPI's and MPICH's host files are. */
import { closeSync, openSync, readSync } from "node:fs";
import { isIPv6 } from "node:net";
import { InputError } from "@stickslip/core";
import { type Check, integer, optional, record } from "@stickslip/core/schema";
import { unreadable } from "../base/errors.js";
import { RANKS_MAX } from "../protocol/messages.js";

export interface Host {
	readonly name: string;
	/** How many ranks it takes, where the file says so. */
	readonly slots?: number;
}

/** `a,b,c`, each perhaps as user@host. */
export function hostsIn(list: string): Host[] {
	const names = list.split(",").map((name) => name.trim());
	return checked(
		"--host",
		names.filter((name) => name !== "").map((name) => hostOf("--host", name)),
	);
}

/** One host per line: a name, then `slots=N` (Open MPI) or `name:N` (MPICH); `#` begins a comment. */
export function readHosts(file: string): Host[] {
	let text: string;
	try {
		text = textOf(file);
	} catch (error) {
		if (error instanceof InputError) throw error;
		throw unreadable(file, error, "name a file with one host per line");
	}
	const lines = text.split(/\r?\n/).map((line) => line.replace(/#.*/, "").trim());
	return checked(
		file,
		lines.filter((line) => line !== "").map((line) => hostOf(file, line)),
	);
}

/** Far more than a list of hosts needs. */
const BYTES_MAX = 2 ** 20;

/** A pipe has no size that could be checked before. */
function textOf(file: string): string {
	const descriptor = openSync(file, "r");
	try {
		const bytes = Buffer.alloc(BYTES_MAX + 1);
		let length = 0;
		for (let got = -1; got !== 0 && length <= BYTES_MAX; length += got) {
			got = readSync(descriptor, bytes, length, bytes.length - length, null);
		}
		if (length <= BYTES_MAX) return bytes.toString("utf8", 0, length);
	} finally {
		closeSync(descriptor);
	}
	throw new InputError(file, "file", `has more than ${BYTES_MAX} bytes`, "name a file with one host per line");
}

/** Programs take a word that begins with a dash for an option, and other characters mean something to the shell. */
const namePattern = /^[A-Za-z0-9_][A-Za-z0-9_.%@-]*$/;
/** Before an address of IPv6. */
const user = /^\w[\w.-]*@/;

function isName(name: unknown): name is string {
	return typeof name === "string" && (namePattern.test(name) || isIPv6(name.replace(user, "")));
}

/** Of a file. */
export const isHost: Check<Host> = record({ name: isName, slots: optional(integer(1, RANKS_MAX)) });

function hostOf(source: string, text: string): Host {
	const [first = "", ...others] = text.split(/\s+/);
	const { name, count } = nameIn(first);
	const given = others.map((word) => /^(?:max[-_])?slots=(\d+)$/.exec(word));
	const slots = count ?? given.find((found) => found !== null)?.[1];
	if (!isName(name) || given.includes(null)) {
		throw new InputError(
			source,
			"hosts",
			`"${text}" is not a host name`,
			"write one host per line, e.g. node1 slots=4",
		);
	}
	if (slots === undefined) return { name };
	if (Number(slots) >= 1 && Number(slots) <= RANKS_MAX) return { name, slots: Number(slots) };
	throw new InputError(source, name, `has ${slots} slots`, `give from 1 to ${RANKS_MAX}`);
}

/** The name without the number of slots. An IPv6 address may be in brackets, and must be before a number. */
function nameIn(text: string): { readonly name: string; readonly count?: string | undefined } {
	const [, who = "", address = "", count] = /^(\w[\w.-]*@)?\[([\da-f.:]+)\](?::(\d+))?$/i.exec(text) ?? [];
	if (address !== "") return { name: who + address, count };
	if (isIPv6(text.replace(user, ""))) return { name: text };
	const [, name = text, slots] = /^(.+?):(\d+)$/.exec(text) ?? [];
	return { name, count: slots };
}

function checked(source: string, hosts: readonly Host[]): Host[] {
	if (hosts.length === 0) throw new InputError(source, "hosts", "names no host", "name at least one");
	if (hosts.length > RANKS_MAX)
		throw new InputError(source, "hosts", `${hosts.length} are too many hosts`, `${RANKS_MAX} are the most`);
	return [...hosts];
}
