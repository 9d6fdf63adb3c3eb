/** The suite of all communicators over one kind of MPI, with as few starts of mpirun as it takes: see mpi-start.ts. */
import { afterAll, describe, it } from "vitest";
import type { MpiKind } from "../mpi/launched.js";
import { bundle } from "./bundle.js";
import { conformance } from "./conformance.js";
import { installed, runMpi } from "./mpi-start.js";
import type { Run } from "./outcome.js";

/** Less than the limit of a test, so that a run that hangs is ended with what it said. */
const RUN_SECONDS_MAX = 240;

/** With so many ranks on few cores a reduction takes milliseconds: one seed has to do. */
const MANY = 5;

export interface MpiSuite {
	readonly name: string;
	readonly sizes: readonly number[];
	/** Ranks are threads of processes with so many each; without it each rank is a process. */
	readonly perProcess?: number;
	/** See conformance.ts. */
	readonly late: { readonly sizes: readonly number[]; readonly programs: readonly string[] };
}

export function mpiSuite(kind: MpiKind, { name, sizes, perProcess, late }: MpiSuite): void {
	const mpirun = installed(kind);
	if ("absent" in mpirun) {
		describe(name, () => it("conforms", (context) => context.skip(mpirun.absent)));
		return;
	}
	const entry = perProcess === undefined ? "mpi-rank.ts" : "mpi-joined.ts";
	const program = bundle(new URL(entry, import.meta.url));
	afterAll(() => program.remove());
	const start = (runs: readonly Run[]) => {
		const processes = (runs[0]?.size ?? 1) / (perProcess ?? 1);
		return runMpi(mpirun, program.file, runs, { seconds: RUN_SECONDS_MAX, processes });
	};
	const suite = (sizes: readonly number[], seeds: number) => {
		if (sizes.length > 0) conformance(name, { sizes, seeds, late, start });
	};
	suite(
		sizes.filter((size) => size < MANY),
		2,
	);
	suite(
		sizes.filter((size) => size >= MANY),
		1,
	);
}
