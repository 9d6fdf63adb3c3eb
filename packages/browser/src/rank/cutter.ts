/** Of rank 0: cuts a problem into a part for each rank, runs its own, and puts the answers together. */
import type { Problem, SessionSolveOptions, Solution } from "@stickslip/core";
import { assemble, buffersOf, memoryOf, prepare, type RunOptions } from "@stickslip/core/parallel";
import { cutShares, isShareable, type Shares } from "@stickslip/partition";
import type { PartMessage, PartResult } from "../messages/messages.js";
import type { Member } from "./member.js";

export class Cutter {
	readonly #member: Member;

	constructor(member: Member) {
		this.#member = member;
	}

	/** Undefined for a problem that cannot be cut. Throws an InputError for one that makes no sense; a rank that fails ends all. */
	async solve(problem: Problem, given: SessionSolveOptions): Promise<Solution | undefined> {
		const started = performance.now();
		const { deadline = Number.POSITIVE_INFINITY, ...options } = given;
		const prepared = prepare(problem, options);
		if (!isShareable(prepared)) return undefined;
		const shares = cutShares(prepared, this.#member.ranks);
		try {
			const left = deadline - (performance.now() - started) / 1000;
			const timeLimit = Math.max(0, Math.min(left, options.timeLimit ?? Number.POSITIVE_INFINITY));
			const run = timeLimit < Number.POSITIVE_INFINITY ? { ...prepared.options, timeLimit } : prepared.options;
			return await this.#run(shares, run, memoryOf(prepared), started, options.onProgress);
		} catch (error) {
			this.#member.fail(error);
			throw error;
		}
	}

	/** `kept` is memory of the problem, which shares may refer to and which is not to move away with the first of them. */
	async #run(
		shares: Shares,
		options: RunOptions,
		kept: ReadonlySet<ArrayBufferLike>,
		started: number,
		onProgress: SessionSolveOptions["onProgress"],
	): Promise<Solution> {
		const partOf = (rank: number): PartMessage => {
			const outline = shares.outline(rank);
			return { outline, rows: shares.rows(outline), options };
		};
		const others = this.#member.ports.map((port, at) => {
			const result = new Promise<PartResult>((resolve) => {
				port.onmessage = ({ data }: MessageEvent<PartResult>) => resolve(data);
			});
			const part = partOf(at + 1);
			port.postMessage(part, buffersOf(part, kept));
			return result;
		});
		const own = partOf(0);
		const setUp = (performance.now() - started) / 1000;
		const first = this.#member.runPart(own, onProgress);
		const solution = assemble([first, ...(await Promise.all(others))]);
		const { report } = solution;
		return { ...solution, report: { ...report, secondsFirst: setUp + report.secondsFirst } };
	}
}
