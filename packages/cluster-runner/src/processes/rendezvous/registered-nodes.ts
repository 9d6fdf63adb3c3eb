/**
 * The registry of node 0: it knows which nodes have joined, has them start their processes when a solve needs them, and reports to the
 * solve which of them are lost. Sockets and clocks are elsewhere (registry-server.ts); this handles events in any order.
 */
import { version } from "@stickslip/core";
import { HeartbeatMonitor } from "../../protocol/heartbeat-monitor.js";
import { HUB_SILENCE_MS, REMOTE_SILENCE_MS, type Send } from "../../protocol/messages.js";
import type { MessageFromRegistry, MessageToRegistry } from "./registry-messages.js";

interface RegisteredNode {
	readonly node: number;
	readonly identity: string;
	readonly host: string;
	readonly pid: number;
	readonly heartbeats: HeartbeatMonitor;
	/** The solve that its process works for, or empty. */
	running: string;
}

type Join = Extract<MessageToRegistry, { kind: "join" }>;
type Gather = Extract<MessageToRegistry, { kind: "gather" }>;

interface Solve extends Gather {
	readonly identity: string;
	readonly heartbeats: HeartbeatMonitor;
	/** A node was lost, or the solve has ended: no process is started for it any more. */
	hasEnded: boolean;
	isDispersed: boolean;
}

export interface RegistryOptions {
	readonly nodes: number;
	/** A digest of what all nodes are to run. */
	readonly line: string;
	readonly send: (identity: string) => Send<MessageFromRegistry>;
	/** Milliseconds on a clock that only goes forward. */
	readonly now: () => number;
	/** Prints a line about nodes that are refused. */
	readonly print?: (line: string) => void;
	/** Called when a node that the run needs is refused: without it the run cannot begin. */
	readonly onRefused?: () => void;
}

export class NodeRegistry {
	/** Messages that were not valid in the state they arrived in. */
	dropped = 0;
	readonly #options: RegistryOptions;
	readonly #byNode = new Map<number, RegisteredNode>();
	/** Reasons of refusals that were printed: a node asks again until it has an answer. */
	readonly #refusals = new Set<string>();
	#solve: Solve | undefined;
	#over: Extract<MessageFromRegistry, { kind: "over" }> | undefined;

	constructor(options: RegistryOptions) {
		this.#options = options;
	}

	/** Nodes that have not joined. */
	get missing(): number[] {
		return Array.from({ length: this.#options.nodes }, (_, node) => node).filter((node) => !this.#byNode.has(node));
	}

	/** A message that carries the run's key. */
	take(identity: string, message: MessageToRegistry): void {
		if (message.kind === "join") this.#join(identity, message);
		else if (message.kind === "gather") this.#gather(identity, message);
		else this.#other(identity, message);
	}

	#other(identity: string, message: Exclude<MessageToRegistry, Join | Gather>): void {
		const solve = this.#solve?.identity === identity ? this.#solve : undefined;
		const registered = [...this.#byNode.values()].find((each) => each.identity === identity);
		const now = this.#options.now();
		solve?.heartbeats.received(now);
		registered?.heartbeats.received(now);
		if (registered) this.#fromNode(registered, message);
		else if (solve) this.#fromSolve(solve, message);
		else {
			this.dropped += 1;
			this.#options.send(identity)({ kind: "again" });
		}
	}

	/** Sends heartbeats, and declares nodes without one lost. To be called regularly. */
	beat(): void {
		const now = this.#options.now();
		for (const registered of this.#byNode.values()) {
			this.#options.send(registered.identity)({ kind: "beat" });
			if (!registered.heartbeats.isLost(now)) continue;
			this.#byNode.delete(registered.node);
			this.#ended(registered, `was lost (no heartbeat for ${REMOTE_SILENCE_MS / 1000} s)`);
		}
		const solve = this.#solve;
		if (solve === undefined) return;
		this.#options.send(solve.identity)({ kind: "beat" });
		// The line's process was killed; when it is started again it sends a new request.
		if (solve.heartbeats.isLost(now)) this.#disperse(solve, 0);
	}

	/** The run has ended with this code; `more` if node 0 may be started again. */
	over(code: number, more: boolean): void {
		this.#over = { kind: "over", code, more };
		for (const { identity } of this.#byNode.values()) this.#options.send(identity)(this.#over);
	}

	#join(identity: string, join: Join): void {
		const { node, host, pid, running } = join;
		const who = `node ${node} (${host})`;
		const wrong = this.#wrongIn(join, who);
		if (wrong !== undefined) {
			if (!this.#refusals.has(wrong)) this.#options.print?.(wrong);
			this.#refusals.add(wrong);
			this.#options.send(identity)({ kind: "refused", reason: wrong });
			// If that node has joined already, the refused one does not affect the run.
			if (this.missing.includes(node)) this.#options.onRefused?.();
			return;
		}
		const before = this.#byNode.get(node);
		const heartbeats = new HeartbeatMonitor(this.#options.now(), undefined, REMOTE_SILENCE_MS);
		const isSame = before !== undefined && before.pid === pid && before.host === host;
		const registered: RegisteredNode = { node, identity, host, pid, heartbeats, running: before?.running ?? "" };
		this.#byNode.set(node, registered);
		if (before !== undefined && before.identity !== identity && !isSame) {
			this.#options.send(before.identity)({ kind: "refused", reason: `another process joined as ${who}` });
		}
		this.#options.send(identity)({ kind: "welcome" });
		if (this.#over) this.#options.send(identity)(this.#over);
		// A connection may break and be made again without affecting the node's process.
		if (registered.running !== "" && (!isSame || running !== registered.running))
			this.#ended(registered, "was lost (it was started again)");
		this.#start(registered);
	}

	#wrongIn(join: Join, who: string): string | undefined {
		const { nodes, line } = this.#options;
		if (join.version !== version) return `${who} runs version ${join.version} and node 0 ${version}`;
		if (join.nodes !== nodes) return `${who} counts ${join.nodes} nodes and node 0 ${nodes}`;
		if (join.line !== line) return `${who} has another command than node 0: all nodes need the same one after --`;
		return join.node < nodes ? undefined : `there is no ${who} among ${nodes} nodes`;
	}

	#gather(identity: string, gather: Gather): void {
		const heartbeats = new HeartbeatMonitor(this.#options.now(), undefined, HUB_SILENCE_MS);
		this.#solve = { ...gather, identity, heartbeats, hasEnded: false, isDispersed: false };
		for (const registered of this.#byNode.values()) this.#start(registered);
	}

	/** A node that still works for an earlier solve ends that first. */
	#start(registered: RegisteredNode): void {
		const solve = this.#solve;
		if (solve === undefined || solve.hasEnded || registered.running === solve.id) return;
		registered.running = solve.id;
		const { id, hub, secret } = solve;
		this.#options.send(registered.identity)({ kind: "start", id, hub, secret });
	}

	#fromNode(registered: RegisteredNode, message: Exclude<MessageToRegistry, Join | Gather>): void {
		if (message.kind === "beat") return;
		if (message.kind === "leave") {
			this.#byNode.delete(registered.node);
			this.#ended(registered, "was lost (its node was ended)");
		} else if (message.kind === "ended" && message.id === registered.running) this.#ended(registered, message.reason);
		else this.dropped += 1;
	}

	#fromSolve(solve: Solve, message: Exclude<MessageToRegistry, Join | Gather>): void {
		if (message.kind === "beat") return;
		const isOwn = "id" in message && message.id === solve.id;
		if (message.kind === "disperse" && isOwn) this.#disperse(solve, message.milliseconds);
		else if (message.kind === "kill" && isOwn) {
			const registered = this.#byNode.get(message.node);
			if (registered?.running === solve.id)
				this.#options.send(registered.identity)({ kind: "end", id: solve.id, milliseconds: 0 });
		} else this.dropped += 1;
	}

	/** A node's process has ended; an empty reason means that it had finished. */
	#ended(registered: RegisteredNode, reason: string): void {
		const id = registered.running;
		registered.running = "";
		const solve = this.#solve;
		if (solve === undefined || id !== solve.id) return;
		if (solve.isDispersed) this.#reportDispersed(solve);
		else if (reason !== "") {
			solve.hasEnded = true;
			this.#options.send(solve.identity)({ kind: "lost", id, node: registered.node, reason });
		}
	}

	#disperse(solve: Solve, milliseconds: number): void {
		solve.hasEnded = true;
		solve.isDispersed = true;
		for (const { identity, running } of this.#byNode.values()) {
			if (running === solve.id) this.#options.send(identity)({ kind: "end", id: solve.id, milliseconds });
		}
		this.#reportDispersed(solve);
	}

	#reportDispersed(solve: Solve): void {
		if ([...this.#byNode.values()].some(({ running }) => running === solve.id)) return;
		this.#options.send(solve.identity)({ kind: "gone", id: solve.id });
		this.#solve = undefined;
	}
}
