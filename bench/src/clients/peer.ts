/** The clients of the bench: processes that make a request when they are told to, and say how long it took. */
import { spawnSync } from "node:child_process";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type Bed, findPython, noPython, type Running } from "../testing.js";

/** Found from dist/, where this file runs, and from src/ alike. */
const sources = fileURLToPath(new URL("../../src/clients/", import.meta.url));
const clients = fileURLToPath(new URL("../../../clients/", import.meta.url));

/** whole: a problem as it comes; values: new W and q for a prepared pattern; q: a new q alone. */
export const KINDS = ["whole", "values", "q"] as const;
export type Kind = (typeof KINDS)[number];

export interface Timed {
	readonly seconds: number;
	readonly hash: string;
}

export class Peer {
	readonly language: string;
	readonly #running: Running;
	readonly #lines: AsyncIterator<string>;

	private constructor(language: string, running: Running) {
		this.language = language;
		this.#running = running;
		this.#lines = createInterface({ input: running.child.stdout! })[Symbol.asyncIterator]();
	}

	static async start(language: string, running: Running): Promise<Peer> {
		const peer = new Peer(language, running);
		await peer.#next();
		return peer;
	}

	async solve(kind: Kind): Promise<Timed> {
		this.#running.child.stdin!.write(`${kind}\n`);
		return (await this.#next()) as Timed;
	}

	async #next(): Promise<unknown> {
		const { value, done } = await this.#lines.next();
		if (done) throw new Error(`the client in ${this.language} has ended: ${this.#running.err()}`);
		return JSON.parse(value);
	}
}

const pythonModules = ["numpy", "scipy", "zmq", "msgpack"];

/** Why there is no client in this language on this machine. */
export const lacking: Readonly<Record<string, () => string | undefined>> = {
	python: () => noPython(...pythonModules),
	c: () => {
		const { error, status } = spawnSync("gcc", ["-E", "-include", "zmq.h", "-x", "c", "/dev/null"]);
		return error !== undefined || status !== 0 ? "apt install gcc libzmq3-dev" : undefined;
	},
};

/** Takes a connection file and the folder of the problem. */
export async function startPeer(language: string, bed: Bed, words: readonly string[]): Promise<Peer> {
	const how = { input: "open" } as const;
	if (language === "python") {
		const path = [join(clients, "python", "src"), process.env.PYTHONPATH].filter(Boolean).join(delimiter);
		const env = { PYTHONPATH: path, PYTHONDONTWRITEBYTECODE: "1" };
		const python = findPython(...pythonModules) ?? "python3";
		return await Peer.start(language, bed.start(python, [join(sources, "client.py"), ...words], { ...how, env }));
	}
	const program = join(bed.folder, "client");
	const source = [join(sources, "client.c"), join(clients, "c", "stickslip.c"), `-I${join(clients, "c")}`];
	await bed.run("gcc", ["-O2", "-o", program, ...source, "-lzmq", "-lm"]);
	return await Peer.start(language, bed.start(program, words, how));
}
