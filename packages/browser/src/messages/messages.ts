/** What a page and its ranks say to each other, and ranks among themselves. */
import type { ThreadsShared } from "@stickslip/comm/browser";
import type { NewValues, Problem, Progress, Solution, SolveOptions } from "@stickslip/core";
import type { RankResult, RunOptions, ShareOutline, ShareRows } from "@stickslip/core/parallel";
import type { PlainError } from "./errors.js";

/** What several ranks share; the ports of rank 0 lead to all others by rank, those of the others to rank 0. */
export interface Team {
	readonly ranks: number;
	readonly control: SharedArrayBuffer;
	readonly shared: ThreadsShared;
	/** Looks before a waiting rank sleeps. */
	readonly spins: number;
	readonly patienceSeconds: number;
	readonly ports: readonly MessagePort[];
}

/** Options of a solve that can be sent: a signal is sent as a message, and so is progress. */
export type PlainOptions = Omit<SolveOptions, "signal" | "onProgress" | "keep">;

/** How a solve is done: by one rank, or cut for all of them. */
export type SolveMode = "alone" | "cut";

interface Solve {
	readonly kind: "solve";
	readonly id: number;
	readonly options: PlainOptions;
	/** Seconds that are left. */
	readonly deadline: number;
	readonly how: SolveMode;
	/** Aborted before it was sent. */
	readonly isAborted: boolean;
	readonly hasProgress: boolean;
}

export type ToRank =
	| { readonly kind: "start"; readonly rank: number; readonly team?: Team }
	| (Solve & { readonly problem: Problem })
	| (Solve & { readonly pattern: number; readonly values: NewValues })
	| {
			readonly kind: "prepare";
			readonly id: number;
			readonly pattern: number;
			readonly problem: Problem;
			readonly options: PlainOptions;
			readonly how: SolveMode;
	  }
	| { readonly kind: "release"; readonly pattern: number }
	| { readonly kind: "abort"; readonly id: number };

export type FromRank =
	| { readonly kind: "ready" }
	| { readonly kind: "progress"; readonly id: number; readonly progress: Progress }
	| { readonly kind: "answer"; readonly id: number; readonly solution?: Solution }
	| { readonly kind: "refusal"; readonly id: number; readonly error: PlainError }
	/** The rank that failed first, which need not be the one that says so. */
	| { readonly kind: "failure"; readonly rank: number; readonly reason: string };

/** From rank 0 to another, and back. */
export interface PartMessage {
	readonly outline: ShareOutline;
	readonly rows: ShareRows;
	readonly options: RunOptions;
}
export type PartResult = RankResult;
