/** The suite of all communicators over one kind of MPI, with as few starts of mpirun as it takes: see mpi-programs.ts. */
import { afterAll, describe, it } from "vitest";
import type { MpiKind } from "../mpi/launched.js";
import { bundle } from "./bundle.js";
import { conformance } from "./conformance.js";
import { faults } from "./faults.js";
import { installed, runMpi } from "./mpi-start.js";
import type { Outcome, Run } from "./outcome.js";
import { programs } from "./programs.js";

const RUN_SECONDS_MAX = 80;
const TEST_MS_MAX = 90_000;

/** With so many ranks on few cores a reduction takes milliseconds: one seed has to do. */
const MANY = 5;

/** Those that leave the communicator of no use, or end it, have a start of their own. */
const alone = new Set([...Object.keys(faults), "strictness", "early reads"]);
const together = Object.keys(programs).filter((name) => !alone.has(name));
const late = Object.keys(faults).filter((name) => name.startsWith("late "));

export interface MpiSuite {
	readonly name: string;
	readonly sizes: readonly number[];
	/** Ranks are threads of processes with so many each; without it each rank is a process. */
	readonly perProcess?: number;
	/** Programs in which a rank is late take seconds of sleep each: those that run, and with how many ranks. */
	readonly late: { readonly size: number; readonly programs: readonly string[] };
}

export function mpiSuite(kind: MpiKind, { name, sizes, perProcess, late: chosen }: MpiSuite): void {
	const mpirun = installed(kind);
	if ("absent" in mpirun) {
		describe(name, () => it("conforms", (context) => context.skip(mpirun.absent)));
		return;
	}
	const entry = perProcess === undefined ? "mpi-rank.ts" : "mpi-joined.ts";
	const program = bundle(new URL(entry, import.meta.url));
	afterAll(() => program.remove());
	/** By size and seeds: all programs that run together. */
	const begun = new Map<string, Promise<Outcome[][]>>();
	const start = async (run: Run): Promise<Outcome[]> => {
		const limits = { seconds: RUN_SECONDS_MAX, processes: run.size / (perProcess ?? 1) };
		const index = together.indexOf(run.program);
		if (index < 0) return (await runMpi(mpirun, program.file, [run], limits))[0] ?? [];
		const key = JSON.stringify([run.size, run.seeds]);
		const all =
			begun.get(key) ??
			runMpi(
				mpirun,
				program.file,
				together.map((program) => ({ ...run, program })),
				limits,
			);
		begun.set(key, all);
		return (await all)[index] ?? [];
	};
	const reason = "a rank sleeps for seconds; it runs with other ranks or another library";
	const suite = (sizes: readonly number[], seeds: number, tests: readonly string[]) => {
		const without = late.filter((test) => !tests.includes(test)).map((test) => ({ test, reason }));
		if (sizes.length > 0) conformance(name, { sizes, seeds, timeout: TEST_MS_MAX, start, without });
	};
	const others = sizes.filter((size) => size !== chosen.size);
	suite(
		others.filter((size) => size < MANY),
		2,
		[],
	);
	suite([chosen.size], 2, chosen.programs);
	suite(
		others.filter((size) => size >= MANY),
		1,
		[],
	);
}
