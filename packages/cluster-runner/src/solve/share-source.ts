/** The shares of a problem, cut one at a time when ranks ask for theirs. */
import {
	BLOCK_SPACE,
	buffersOf,
	cutState,
	memoryOf,
	type Prepared,
	type RunOptions,
	type RunState,
} from "@stickslip/core/parallel";
import { cutShares, type PartitionMethod, type PointOwners, type Shares } from "@stickslip/partition";
import type { SharePart } from "../programs/solve.js";
import type { TaskPart } from "../ranks/ranks.js";

export interface HowToCut {
	readonly method?: PartitionMethod | undefined;
	/** Owners that were found before. */
	readonly known?: PointOwners | undefined;
}

/** The source of shares: each is cut once, and after the last one their origin is released. */
export class ShareSource {
	/** That partitioning took. */
	seconds = 0;
	/** The problem, until it has been shared out. */
	#whole: (() => Shares) | undefined;
	#shares: Shares | undefined;
	/** Memory that shares may refer to and that stays here. */
	#kept: ReadonlySet<ArrayBufferLike>;
	#left: number;
	/** The state from which the run continues, of the whole problem. */
	#from: RunState | undefined;

	constructor(prepared: Prepared, ranks: number, { method = "auto", known }: HowToCut, from?: RunState) {
		this.#from = from;
		this.#whole = () => cutShares(prepared, ranks, { method, known });
		this.#kept = memoryOf(prepared);
		this.#left = ranks;
	}

	/** Decides who owns what, which takes longest and is best done while processes start. Throws an InputError for what cannot be shared out. */
	partition(): void {
		if (this.#whole === undefined) return;
		const started = performance.now();
		this.#shares = this.#whole();
		this.#whole = undefined;
		this.seconds = (performance.now() - started) / 1000;
	}

	/** The part of a rank. */
	cut(rank: number, options: RunOptions): TaskPart {
		this.partition();
		if (this.#shares === undefined) throw new Error("assertion failed: each share is cut once");
		const outline = this.#shares.outline(rank);
		const rows = this.#shares.unread(outline) ?? this.#shares.rows(outline);
		const from = this.#from && cutState(this.#from, { [BLOCK_SPACE]: outline.ids });
		const buffers = buffersOf({ outline, rows, from }, this.#kept);
		this.#left -= 1;
		if (this.#left === 0) {
			this.#shares = undefined;
			this.#from = undefined;
			this.#kept = new Set();
		}
		return { part: { outline, rows, options } satisfies SharePart, buffers, from };
	}
}
