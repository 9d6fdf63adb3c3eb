/**
 * The desk of node 0: it knows which nodes are there, has them start their processes when a solve gathers them, and tells the solve which of
 * them are lost. Sockets and clocks are elsewhere (serve.ts); this is told what happened, in any order.
 */
import { version } from "@stickslip/core";
import { HUB_SILENCE_MS, REMOTE_SILENCE_MS, type Send } from "../../ranks/messages.js";
import { Silence } from "../../ranks/silence.js";
import type { FromDesk, ToDesk } from "./talk.js";

interface Guest {
	readonly node: number;
	readonly identity: string;
	readonly host: string;
	readonly pid: number;
	readonly silence: Silence;
	/** The solve that it was started for and has not ended, or empty. */
	running: string;
}

type Join = Extract<ToDesk, { kind: "join" }>;
type Gather = Extract<ToDesk, { kind: "gather" }>;

interface Solve extends Gather {
	readonly identity: string;
	readonly silence: Silence;
	/** Somebody was lost, or all is done: nobody is started for it any more. */
	isOver: boolean;
	isDispersed: boolean;
}

export interface DeskOptions {
	readonly nodes: number;
	/** A digest of what all nodes are to run. */
	readonly line: string;
	readonly send: (identity: string) => Send<FromDesk>;
	/** Milliseconds on a clock that only goes forward. */
	readonly now: () => number;
	/** A word about nodes that are turned away. */
	readonly told?: (line: string) => void;
	/** A node that the run needs is another's: without it the run cannot begin. */
	readonly refused?: () => void;
}

export class Desk {
	/** Messages that made no sense where they came. */
	dropped = 0;
	readonly #options: DeskOptions;
	readonly #byNode = new Map<number, Guest>();
	#solve: Solve | undefined;
	#over: Extract<FromDesk, { kind: "over" }> | undefined;

	constructor(options: DeskOptions) {
		this.#options = options;
	}

	/** Nodes that have not come. */
	get missing(): number[] {
		return Array.from({ length: this.#options.nodes }, (_, node) => node).filter((node) => !this.#byNode.has(node));
	}

	/** A message that carries the run's key. */
	take(identity: string, message: ToDesk): void {
		if (message.kind === "join") this.#join(identity, message);
		else if (message.kind === "gather") this.#gather(identity, message);
		else this.#other(identity, message);
	}

	#other(identity: string, message: Exclude<ToDesk, Join | Gather>): void {
		const solve = this.#solve?.identity === identity ? this.#solve : undefined;
		const guest = [...this.#byNode.values()].find((each) => each.identity === identity);
		const now = this.#options.now();
		solve?.silence.broken(now);
		guest?.silence.broken(now);
		if (guest) this.#heard(guest, message);
		else if (solve) this.#asked(solve, message);
		else {
			this.dropped += 1;
			this.#options.send(identity)({ kind: "again" });
		}
	}

	/** Signs of life go out, and nodes without one are lost. To be called regularly. */
	beat(): void {
		const now = this.#options.now();
		for (const guest of this.#byNode.values()) {
			this.#options.send(guest.identity)({ kind: "beat" });
			if (!guest.silence.isTooLong(now)) continue;
			this.#byNode.delete(guest.node);
			this.#ended(guest, `was lost (no sign of life for ${REMOTE_SILENCE_MS / 1000} s)`);
		}
		const solve = this.#solve;
		if (solve === undefined) return;
		this.#options.send(solve.identity)({ kind: "beat" });
		// The line was killed; whoever runs it again says so.
		if (solve.silence.isTooLong(now)) this.#disperse(solve, 0);
	}

	/** The run has ended with this code; `more` where somebody may start node 0 again. */
	over(code: number, more: boolean): void {
		this.#over = { kind: "over", code, more };
		for (const { identity } of this.#byNode.values()) this.#options.send(identity)(this.#over);
	}

	#join(identity: string, join: Join): void {
		const { node, host, pid, running } = join;
		const who = `node ${node} (${host})`;
		const wrong = this.#wrongIn(join, who);
		if (wrong !== undefined) {
			this.#options.told?.(wrong);
			this.#options.send(identity)({ kind: "refused", reason: wrong });
			// Where that node is there already, a stranger more does not disturb the run.
			if (this.missing.includes(node)) this.#options.refused?.();
			return;
		}
		const before = this.#byNode.get(node);
		const silence = new Silence(this.#options.now(), undefined, REMOTE_SILENCE_MS);
		const isSame = before !== undefined && before.pid === pid && before.host === host;
		const guest: Guest = { node, identity, host, pid, silence, running: before?.running ?? "" };
		this.#byNode.set(node, guest);
		if (before !== undefined && before.identity !== identity && !isSame) {
			this.#options.send(before.identity)({ kind: "refused", reason: `another process came as ${who}` });
		}
		this.#options.send(identity)({ kind: "welcome" });
		if (this.#over) this.#options.send(identity)(this.#over);
		// A connection may break and be made again without harm to the process beside it.
		if (guest.running !== "" && (!isSame || running !== guest.running)) this.#ended(guest, "was lost (it came again)");
		this.#start(guest);
	}

	#wrongIn(join: Join, who: string): string | undefined {
		const { nodes, line } = this.#options;
		if (join.version !== version) return `${who} runs version ${join.version} and node 0 ${version}`;
		if (join.nodes !== nodes) return `${who} counts ${join.nodes} nodes and node 0 ${nodes}`;
		if (join.line !== line) return `${who} has another line than node 0: all nodes need the same words behind the --`;
		return join.node < nodes ? undefined : `there is no ${who} among ${nodes} nodes`;
	}

	#gather(identity: string, gather: Gather): void {
		const silence = new Silence(this.#options.now(), undefined, HUB_SILENCE_MS);
		this.#solve = { ...gather, identity, silence, isOver: false, isDispersed: false };
		for (const guest of this.#byNode.values()) this.#start(guest);
	}

	/** What a node works for belongs to a solve before this one, if it is not this one: the node ends it first. */
	#start(guest: Guest): void {
		const solve = this.#solve;
		if (solve === undefined || solve.isOver || guest.running === solve.id) return;
		guest.running = solve.id;
		const { id, hub, secret } = solve;
		this.#options.send(guest.identity)({ kind: "start", id, hub, secret });
	}

	#heard(guest: Guest, message: Exclude<ToDesk, Join | Gather>): void {
		if (message.kind === "beat") return;
		if (message.kind === "leave") {
			this.#byNode.delete(guest.node);
			this.#ended(guest, "was lost (its node was ended)");
		} else if (message.kind === "ended" && message.id === guest.running) this.#ended(guest, message.reason);
		else this.dropped += 1;
	}

	#asked(solve: Solve, message: Exclude<ToDesk, Join | Gather>): void {
		if (message.kind === "beat") return;
		const isIts = "id" in message && message.id === solve.id;
		if (message.kind === "disperse" && isIts) this.#disperse(solve, message.milliseconds);
		else if (message.kind === "kill" && isIts) {
			const guest = this.#byNode.get(message.node);
			if (guest?.running === solve.id)
				this.#options.send(guest.identity)({ kind: "end", id: solve.id, milliseconds: 0 });
		} else this.dropped += 1;
	}

	/** A node's process is no more; an empty reason means that it had no more to do. */
	#ended(guest: Guest, reason: string): void {
		const id = guest.running;
		guest.running = "";
		const solve = this.#solve;
		if (solve === undefined || id !== solve.id) return;
		if (solve.isDispersed) this.#tellGone(solve);
		else if (reason !== "") {
			solve.isOver = true;
			this.#options.send(solve.identity)({ kind: "lost", id, node: guest.node, reason });
		}
	}

	#disperse(solve: Solve, milliseconds: number): void {
		solve.isOver = true;
		solve.isDispersed = true;
		for (const { identity, running } of this.#byNode.values()) {
			if (running === solve.id) this.#options.send(identity)({ kind: "end", id: solve.id, milliseconds });
		}
		this.#tellGone(solve);
	}

	#tellGone(solve: Solve): void {
		if ([...this.#byNode.values()].some(({ running }) => running === solve.id)) return;
		this.#options.send(solve.identity)({ kind: "gone", id: solve.id });
		this.#solve = undefined;
	}
}
