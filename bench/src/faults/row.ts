/** The result of a round of faults, as a row, a line and a tally. */
import type { LauncherKind } from "../testing.js";
import type { Kind, MIXED } from "./kinds.js";
import type { WRITERS } from "./writers.js";

/**
 * ended: with exit code 3 or 75, and was resumed. restarted: by itself, from its checkpoint. survived: nothing was lost. refused: at once, before
 * anything was done. too late: it was over before anything happened.
 */
export type Outcome = "ended" | "restarted" | "survived" | "refused" | "too late";

export type RowKind = Kind | typeof MIXED | typeof WRITERS;

export interface FaultRow {
	readonly kind: RowKind;
	readonly seed: number;
	readonly launcher: LauncherKind;
	readonly restarts: number;
	/** When it happened, after all ranks were ready. */
	readonly at: string;
	readonly hit: string;
	readonly outcome: Outcome;
	/** Seconds until a line said who or what it was; empty where nothing had to be said. */
	readonly named: string;
	/** From what happened to the end of the first process. */
	readonly seconds: string;
	readonly held: "yes" | "NO";
	readonly why: string;
}

const OUTCOMES: readonly Outcome[] = ["survived", "restarted", "ended", "refused"];

export function tallyOf(kind: RowKind, rows: readonly FaultRow[], seconds: number): string {
	const counts = OUTCOMES.map((outcome) => `${rows.filter((row) => row.outcome === outcome).length} ${outcome}`);
	const held = rows.filter((row) => row.held === "yes").length;
	const each = (seconds / Math.max(1, rows.length)).toFixed(1);
	return `${kind}: ${held} of ${rows.length} rounds held (${counts.join(", ")}); ${each} s a round`;
}

export function lineOf({
	kind,
	seed,
	launcher,
	restarts,
	at,
	hit,
	outcome,
	named,
	seconds,
	held,
	why,
}: FaultRow): string {
	const what = `${kind.padEnd(9)} seed ${String(seed).padStart(3)} ${launcher.padEnd(8)}restarts ${restarts}`;
	const when = `${outcome} after ${seconds} s${named === "" ? "" : `, named after ${named} s`}`;
	return `${what}  at ${at} s: ${hit}: ${when}  ${held === "yes" ? "held" : `BROKEN: ${why}`}`;
}
