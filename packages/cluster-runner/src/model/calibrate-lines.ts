/** Measures the transports of this machine, each between two ranks and among twice as many ranks as there are cores. */
import { findMpi, type MpiKind } from "@stickslip/comm";
import { generate } from "@stickslip/core";
import { prepare } from "@stickslip/core/parallel";
import { cutShares } from "@stickslip/partition";
import type { Transport } from "../base/transports.js";
import { isLineResult, type LineResult, type LineTask } from "../programs/measure-lines.js";
import { choose } from "../ranks/choose.js";
import { RunEvents } from "../ranks/run-events.js";
import { startRanks } from "../ranks/start-ranks.js";
import { solveRanks } from "../solve/solve-ranks.js";
import type { LineCosts } from "./line-costs.js";
import { fitLine, type MeasuredLine } from "./line-fit.js";
import { loadsOf } from "./loads.js";
import { recordShare, recordSolve } from "./record-trace.js";
import type { ReductionName } from "./reductions.js";
import { fitCostsToSolves, type TimedSolve } from "./use-fit.js";
import { sampledWork } from "./work.js";

/** A transport, and the library where there are several. */
interface LineName {
	readonly transport: Transport;
	readonly mpi?: MpiKind;
	/** As between hosts, where it is encrypted. */
	readonly isEncrypted?: boolean;
	readonly reduction: ReductionName;
}

const LINES: Readonly<Record<string, LineName>> = {
	threads: { transport: "threads", reduction: "meeting" },
	zeromq: { transport: "zeromq", reduction: "dissemination" },
	"zeromq-tcp": { transport: "zeromq", isEncrypted: true, reduction: "dissemination" },
	openmpi: { transport: "mpi", mpi: "openmpi", reduction: "doubling" },
	mpich: { transport: "mpi", mpi: "mpich", reduction: "doubling" },
};

const BLOCKS = [0, 1, 16, 128, 1024, 8192];
/** Messages of an exchange, where the transport can send one rank as many at once as others send to several. */
const SEVERAL = [4, 16];
const NUMBERS = [1, 5, 45, 245];
/** Seconds by which ranks are late. */
const LATE = [5e-6, 2e-5, 1e-4, 5e-4, 2.5e-3];
const RESULT_BYTES_MAX = 2 ** 20;
const USED = { pile: "spheres", contacts: 2000, seed: 11, method: "gauss-seidel", iterations: 20 } as const;
/** A tolerance that no iterate reaches. */
const NEVER = 1e-300;
const SOLVES_MIN = 5;
const SOLVES_MAX = 300;
/** Times the seconds of a measurement: ranks that share cores first have to find out that spinning is in vain, and the solves until then are slower. */
const SOLVES_TIMES = 10;

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

export async function measureLine(
	name: string,
	{ seconds, windowMs, cores }: LineOptions,
): Promise<{ readonly measured: MeasuredLine; readonly costs: LineCosts }> {
	const line = LINES[name]!;
	const several = line.transport === "mpi" ? SEVERAL : [];
	const task = { seconds, windowMs, blocks: BLOCKS, several, numbers: NUMBERS, late: LATE };
	const pair = await measureAmong(line, 2, task);
	const alone = await measureUse(line, 2, cores, seconds);
	const crowd = await measureUse(line, 2 * cores, cores, seconds);
	const solves = [alone, crowd].map(({ loads, seconds: each }) => ({ ranks: loads.length, seconds: each }));
	return { measured: { pair, solves }, costs: fitCostsToSolves(fitLine(pair, line.reduction), alone, crowd) };
}

/** A solve with many exchanges and little work between them, on the transport as it is used. */
async function measureUse(line: LineName, ranks: number, cores: number, seconds: number): Promise<TimedSolve> {
	const options = { method: USED.method, tolerance: NEVER, maxIterations: USED.iterations };
	const problem = generate(USED.pile, { contacts: USED.contacts, seed: USED.seed });
	const prepared = prepare(problem, options);
	const repeats = { least: SOLVES_MIN, seconds };
	const solve = recordSolve(prepared, cutShares(prepared, 1), repeats);
	const shares = cutShares(prepared, ranks);
	const loads = loadsOf(shares);
	const samples = loads.flatMap((share, rank) => {
		const trace = recordShare(prepared, shares, rank, solve, repeats);
		return trace === undefined ? [] : [{ share, trace }];
	});
	const { operations } = solve.trace;
	const work = sampledWork(samples, ranks);
	const { transport, isEncrypted, mpi } = line;
	const how = { ...options, ranks, transport, isEncrypted };
	const measured = await withMpi(mpi, async () => {
		// As many solves as there is time for are known after some.
		const { report: first } = await solveRanks(problem, { ...how, repeat: SOLVES_MIN });
		const repeat = Math.max(SOLVES_MIN, Math.ceil((SOLVES_TIMES * seconds) / Math.max(first.seconds, 1e-9)));
		const { report } = await solveRanks(problem, { ...how, repeat: Math.min(SOLVES_MAX, repeat) });
		return Math.min(first.seconds, report.seconds);
	});
	return { cores, operations, loads, work, seconds: measured };
}

async function measureAmong(line: LineName, ranks: number, task: LineTask): Promise<LineResult> {
	const choice = choose(Number.POSITIVE_INFINITY, { ranks, transport: line.transport });
	const { isEncrypted } = line;
	return await withMpi(line.mpi, async () => {
		const started = await startRanks("measure-lines", { ...choice, isEncrypted });
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
