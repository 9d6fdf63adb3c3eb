/**
 * Watches the state of a run on another host, which a running run renews every other second. If that host is lost, nothing else shows it for a long
 * time: schedulers wait for minutes.
 */
import { fileClock } from "../base/file-clock.js";
import { readState, type State } from "../runs/state.js";

/** Longer than a pause of 8 s and the delay of a file system. A loss is to be reported within 20 s. */
const SILENT_MS = 14_000;

export class StateMonitor {
	readonly #folder: string;
	readonly #now: () => number;
	#renewal = "";
	#since: number;
	#isSilent = false;

	/** `now` is in milliseconds on a clock that only goes forward. */
	constructor(folder: string, now: () => number = () => performance.now()) {
		this.#folder = folder;
		this.#now = now;
		this.#since = now();
	}

	/** To be called with each state that was read; returns a change to be reported. */
	poll(state: State): "silent" | "renewed" | undefined {
		if (this.#isRenewed(state)) {
			const wasSilent = this.#isSilent;
			this.#isSilent = false;
			return wasSilent && state.status === "running" ? "renewed" : undefined;
		}
		if (state.status !== "running" || this.#isSilent || this.#now() - this.#since <= SILENT_MS) return undefined;
		// A network file system may serve an old copy: a new file in the folder makes it refresh.
		fileClock(this.#folder);
		if (this.#isRenewed(readState(this.#folder))) return undefined;
		this.#isSilent = true;
		return "silent";
	}

	/** Seconds since the last renewal. */
	get seconds(): number {
		return Math.round((this.#now() - this.#since) / 1000);
	}

	#isRenewed({ status, updated, host, pid, attempt }: State): boolean {
		const renewal = [status, updated, host, pid, attempt].join(" ");
		if (renewal === this.#renewal) return false;
		this.#renewal = renewal;
		this.#since = this.#now();
		return true;
	}
}
