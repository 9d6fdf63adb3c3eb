/** The session of a service: opened again when its ranks are lost, after a pause that grows with each loss. */
import type { Session } from "@stickslip/core";
import { RankError } from "@stickslip/core/parallel";
import { messageOf } from "../base/errors.js";

const PAUSE_MS = 100;
const PAUSE_MS_MAX = 10_000;
const LOOK_MS = 500;
/** A session that was up for this long resets the pause. */
const STEADY_MS = 30_000;

export class SessionKeeper {
	/** How often ranks were lost. */
	losses = 0;
	/** Of the last session; 0 before the first is up. */
	ranksLast = 0;
	/** Resolves if the limit of attempts is reached: then there are no ranks any more. */
	readonly failed: Promise<unknown>;
	readonly #open: () => Promise<Session>;
	readonly #log: (line: string) => void;
	readonly #triesMax: number;
	#fail: (error: unknown) => void = () => {};
	#session: Session | undefined;
	#opening: Promise<Session> | undefined;
	#openedAt = 0;
	/** Attempts to start ranks since they were last up for long enough. */
	#tries = 0;
	#pauseMs = PAUSE_MS;
	#isClosed = false;
	readonly #looking = setInterval(() => this.#look(), LOOK_MS).unref();

	/** `triesMax`: how many attempts to start ranks again are made before it fails. */
	constructor(open: () => Promise<Session>, log: (line: string) => void, triesMax = Number.POSITIVE_INFINITY) {
		this.#open = open;
		this.#log = log;
		this.#triesMax = triesMax;
		this.failed = new Promise((resolve) => {
			this.#fail = resolve;
		});
	}

	/** Of the session that is up; 0 while there is none. */
	get ranks(): number {
		return this.#session?.ranks ?? 0;
	}

	/** The first time its error is thrown; later it is tried again and again. */
	async start(): Promise<void> {
		this.#opening = this.#open().then((session) => this.#up(session));
		await this.#opening;
	}

	/** The present session, or the next one. */
	session(): Promise<Session> {
		this.#look();
		return this.#session === undefined ? this.#opening! : Promise.resolve(this.#session);
	}

	/** Whether an error of a request means that the ranks are lost: then the session is replaced. */
	isLost(session: Session, error: unknown): boolean {
		const failure = session.failure ?? (error instanceof RankError ? error : undefined);
		if (failure === undefined) return false;
		if (session === this.#session) this.#lost(session, failure);
		return true;
	}

	async close(): Promise<void> {
		this.#isClosed = true;
		clearInterval(this.#looking);
		await this.#session?.close();
		await this.#opening?.then((session) => session.close()).catch(() => {});
	}

	/** Ranks may be lost while there is nothing to solve. */
	#look(): void {
		const session = this.#session;
		if (session?.failure !== undefined) this.#lost(session, session.failure);
	}

	#up(session: Session): Session {
		this.#session = session;
		this.ranksLast = session.ranks;
		this.#opening = undefined;
		this.#openedAt = performance.now();
		return session;
	}

	#lost(session: Session, failure: Error): void {
		this.losses += 1;
		this.#session = undefined;
		if (performance.now() - this.#openedAt > STEADY_MS) {
			this.#pauseMs = PAUSE_MS;
			this.#tries = 0;
		}
		this.#log(`the ranks were lost (${messageOf(failure)})`);
		const ended = session.close().catch(() => {});
		this.#opening = ended.then(() => this.#again());
		this.#opening.catch(() => {});
	}

	/** Ranks in other processes may be lost as soon as they are started: that counts as an attempt. */
	async #again(): Promise<Session> {
		for (;;) {
			this.#tries += 1;
			if (this.#tries > this.#triesMax) {
				const error = new RankError(-1, `the ranks could not be started again, ${this.#triesMax} times`);
				this.#log(error.message);
				this.#fail(error);
				throw error;
			}
			this.#log("the ranks are started again");
			await new Promise((resolve) => setTimeout(resolve, this.#pauseMs));
			this.#pauseMs = Math.min(2 * this.#pauseMs, PAUSE_MS_MAX);
			if (this.#isClosed) throw new RankError(-1, "the service has ended");
			try {
				return this.#up(await this.#open());
			} catch (error) {
				this.#log(`the ranks could not be started (${messageOf(error)})`);
			}
		}
	}
}
