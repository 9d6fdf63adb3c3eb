/**
 * Detects that the other side has sent no heartbeat for too long, by checks at regular intervals. On a machine with more ranks than cores a
 * process may not be scheduled for seconds: one that the system reports as running is given much longer.
 */

import { isRunning } from "../base/proc.js";
import { BEAT_MS, SILENCE_MS } from "./messages.js";

/**
 * If more time passes between two checks, this side itself did not run: it was stopped, or blocked by its file system. Messages of that time are still
 * unread, so it does not count.
 */
const LATE_MS = 2 * BEAT_MS;

/** The limit for a process that is running. */
const STARVED_MS = 30_000;

export class HeartbeatMonitor {
	#receivedAt: number;
	#checkedAt: number;
	readonly #pid: number | undefined;
	readonly #limit: number;

	/** `pid` is the other side's, if it is on this machine. */
	constructor(now: number, pid?: number, limit = SILENCE_MS) {
		this.#pid = pid;
		this.#limit = limit;
		this.#receivedAt = now;
		this.#checkedAt = now;
	}

	/** A message of the other side has arrived. */
	received(now: number): void {
		this.#receivedAt = now;
	}

	/** To be called every BEAT_MS: true if the other side is lost. */
	isLost(now: number): boolean {
		const late = Math.max(0, now - this.#checkedAt - LATE_MS);
		this.#receivedAt = Math.min(now, this.#receivedAt + late);
		this.#checkedAt = now;
		const silent = now - this.#receivedAt;
		return silent > this.#limit && (silent > STARVED_MS || this.#pid === undefined || !isRunning(this.#pid));
	}
}
