/** Measures the transports of this machine, each between two ranks and among twice as many ranks as there are cores. */
import { findMpi, type MpiKind } from "@stickslip/comm";
import type { Transport } from "../base/transports.js";
import { isLineResult, type LineResult, type LineTask } from "../programs/measure-lines.js";
import { choose } from "../ranks/choose.js";
import { RunEvents } from "../ranks/run-events.js";
import { startRanks } from "../ranks/start-ranks.js";
import type { LineCosts } from "./line-costs.js";
import { fitLine } from "./line-fit.js";
import type { ReductionName } from "./reductions.js";

/** A transport, and the library where there are several. */
interface LineName {
	readonly transport: Transport;
	readonly mpi?: MpiKind;
	readonly reduction: ReductionName;
}

const LINES: Readonly<Record<string, LineName>> = {
	threads: { transport: "threads", reduction: "meeting" },
	zeromq: { transport: "zeromq", reduction: "dissemination" },
	openmpi: { transport: "mpi", mpi: "openmpi", reduction: "doubling" },
	mpich: { transport: "mpi", mpi: "mpich", reduction: "doubling" },
};

const BLOCKS = [0, 1, 16, 128, 1024, 8192];
const NUMBERS = [1, 5, 45, 245];
const CROWDED_NUMBERS = 5;
const RESULT_BYTES_MAX = 2 ** 20;

export interface LineOptions {
	/** For each measurement, and milliseconds of a window. */
	readonly seconds: number;
	readonly windowMs: number;
	readonly cores: number;
}

/** Why a line cannot be measured here; undefined if it can. */
export function lackOf(name: string): string | undefined {
	const mpi = LINES[name]?.mpi;
	if (mpi === undefined) return undefined;
	try {
		findMpi({ PATH: process.env.PATH, STICKSLIP_MPI: mpi });
		return undefined;
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
}

export async function measureLine(name: string, { seconds, windowMs, cores }: LineOptions): Promise<LineCosts> {
	const line = LINES[name]!;
	const pair = await measureAmong(line, 2, { seconds, windowMs, blocks: BLOCKS, numbers: NUMBERS });
	const ranks = 2 * cores;
	const crowd = await measureAmong(line, ranks, { seconds, windowMs, blocks: [], numbers: [CROWDED_NUMBERS] });
	return fitLine(pair, line.reduction, { ranks, cores, seconds: crowd.reductions[0]!.seconds });
}

async function measureAmong(line: LineName, ranks: number, task: LineTask): Promise<LineResult> {
	const choice = choose(Number.POSITIVE_INFINITY, { ranks, transport: line.transport });
	return await withMpi(line.mpi, async () => {
		const started = await startRanks("measure-lines", choice);
		try {
			const results = await started.run<LineResult>({
				part: () => ({ part: task, buffers: [] }),
				isResult: (value): value is LineResult => isLineResult(value),
				resultBytesMax: RESULT_BYTES_MAX,
				stateBytesMax: RESULT_BYTES_MAX,
				events: new RunEvents({ ranks }),
			});
			return results[0]!;
		} finally {
			await started.close();
		}
	});
}

/** With this kind of MPI, as processes that are started find it. */
async function withMpi<Result>(kind: MpiKind | undefined, work: () => Promise<Result>): Promise<Result> {
	if (kind === undefined) return await work();
	const before = process.env.STICKSLIP_MPI;
	process.env.STICKSLIP_MPI = kind;
	try {
		return await work();
	} finally {
		if (before === undefined) delete process.env.STICKSLIP_MPI;
		else process.env.STICKSLIP_MPI = before;
	}
}
