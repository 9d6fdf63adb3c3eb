/**
 * Ranks that are there already, for measuring what a solve takes from the problem in memory to the answer in memory: their threads run and
 * their code is compiled. What they do is what the ranks of a run do, but for the starting and the ending of threads.
 */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { MessageChannel, type MessagePort } from "node:worker_threads";
import { Control, cores, runWorkers, shareThreads } from "@stickslip/comm";
import type { Problem, Solution, SolveOptions } from "@stickslip/core";
import { assemble, prepare } from "@stickslip/core/parallel";
import { cutShares, type PointOwners, pointCutOf } from "@stickslip/partition";
import type { WarmCut, WarmOutcome, WarmShare, WarmTask } from "./warm-rank.js";

/** Milliseconds of one solve; they sum up to all of it. */
export interface WarmPhases {
	/** Checking the problem, and deciding operator, colours and order. */
	readonly plan: number;
	/** Deciding who owns what. */
	readonly partition: number;
	/** Cutting and sending the shares. */
	readonly cut: number;
	/** Until the last rank has its system, from the time that all shares have been sent. */
	readonly build: number;
	readonly iterations: number;
	/** The answer put together out of what the ranks have of it. */
	readonly assemble: number;
	readonly all: number;
}

export interface WarmSolution {
	readonly solution: Solution;
	readonly phases: WarmPhases;
	/** Bytes that each rank holds, where that was asked for. */
	readonly held: readonly (number | undefined)[];
}

export class WarmRanks {
	readonly #ranks: number;
	readonly #control = Control.create();
	readonly #ports: readonly MessagePort[];
	readonly #ended: Promise<unknown>;
	/** For sockets, as runs inside a machine have them. */
	readonly #folder = mkdtempSync(join(tmpdir(), "stickslip-warm-"));

	constructor(ranks: number, transport: "threads" | "zeromq") {
		this.#ranks = ranks;
		// For the ranks, whose memory is measured; they do not set it themselves, since V8 reads its flags without locks.
		setFlagsFromString("--expose-gc");
		const channels = Array.from({ length: ranks }, () => new MessageChannel());
		this.#ports = channels.map(({ port1 }) => port1);
		const shared = shareThreads(ranks);
		const key = new Uint8Array(randomBytes(16));
		const available = cores();
		this.#ended = runWorkers<undefined>({
			ranks,
			control: this.#control,
			file: new URL("../../dist/ranks/warm-rank.js", import.meta.url).href,
			transfer: (rank) => [channels[rank]!.port2],
			task: (rank): WarmTask => ({
				rank,
				ranks,
				transport,
				core: ranks <= available.length ? available[rank] : undefined,
				key,
				folder: this.#folder,
				shared,
				control: this.#control.buffer,
				port: channels[rank]!.port2,
			}),
		});
		this.#ended.catch(() => undefined);
	}

	async solve(problem: Problem, options: SolveOptions, isWeighed = false): Promise<WarmSolution> {
		const started = performance.now();
		const finding = this.#findOwners(problem);
		const prepared = prepare(problem, options);
		const planned = performance.now();
		const shares = cutShares(prepared, this.#ranks, { known: await finding });
		const partitioned = performance.now();
		const answers = this.#ports.map((port, rank) => {
			const answer = this.#answerOf<WarmOutcome>(port);
			const outline = shares.outline(rank);
			const share: WarmShare = { outline, rows: shares.rows(outline), options: prepared.options, isWeighed };
			port.postMessage(share, movable(share, prepared));
			return answer;
		});
		const sent = performance.now();
		const outcomes = await Promise.all(answers);
		const answered = performance.now();
		const solution = assemble(outcomes.map(({ outcome }) => outcome));
		const ended = performance.now();
		const iterations = 1000 * solution.report.seconds;
		const phases: WarmPhases = {
			plan: planned - started,
			partition: partitioned - planned,
			cut: sent - partitioned,
			build: answered - sent - iterations,
			iterations,
			assemble: ended - answered,
			all: ended - started,
		};
		return { solution, phases, held: outcomes.map(({ held }) => held) };
	}

	/** By the last rank, while this thread plans; undefined where they follow from the plan. */
	async #findOwners(problem: Problem): Promise<PointOwners | undefined> {
		const pointCut = pointCutOf(problem);
		if (pointCut === undefined) return undefined;
		const port = this.#ports.at(-1)!;
		const answer = this.#answerOf<PointOwners | undefined>(port);
		port.postMessage({ pointCut } satisfies WarmCut);
		return await answer;
	}

	async #answerOf<Answer>(port: MessagePort): Promise<Answer> {
		const controller = new AbortController();
		try {
			const answer = once(port, "message", { signal: controller.signal }).then(([message]) => message as Answer);
			const lost = this.#ended.then(() => {
				throw new Error("a rank has left");
			});
			return await Promise.race([answer, lost]);
		} finally {
			controller.abort();
		}
	}

	async end(): Promise<void> {
		for (const port of this.#ports) port.close();
		try {
			await this.#ended;
		} finally {
			rmSync(this.#folder, { recursive: true, force: true });
		}
	}
}

/** Memory of a share that nobody else has. */
function movable(share: object, owner: object): ArrayBuffer[] {
	const kept = new Set<ArrayBufferLike>();
	visit(owner, (buffer) => kept.add(buffer));
	const found = new Set<ArrayBuffer>();
	visit(share, (buffer) => {
		if (buffer instanceof ArrayBuffer && !kept.has(buffer)) found.add(buffer);
	});
	return [...found];
}

function visit(value: unknown, found: (buffer: ArrayBufferLike) => void): void {
	if (typeof value !== "object" || value === null) return;
	if (ArrayBuffer.isView(value)) found(value.buffer);
	else for (const each of Object.values(value)) visit(each, found);
}
