/**
 * The sign of life of a run on other hosts, as one who follows it sees it: its state, which a run at work renews every other second. Where the host of
 * the line is lost, nothing else tells so for a long time: schedulers wait for minutes.
 */
import { fileClock } from "../runs/file-clock.js";
import { readState, type State } from "../runs/state.js";

/** Beyond a stop of 8 s, and a file system that is late. The loss is to be told within 20 s. */
const SILENT_MS = 14_000;

export class SignOfLife {
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

	/** To be called with each state that was read: what is worth a line, if anything is new. */
	news(state: State): "silent" | "heard" | undefined {
		if (this.#isRenewed(state)) {
			const wasSilent = this.#isSilent;
			this.#isSilent = false;
			return wasSilent && state.status === "running" ? "heard" : undefined;
		}
		if (state.status !== "running" || this.#isSilent || this.#now() - this.#since <= SILENT_MS) return undefined;
		// What a network's file system has in store may be old: a new file in the folder makes it look again.
		fileClock(this.#folder);
		if (this.#isRenewed(readState(this.#folder))) return undefined;
		this.#isSilent = true;
		return "silent";
	}

	/** For how long nothing was heard. */
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
