/** All kinds of faults, by name; a new one is one file, and one line here. Their order is part of what a seed means: new ones come last. */
import type { FaultKind } from "./kind.js";
import { clock } from "./kinds/clock.js";
import { disk } from "./kinds/disk.js";
import { handles } from "./kinds/handles.js";
import { launcher } from "./kinds/launcher.js";
import { link } from "./kinds/link.js";
import { hub, node, rank, slurm } from "./kinds/losses.js";
import { output } from "./kinds/output.js";
import { preempt, term } from "./kinds/signals.js";
import { stdout } from "./kinds/stdout.js";
import { stopped } from "./kinds/stopped.js";
import { strangers } from "./kinds/strangers.js";

export const kinds = {
	rank,
	node,
	link,
	disk,
	term,
	hub,
	preempt,
	output,
	launcher,
	stopped,
	stdout,
	strangers,
	clock,
	handles,
	slurm,
} as const satisfies Readonly<Record<string, FaultKind>>;

export type Kind = keyof typeof kinds;
export const KINDS = Object.keys(kinds) as Kind[];
/** One to three of them in one run. */
export const MIXED = "mixed";
