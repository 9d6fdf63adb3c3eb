/**
 * The agent of a node that was started by others: it finds the registry of node 0, whose name may not resolve yet and whose process may not listen yet,
 * starts a process whenever a solve needs one, and exits when the run has ended. If node 0 is lost, it waits for its replacement.
 */
import { hostname } from "node:os";
import { version } from "@stickslip/core";
import { codeOf } from "../../base/errors.js";
import type { ExitCode } from "../../cli/command.js";
import { HeartbeatMonitor } from "../../protocol/heartbeat-monitor.js";
import { hostPort } from "../../protocol/host-port.js";
import { type Keys, keysOf } from "../../protocol/keys.js";
import { addressOf } from "../../protocol/listen-address.js";
import { BEAT_MS, HUB_SILENCE_MS, REASON_MAX } from "../../protocol/messages.js";
import { ClientSocket } from "../../protocol/sockets.js";
import type { NodeIdentity } from "./node-identity.js";
import { NodeWorker } from "./node-worker.js";
import { isFromRegistry, type MessageFromRegistry, type MessageToRegistry } from "./registry-messages.js";

/** Delay between two attempts to connect. */
const PAUSE_MS = 250;
/** An address that does not answer for so long may belong to another host by now: the name is resolved again. */
const ANSWER_MS = 3000;
/** How long an orderly stop of the run may take when a scheduler ends this node. */
const ORDER_MS = 20_000;
const HOST_MAX = 300;

export interface NodeAgentOptions {
	readonly identity: NodeIdentity;
	/** A digest of what all nodes are to run. */
	readonly line: string;
	readonly secret: Uint8Array;
	/** How long to wait for the registry, at first or after it was lost. */
	readonly waitSeconds: number;
	/** A scheduler's SIGTERM. */
	readonly signal?: AbortSignal | undefined;
	/** Prints one line about a failure. */
	readonly print: (line: string) => void;
}

/** Resolves with the exit code of this node: 0 if the run has ended with an answer, 75 if a scheduler ends this node. */
export async function runNodeAgent(options: NodeAgentOptions): Promise<ExitCode> {
	return await new NodeAgent(options).run();
}

type Leave = { readonly code: ExitCode; readonly why?: string };

class NodeAgent {
	readonly #options: NodeAgentOptions;
	readonly #keys: Keys;
	readonly #worker: NodeWorker;
	#send: (message: MessageToRegistry) => void = () => {};
	/** Why the registry could not be reached at the last attempt. */
	#why = "";
	#lastReceived = performance.now();

	constructor(options: NodeAgentOptions) {
		this.#options = options;
		this.#keys = keysOf(options.secret);
		this.#worker = new NodeWorker(options.identity.node, (id, reason) => {
			this.#send({ kind: "ended", id, reason: reason.slice(0, REASON_MAX) });
		});
	}

	async run(): Promise<ExitCode> {
		const { waitSeconds, identity, print, signal } = this.#options;
		const { host, port } = identity;
		for (;;) {
			const address = await this.#find();
			const leave = address === undefined ? undefined : await this.#connect(address);
			if (leave !== undefined) {
				if (leave.why !== undefined) print(leave.why);
				// A process that has just been notified needs a moment to end.
				await this.#worker.end(leave.code === 0 ? ANSWER_MS : 0);
				return leave.code;
			}
			if (signal?.aborted) {
				await this.#worker.end(0);
				return 75;
			}
			if (performance.now() - this.#lastReceived > 1000 * waitSeconds) {
				await this.#worker.end(0);
				const why = this.#why === "" ? "" : ` (${this.#why})`;
				print(
					`node ${identity.node} received nothing from node 0 at ${hostPort(host, port)} for ${waitSeconds} s${why}`,
				);
				return 3;
			}
			await pause(PAUSE_MS, signal);
		}
	}

	async #find(): Promise<string | undefined> {
		const { host, port } = this.#options.identity;
		try {
			return `curve://${hostPort(await addressOf(host), port)}`;
		} catch (error) {
			const code = codeOf(error);
			this.#why = `the name ${host} does not resolve: ${code ?? String(error)}`;
			return undefined;
		}
	}

	/** One connection from join to end; undefined if the registry has to be found again. */
	async #connect(address: string): Promise<Leave | undefined> {
		const { signal, identity, line } = this.#options;
		const connection = new RegistryConnection(address, this.#keys);
		this.#send = connection.send;
		const join = () => {
			const { node, nodes } = identity;
			const host = hostname().slice(0, HOST_MAX);
			connection.send({
				kind: "join",
				version,
				line,
				node,
				nodes,
				host,
				pid: process.pid,
				running: this.#worker.running,
			});
		};
		join();
		const onAbort = () => this.#leaveInOrder(connection);
		if (signal?.aborted) onAbort();
		signal?.addEventListener("abort", onAbort);
		try {
			return await connection.during((message) => {
				this.#lastReceived = performance.now();
				if (message.kind === "again") join();
				else if (message.kind === "start") void this.#worker.start(message);
				else if (message.kind === "end" && message.id === this.#worker.running)
					void this.#worker.end(message.milliseconds);
				else if (message.kind === "refused") connection.leave({ code: 2, why: message.reason });
				// A run that was lost or stopped may continue when node 0 is started again.
				else if (message.kind === "over")
					connection.leave(message.more ? undefined : { code: message.code === 3 ? 3 : 0 });
			});
		} finally {
			signal?.removeEventListener("abort", onAbort);
			this.#why = connection.why;
			this.#send = () => {};
			await connection.close();
		}
	}

	/** Ends the run with a checkpoint, if possible, and then this node. */
	#leaveInOrder(connection: RegistryConnection): void {
		const leave = () => {
			connection.send({ kind: "leave" });
			connection.leave({ code: 75 });
		};
		if (this.#worker.running === "") leave();
		else {
			this.#worker.requestStop();
			void this.#worker.end(ORDER_MS).then(leave);
		}
	}
}

/** A connection to the registry of nodes. */
class RegistryConnection {
	why = "no answer";
	readonly #client: ClientSocket<MessageToRegistry, MessageFromRegistry>;
	readonly #heartbeats = new HeartbeatMonitor(performance.now(), undefined, HUB_SILENCE_MS);
	readonly #begun = performance.now();
	#hasReceived = false;
	#leave: (leave: Leave | undefined) => void = () => {};

	constructor(address: string, keys: Keys) {
		this.#client = new ClientSocket<MessageToRegistry, MessageFromRegistry>(address, keys, isFromRegistry, {
			gone: () => this.leave(undefined),
			refused: () => {
				this.why = "the process there has another STICKSLIP_KEY";
			},
		});
	}

	readonly send = (message: MessageToRegistry): void => this.#client.send(message);

	readonly leave = (leave: Leave | undefined): void => this.#leave(leave);

	async during(take: (message: MessageFromRegistry) => void): Promise<Leave | undefined> {
		const left = new Promise<Leave | undefined>((resolve) => {
			this.#leave = resolve;
		});
		void this.#client.listen((message) => {
			this.#hasReceived = true;
			this.why = "the connection to it was lost";
			this.#heartbeats.received(performance.now());
			take(message);
		});
		const timer = setInterval(() => {
			const now = performance.now();
			this.send({ kind: "beat" });
			const isSilent = this.#heartbeats.isLost(now);
			if (this.#hasReceived ? isSilent : now - this.#begun > ANSWER_MS) this.leave(undefined);
		}, BEAT_MS);
		try {
			return await left;
		} finally {
			clearInterval(timer);
		}
	}

	close(): Promise<void> {
		return this.#client.close();
	}
}

/** Ends early when this node is asked to end. */
function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
	return new Promise((resolve) => {
		const over = () => {
			clearTimeout(timer);
			signal?.removeEventListener("abort", over);
			resolve();
		};
		const timer = setTimeout(over, milliseconds);
		signal?.addEventListener("abort", over);
	});
}
