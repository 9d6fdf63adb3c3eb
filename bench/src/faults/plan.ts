/** The arguments of the bench. */
import { parseArgs } from "node:util";
import { LAUNCHER_KINDS, type LauncherKind } from "../testing.js";
import { KINDS, MIXED } from "./kinds.js";
import type { RowKind } from "./row.js";
import { WRITERS } from "./writers.js";

const ROUNDS = 50;
const MIXED_ROUNDS = 200;
const WRITERS_ROUNDS = 20;
const ALL: readonly RowKind[] = [...KINDS, WRITERS, MIXED];

export const usage = `npm run bench -- faults [--kind ${ALL.join("|")}[,...]] [--rounds N] [--seed N] [--way WAY] [--record]`;

export interface Plan {
	readonly kinds: readonly RowKind[];
	readonly seed: number;
	readonly way: LauncherKind | undefined;
	/** Rows go to faults.csv, each in the place of the one of the same kind and seed. */
	readonly isRecorded: boolean;
	rounds(kind: RowKind): number;
}

/** Undefined for invalid arguments. */
export function planOf(args: readonly string[]): Plan | undefined {
	try {
		const { values } = parseArgs({
			args: [...args],
			options: {
				kind: { type: "string" },
				way: { type: "string" },
				rounds: { type: "string" },
				seed: { type: "string", default: "1" },
				record: { type: "boolean", default: args.length === 0 },
			},
		});
		const wanted = values.kind?.split(",") ?? ALL;
		const kinds = ALL.filter((kind) => wanted.includes(kind));
		const way = LAUNCHER_KINDS.find((each) => each === values.way);
		const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
		const seed = Number(values.seed);
		const isWrong = kinds.length !== wanted.length || (rounds !== undefined && !(rounds >= 1)) || !(seed >= 0);
		if (isWrong || way !== values.way) return undefined;
		const usual: Partial<Record<RowKind, number>> = { [MIXED]: MIXED_ROUNDS, [WRITERS]: WRITERS_ROUNDS };
		return { kinds, seed, way, isRecorded: values.record, rounds: (kind) => rounds ?? usual[kind] ?? ROUNDS };
	} catch {
		return undefined;
	}
}
