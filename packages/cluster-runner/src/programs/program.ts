/** A program as the runner knows it: how ranks find it, and how parts of its tasks are checked. */
import type { RankProgram } from "@stickslip/core/parallel";
import type { Check } from "@stickslip/core/schema";

/** The default export of a program's module. */
export interface Program<Part, Result> extends RankProgram<Part, Result> {
	/** How ranks find it: its name in programs.ts, or the URL of its module (file:). */
	readonly name: string;
	/** If ranks are processes, a part comes from another process. */
	readonly isPart: Check<Part>;
	/** Loads what a part needs asynchronously, on each rank that works on it. */
	readonly prepare?: (part: Part) => Promise<void>;
}
