/** The session of a service: opened again when its ranks are lost, after a pause that grows where that happens again and again. */
import type { Session } from "@stickslip/core";
import { RankError } from "@stickslip/core/parallel";
import { messageOf } from "../base/errors.js";

const PAUSE_MS = 100;
const PAUSE_MS_MAX = 10_000;
/** A session that was up for so long begins with the short pause again. */
const STEADY_MS = 30_000;

export class SessionKeeper {
	/** How often ranks were lost. */
	losses = 0;
	readonly #open: () => Promise<Session>;
	readonly #log: (line: string) => void;
	#session: Session | undefined;
	#opening: Promise<Session> | undefined;
	#openedAt = 0;
	#pauseMs = PAUSE_MS;
	#isClosed = false;

	constructor(open: () => Promise<Session>, log: (line: string) => void) {
		this.#open = open;
		this.#log = log;
	}

	/** Of the session that is up; 0 while there is none. */
	get ranks(): number {
		return this.#session?.ranks ?? 0;
	}

	/** The first time its error is the caller's; later on it is tried again and again. */
	async start(): Promise<void> {
		this.#up(await this.#open());
	}

	/** The session that is up, or the next one that will be. */
	session(): Promise<Session> {
		if (this.#session !== undefined && this.#session.failure === undefined) return Promise.resolve(this.#session);
		if (this.#session !== undefined) this.#lost(this.#session, this.#session.failure!);
		return this.#opening!;
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
		await this.#session?.close();
		await this.#opening?.then((session) => session.close()).catch(() => {});
	}

	#up(session: Session): Session {
		this.#session = session;
		this.#opening = undefined;
		this.#openedAt = performance.now();
		return session;
	}

	#lost(session: Session, failure: Error): void {
		this.losses += 1;
		this.#session = undefined;
		if (performance.now() - this.#openedAt > STEADY_MS) this.#pauseMs = PAUSE_MS;
		this.#log(`the ranks were lost (${messageOf(failure)}); they are started again`);
		const ended = session.close().catch(() => {});
		this.#opening = ended.then(() => this.#again());
		this.#opening.catch(() => {});
	}

	async #again(): Promise<Session> {
		for (;;) {
			await new Promise((resolve) => setTimeout(resolve, this.#pauseMs));
			this.#pauseMs = Math.min(2 * this.#pauseMs, PAUSE_MS_MAX);
			if (this.#isClosed) throw new RankError(-1, "the service has ended");
			try {
				return this.#up(await this.#open());
			} catch (error) {
				this.#log(`the ranks could not be started (${messageOf(error)}); trying again`);
			}
		}
	}
}
