/**
 * A node that comes by itself: it finds the desk of node 0, by a name that may not be known yet and a process that may not listen yet, starts
 * a process whenever a solve wants one, and leaves when the run is over. Where node 0 is gone it waits for another to come in its place.
 */
import { hostname } from "node:os";
import { version } from "@stickslip/core";
import type { ExitCode } from "../../command.js";
import { type Keys, keysOf } from "../../ranks/keys.js";
import { BEAT_MS, HUB_SILENCE_MS, REASON_MAX } from "../../ranks/messages.js";
import { Silence } from "../../ranks/silence.js";
import { Mouth } from "../../ranks/sockets.js";
import { addressOf } from "./addresses.js";
import { Hand } from "./hand.js";
import { hostPort } from "./host-port.js";
import type { Station } from "./station.js";
import { type FromDesk, isFromDesk, type ToDesk } from "./talk.js";

/** Between two attempts to find the desk. */
const PAUSE_MS = 250;
/** An address that does not answer for so long may be another host's by now: its name is looked up again. */
const ANSWER_MS = 3000;
/** How long a run may take to end in good order when a scheduler ends this node. */
const ORDER_MS = 20_000;
const HOST_MAX = 300;

export interface AttendOptions {
	readonly station: Station;
	/** A digest of what all nodes are to run. */
	readonly line: string;
	readonly secret: Uint8Array;
	/** How long the desk may be silent, before it is heard first or after it was lost. */
	readonly waitSeconds: number;
	/** A scheduler's SIGTERM. */
	readonly signal?: AbortSignal | undefined;
	/** One line that says what went wrong. */
	readonly told: (line: string) => void;
}

/** Resolves with the exit code of this node: 0 where the run is over with an answer, 75 where a scheduler ends this node. */
export async function attend(options: AttendOptions): Promise<ExitCode> {
	return await new Attendant(options).run();
}

type Leave = { readonly code: ExitCode; readonly why?: string };

class Attendant {
	readonly #options: AttendOptions;
	readonly #keys: Keys;
	readonly #hand: Hand;
	#send: (message: ToDesk) => void = () => {};
	/** Why the desk could not be reached when it was last tried. */
	#why = "";
	#heard = performance.now();

	constructor(options: AttendOptions) {
		this.#options = options;
		this.#keys = keysOf(options.secret);
		this.#hand = new Hand(options.station.node, (id, reason) => {
			this.#send({ kind: "ended", id, reason: reason.slice(0, REASON_MAX) });
		});
	}

	async run(): Promise<ExitCode> {
		const { waitSeconds, station, told, signal } = this.#options;
		const { host, port } = station;
		for (;;) {
			const address = await this.#find();
			const leave = address === undefined ? undefined : await this.#visit(address);
			if (leave !== undefined) {
				if (leave.why !== undefined) told(leave.why);
				// Whoever has just heard that it is to end needs a moment.
				await this.#hand.end(leave.code === 0 ? ANSWER_MS : 0);
				return leave.code;
			}
			if (signal?.aborted) {
				await this.#hand.end(0);
				return 75;
			}
			if (performance.now() - this.#heard > 1000 * waitSeconds) {
				await this.#hand.end(0);
				const why = this.#why === "" ? "" : ` (${this.#why})`;
				told(`node ${station.node} heard nothing of node 0 at ${hostPort(host, port)} for ${waitSeconds} s${why}`);
				return 3;
			}
			await pause(PAUSE_MS, signal);
		}
	}

	async #find(): Promise<string | undefined> {
		const { host, port } = this.#options.station;
		try {
			return `curve://${hostPort(await addressOf(host), port)}`;
		} catch (error) {
			const { code } = error as NodeJS.ErrnoException;
			this.#why = `the name ${host} is not known: ${code ?? String(error)}`;
			return undefined;
		}
	}

	/** From the first word to the last; undefined where the desk has to be found again. */
	async #visit(address: string): Promise<Leave | undefined> {
		const { signal, station, line } = this.#options;
		const visit = new Visit(address, this.#keys);
		this.#send = visit.send;
		const join = () => {
			const { node, nodes } = station;
			const host = hostname().slice(0, HOST_MAX);
			visit.send({ kind: "join", version, line, node, nodes, host, pid: process.pid, running: this.#hand.running });
		};
		join();
		const asked = () => this.#leaveInOrder(visit);
		if (signal?.aborted) asked();
		signal?.addEventListener("abort", asked);
		try {
			return await visit.during((message) => {
				this.#heard = performance.now();
				if (message.kind === "again") join();
				else if (message.kind === "start") void this.#hand.start(message);
				else if (message.kind === "end" && message.id === this.#hand.running) void this.#hand.end(message.milliseconds);
				else if (message.kind === "refused") visit.leave({ code: 2, why: message.reason });
				// A run that was lost or stopped may go on when node 0 comes again.
				else if (message.kind === "over") visit.leave(message.more ? undefined : { code: message.code === 3 ? 3 : 0 });
			});
		} finally {
			signal?.removeEventListener("abort", asked);
			this.#why = visit.why;
			this.#send = () => {};
			await visit.close();
		}
	}

	/** The run ends with a checkpoint, if it can, and this node after it. */
	#leaveInOrder(visit: Visit): void {
		const leave = () => {
			visit.send({ kind: "leave" });
			visit.leave({ code: 75 });
		};
		if (this.#hand.running === "") leave();
		else {
			this.#hand.ask();
			void this.#hand.end(ORDER_MS).then(leave);
		}
	}
}

/** One connection to the desk. */
class Visit {
	why = "nobody answers";
	readonly #mouth: Mouth<ToDesk, FromDesk>;
	readonly #silence = new Silence(performance.now(), undefined, HUB_SILENCE_MS);
	readonly #begun = performance.now();
	#isHeard = false;
	#leave: (leave: Leave | undefined) => void = () => {};

	constructor(address: string, keys: Keys) {
		this.#mouth = new Mouth<ToDesk, FromDesk>(address, keys, isFromDesk, {
			gone: () => this.leave(undefined),
			refused: () => {
				this.why = "whoever answers there has another STICKSLIP_KEY";
			},
		});
	}

	readonly send = (message: ToDesk): void => this.#mouth.send(message);

	readonly leave = (leave: Leave | undefined): void => this.#leave(leave);

	async during(take: (message: FromDesk) => void): Promise<Leave | undefined> {
		const left = new Promise<Leave | undefined>((resolve) => {
			this.#leave = resolve;
		});
		void this.#mouth.listen((message) => {
			this.#isHeard = true;
			this.why = "it was heard, and is gone";
			this.#silence.broken(performance.now());
			take(message);
		});
		const timer = setInterval(() => {
			const now = performance.now();
			this.send({ kind: "beat" });
			const isSilent = this.#silence.isTooLong(now);
			if (this.#isHeard ? isSilent : now - this.#begun > ANSWER_MS) this.leave(undefined);
		}, BEAT_MS);
		try {
			return await left;
		} finally {
			clearInterval(timer);
		}
	}

	close(): Promise<void> {
		return this.#mouth.close();
	}
}

/** Ends early when somebody asks this node to end. */
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
