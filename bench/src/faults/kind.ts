/** The interface of a kind of fault: prepared before a launch, applied to the launched run, and repaired once that run has ended. */

import type { Random } from "@stickslip/core";
import type { Bed, Cluster, Launched, LauncherKind, SmallDisk } from "../testing.js";

/** Small ones that all hosts see; what a round leaves there goes when the round is over. */
export interface Disks {
	readonly runs: SmallDisk;
	readonly answers: SmallDisk;
}

/** A round before its launch; kinds add what they need. */
export interface Scene {
	readonly cluster: Cluster;
	readonly disks: Disks;
	readonly way: LauncherKind;
	readonly random: Random;
	/** Of this round alone: what is started and made in it is gone when the round is over. */
	readonly bed: Bed;
	/** Words of the launch, before the `--`. */
	readonly words: string[];
	/** The line, behind it. */
	readonly line: string[];
	readonly env: Record<string, string>;
	restarts: number;
	/** The folder of the runs. */
	runs: string;
	/** Where standard output goes, if not to the one who waits for it. */
	stdout?: string;
}

/** A round under way. */
export interface Victim extends Readonly<Scene> {
	readonly launched: Launched;
}

export interface FaultKind {
	/** Which launchers have what it hits. */
	readonly ways: readonly LauncherKind[];
	/** What this machine lacks for it. */
	readonly lack?: () => string | undefined;
	open(scene: Scene): Act | Promise<Act>;
}

export interface Act {
	/** Applies the fault; resolves when it is over for the hosts, with what was hit, or nobody if there was no target. */
	strike(victim: Victim): Promise<string>;
	/** What is put in order between the end of a run and `resume`. */
	mend?(): void | Promise<void>;
	/** Lines that name the cause; default: a lost rank, process or host. */
	readonly named?: RegExp;
	/** Until it is named. Default 10 s. */
	readonly namedSeconds?: number;
	/** Named in time, it ends when a scheduler has noticed by itself. */
	readonly endsLate?: boolean;
	/** It has to be named, also where the run goes on. */
	readonly isAlwaysNamed?: boolean;
	/** The run continues as if nothing had happened. */
	readonly isHarmless?: boolean;
	/** The run may end although restarts are left: the fault recurs. */
	readonly isLasting?: boolean;
	/** The exit code of an end, beside 3. */
	readonly code?: number;
	/** The line may be refused at once, when what it needs is not there from the beginning. */
	readonly mayRefuse?: boolean;
	/** Nobody reads standard output: the answer is the one that the run recorded. */
	readonly isUnread?: boolean;
	/** What is wrong with the answer that was wanted with this hash; `said` is the standard error of the process that has it. */
	check?(hash: string, said: string): Promise<readonly string[]>;
}

/** For what shows only when the answer is written: seconds in which a run comes to it. */
export const ANSWER_SECONDS = 60;

/** What a strike returns where there was nothing to hit. */
export const NOBODY = "nobody";
