/** What one round of faults came to, as a row, a line and a tally. */
import type { Way } from "@stickslip/cluster-runner/testing";
import type { Kind } from "./fault-kinds.js";

export type Outcome = "ended" | "restarted" | "survived" | "too late";

export interface FaultRow {
	readonly kind: Kind;
	readonly seed: number;
	readonly launcher: Way;
	readonly restarts: number;
	/** When it happened, after all ranks were ready. */
	readonly at: string;
	readonly hit: string;
	/** ended: with exit code 3 or 75, and was resumed. restarted: by itself, from its checkpoint. survived: nothing was lost. */
	readonly outcome: Outcome;
	/** From what happened to the end of the first process. */
	readonly seconds: string;
	readonly held: "yes" | "NO";
	readonly why: string;
}

export function tallyOf(kind: Kind, rows: readonly FaultRow[]): string {
	const count = (outcome: Outcome) => `${rows.filter((row) => row.outcome === outcome).length} ${outcome}`;
	const held = rows.filter((row) => row.held === "yes").length;
	return `${kind}: ${held} of ${rows.length} rounds held (${count("survived")}, ${count("restarted")}, ${count("ended")})`;
}

export function lineOf({ kind, seed, launcher, restarts, at, hit, outcome, seconds, held, why }: FaultRow): string {
	const what = `${kind.padEnd(5)} seed ${String(seed).padStart(3)} ${launcher.padEnd(8)}restarts ${restarts}`;
	return `${what}  at ${at} s: ${hit}: ${outcome} after ${seconds} s  ${held === "yes" ? "held" : `BROKEN: ${why}`}`;
}
