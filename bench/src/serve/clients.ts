/** Client processes of the three languages, as many at once as wanted. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Bed, findPython, type Running } from "../testing.js";

/** What came of the requests of one client. */
export interface ClientCounts {
	readonly sent: number;
	readonly right: number;
	readonly wrong: number;
	readonly failed: number;
}

export interface ClientTask {
	/** The connection file. */
	readonly connection: string;
	/** The file of problems. */
	readonly problems: string;
	readonly requests: number;
	readonly seconds: number;
	readonly underWay: number;
}

/** How a client is started, but for what it is to do. */
export interface ClientKind {
	readonly name: string;
	readonly words: readonly string[];
	/** At the end of its words. */
	readonly last?: string;
	readonly env?: Readonly<Record<string, string>>;
}

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
/** The sources are where this file is compiled from. */
const source = (name: string) => here(`../../src/serve/${name}`);
const repository = here("../../..");
const script = here("../../dist/serve/client.js");

/** What there is here of the kinds of clients, and why others are not. */
export function clientKinds(bed: Bed): { readonly kinds: readonly ClientKind[]; readonly absent: readonly string[] } {
	const kinds: ClientKind[] = [
		{ name: "TypeScript, ZeroMQ", words: [process.execPath, script], last: "local" },
		{ name: "TypeScript, ZeroMQ with CURVE", words: [process.execPath, script], last: "curve" },
		{ name: "TypeScript, WebSocket", words: [process.execPath, script], last: "websocket" },
	];
	const absent: string[] = [];
	const python = findPython("numpy", "zmq", "msgpack");
	if (python === undefined) absent.push("no Python clients: apt install python3-numpy python3-zmq python3-msgpack");
	else {
		const env = { PYTHONPATH: join(repository, "clients/python/src"), PYTHONDONTWRITEBYTECODE: "1" };
		kinds.push({ name: "Python", words: [python, source("client.py")], env });
	}
	const program = join(bed.folder, "client");
	const library = join(repository, "clients/c");
	const files = [source("client.c"), join(library, "stickslip.c")];
	const { status } = spawnSync("gcc", ["-O2", `-I${library}`, "-o", program, ...files, "-lzmq", "-lm"]);
	if (status === 0) kinds.push({ name: "C", words: [program] });
	else absent.push("no C clients: apt install gcc libzmq3-dev");
	return { kinds, absent };
}

export function startClient(bed: Bed, { words, last, env }: ClientKind, task: ClientTask): Running {
	const { connection, problems, requests, seconds, underWay } = task;
	const [first = "", ...rest] = words;
	const numbers = [requests, seconds, underWay].map(String);
	const all = [...rest, connection, problems, ...numbers, ...(last === undefined ? [] : [last])];
	return bed.start(first, all, { ...(env && { env }) });
}

/** What it has printed at its end; one that has not come so far answered nothing right. */
export async function countsOf({ ended }: Running): Promise<ClientCounts & { readonly err: string }> {
	const { code, signal, out, err } = await ended;
	if (code === 0) return { ...(JSON.parse(out) as ClientCounts), err };
	return { sent: 0, right: 0, wrong: 0, failed: 0, err: `${signal ?? `exit code ${code}`}: ${err.trim()}` };
}
