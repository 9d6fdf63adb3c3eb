/**
 * What a line does for its run: renews its state, writes its progress, saves its reports, serves its metrics, and looks for a request to stop. If the disk
 * fails, the run continues without it: a loss is reported once, in the log or on the terminal.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { errorOf, type Problem, type Progress, type Report, type SolveOptions } from "@stickslip/core";
import { messageOf } from "../base/errors.js";
import { onFailure } from "../base/last-resort.js";
import { type Checkpointer, openCheckpointer } from "../checkpoints/checkpointer.js";
import { type Identity, solveIdentity } from "../checkpoints/identity.js";
import type { ExitCode } from "../cli/command.js";
import { ProgressTracker } from "../output/progress.js";
import type { SimulationView } from "../output/simulation-progress.js";
import { type Placement, placementIn } from "../placement/placement.js";
import { launchError } from "../protocol/refusal.js";
import { replaceJsonLater } from "../records/check.js";
import { type RunFacts, readRun } from "../records/facts.js";
import { FILES, METRICS_VARIABLE, RESTARTS_VARIABLE } from "../records/files.js";
import { RunLog } from "../records/log.js";
import { type ProgressFile, readProgress } from "../records/progress.js";
import { keepReport, readReports } from "../records/reports.js";
import { type ServiceFacts, writeService } from "../records/service.js";
import { lookForStop, STOP_POLL_MS, type StopRequest } from "../records/stop.js";
import { removeSecret } from "./folder.js";
import { hasBegun, provesUnsolved, removeEmpty } from "./kept.js";
import { serveMetricsInThread } from "./metrics-in-thread.js";
import { HEARTBEAT_MS } from "./run-status.js";
import { type MetricsServer, metricsAddress } from "./serve-metrics.js";
import { changeState, endState, now, readState, renewState } from "./state.js";

const PROGRESS_MS = 1000;

/** The problem that a line is at. */
export type About = Pick<ProgressFile, "problem" | "measure" | "tolerance" | "input" | "inputs" | "contacts">;

export class Recorder {
	readonly facts: RunFacts;
	readonly placement: Placement | undefined;
	readonly log: RunLog;
	readonly #isOwner: boolean;
	readonly #finished: Map<number, Report>;
	readonly #timers: NodeJS.Timeout[] = [];
	/** One renewal at a time, so that none overtakes another. */
	#beat: Promise<void> | undefined;
	#writing: Promise<void> | undefined;
	/** The newest progress, and whether it is written. */
	#progress: { readonly file: ProgressFile; readonly isWritten: boolean } | undefined;
	#metrics: MetricsServer | undefined;
	#hasEnded = false;
	/** Reports that could not be kept. */
	#unkept = 0;
	#reason: string | undefined;
	#settled = () => {};

	/** `isOwner`: nobody else will write how the run ended. */
	constructor(
		readonly folder: string,
		isOwner: boolean,
	) {
		this.facts = readRun(folder);
		this.placement = placementIn(folder);
		this.log = new RunLog(folder);
		this.#isOwner = isOwner;
		this.#finished = new Map(readReports(folder).map(({ input, report }) => [input, report]));
	}

	/**
	 * Begins the run; `stop` is called on a request to stop. Returns the address of metrics, if any. A run that cannot begin leaves nothing if it has no
	 * supervisor; one that has begun before has failed.
	 */
	async begin(stop: (request: StopRequest) => void): Promise<string | undefined> {
		this.#settled = onFailure({ remedy: this.remedy.replace(/^; /, ""), record: (reason) => this.#failed(reason) });
		try {
			const address = process.env[METRICS_VARIABLE] ?? "";
			if (address !== "")
				this.#metrics = await serveMetricsInThread(this.folder, metricsAddress(address, METRICS_VARIABLE));
		} catch (error) {
			if (this.hasBegun) throw launchError(error);
			if (this.#isOwner) removeEmpty(this.folder);
			throw error;
		}
		const before = readState(this.folder).attempt;
		const attempt = this.#isOwner ? before + 1 : before;
		changeState(this.folder, { status: "running", attempt });
		this.log.write("run", "info", "line", { words: this.facts.line.join(" "), attempt, pid: process.pid });
		const beat = setInterval(() => this.#renew(), HEARTBEAT_MS);
		let isLooking = false;
		const look = setInterval(async () => {
			if (isLooking) return;
			isLooking = true;
			const request = await lookForStop(this.folder);
			isLooking = false;
			if (request === undefined || this.#hasEnded) return;
			clearInterval(look);
			this.log.write("run", "info", "asked to stop", { now: request.isNow });
			stop(request);
		}, STOP_POLL_MS);
		this.#timers.push(beat, look);
		// These timers must not keep the process alive.
		for (const timer of this.#timers) timer.unref();
		return this.#metrics?.url;
	}

	get hasBegun(): boolean {
		return hasBegun(this.folder);
	}

	/** Whether the line is started again where a rank is lost. */
	get hasRestarts(): boolean {
		return !this.#isOwner && Number(process.env[RESTARTS_VARIABLE] ?? 0) > 0;
	}

	/** What can be done about a loss, where no supervisor says so. */
	get remedy(): string {
		return this.#isOwner ? `; stickslip resume ${this.facts.id} continues it` : "";
	}

	#renew(): void {
		this.#beat ??= renewState(this.folder)
			.catch((error: unknown) => this.#warn("state", error))
			.finally(() => {
				this.#beat = undefined;
			});
	}

	/** The report of an input that was finished before the line was started again. */
	finished(input: number, problem: string): Report | undefined {
		const report = this.#finished.get(input);
		return report?.problem === problem ? report : undefined;
	}

	/** A process that ended while it wrote its answer has left checkpoints, which are no longer needed. */
	removeCheckpoints(input: number): void {
		try {
			rmSync(join(this.folder, FILES.checkpoints, String(input)), { recursive: true, force: true });
		} catch (error) {
			this.#warn("checkpoints", error);
		}
	}

	/** Whether its report is saved: then its solve is not resumed. */
	isFinished(input: number): boolean {
		return this.#finished.has(input);
	}

	/** What to call with each progress of a problem. */
	progressHandler({
		problem,
		measure,
		tolerance,
		...rest
	}: About): (progress: Progress, more?: Partial<ProgressFile>) => void {
		const tracker = new ProgressTracker(problem, measure, tolerance, this.#firstOf(rest.input));
		let writtenAt = -Infinity;
		return (progress, more) => {
			const file: ProgressFile = { ...tracker.take(progress), ...rest, ...more, updated: now() };
			const moment = performance.now();
			const isWritten = moment - writtenAt >= PROGRESS_MS && this.#writing === undefined;
			this.#progress = { file, isWritten };
			if (!isWritten) return;
			writtenAt = moment;
			this.#writing = this.#writeProgress(file).finally(() => {
				this.#writing = undefined;
			});
		};
	}

	/** What to call with each progress of a simulation. */
	simulationHandler(scene: string, measure: string, tolerance: number): (view: SimulationView) => void {
		const record = this.progressHandler({ problem: scene, measure, tolerance, input: 0, inputs: 1, contacts: 0 });
		return (view) => {
			const { step, steps, time, bodies, contacts, iterations, failedSteps, seconds, left } = view;
			const rest = { step, steps, time, bodies, iterations, failedSteps, ...(left !== undefined && { left }) };
			const solve = { iterations: step, products: 0, error: Number.NaN, exact: false, method: "simulation" };
			record({ ...solve, seconds }, { contacts, simulation: rest });
		};
	}

	/** The current solve has ended: its last iteration counts, not the last one reported. */
	reached({ iterations, products, ...report }: Report): void {
		if (this.#progress === undefined) return;
		const file = { ...this.#progress.file, iterations, products, error: errorOf(report), exact: true };
		this.#progress = { file: { ...file, updated: now() }, isWritten: false };
	}

	async #writeProgress(file: ProgressFile): Promise<void> {
		await replaceJsonLater(join(this.folder, FILES.progress), file).catch((error: unknown) => {
			this.#warn("progress", error);
		});
	}

	/** The first error of a problem that is resumed: its progress bar continues. */
	#firstOf(input: number): number | undefined {
		try {
			const before = readProgress(this.folder);
			return before?.input === input ? before.first : undefined;
		} catch {
			return undefined;
		}
	}

	/** The service listens at these addresses. */
	listening(facts: ServiceFacts): void {
		try {
			writeService(this.folder, facts);
		} catch (error) {
			this.#warn("service", error);
		}
	}

	/** The checkpointer of an input's solve; undefined if the run has no checkpoints. */
	async checkpointer(input: number, problem: Problem, options: SolveOptions): Promise<Checkpointer | undefined> {
		if (this.facts.checkpoint === undefined) return undefined;
		if ((options.repeat ?? 1) > 1) {
			this.log.write("run", "warn", "no checkpoints", { reason: "the solve is repeated" });
			return undefined;
		}
		return await this.checkpointerOf(input, solveIdentity(problem, options));
	}

	/** The same for any identity. */
	async checkpointerOf(input: number, identity: Identity): Promise<Checkpointer | undefined> {
		const { checkpoint } = this.facts;
		if (checkpoint === undefined) return undefined;
		const folder = join(this.folder, FILES.checkpoints, String(input));
		return await openCheckpointer({ folder, interval: checkpoint, identity, log: this.log });
	}

	/** Keeps a report; returns why it could not be kept, if it could not. */
	async add(input: number, report: Report): Promise<string | undefined> {
		const { status, iterations, hash } = report;
		this.log.write("run", status === "solved" ? "info" : "warn", "report", { input, status, iterations, hash });
		try {
			await keepReport(this.folder, { input, report });
			this.#finished.set(input, report);
			return undefined;
		} catch (error) {
			this.#warn("report", error);
			this.#unkept += 1;
			const reason = messageOf(error);
			this.explain(reason);
			return reason;
		}
	}

	/**
	 * The line has ended; `isCancelled`: it was stopped on request without a checkpoint. Returns its exit code: a run whose reports could not be saved has
	 * failed, whatever they said.
	 */
	async end(ended: ExitCode, isCancelled = false): Promise<ExitCode> {
		this.#hasEnded = true;
		for (const timer of this.#timers) clearInterval(timer);
		await Promise.all([this.#beat, this.#writing]);
		if (this.#progress?.isWritten === false) await this.#writeProgress(this.#progress.file);
		this.#metrics?.close();
		this.#settled();
		const isUnproven = ended === 1 && !isCancelled && !provesUnsolved(this.folder);
		const code = isUnproven || ((ended === 0 || ended === 1) && this.#unkept > 0) ? 3 : ended;
		this.log.write("run", code === 0 || code === 75 ? "info" : "warn", "line ended", { code });
		await this.log.flush();
		if (isCancelled) changeState(this.folder, { status: "cancelled" });
		if (!this.#isOwner) {
			if (code === 3 || code === 2) this.#passOnReason();
			return code;
		}
		endState(this.folder, code, undefined, this.#reason);
		if (code !== 75) removeSecret(this.folder);
		return code;
	}

	/** Nothing asynchronous: the process exits. */
	#failed(reason: string): void {
		this.log.write("run", "error", "failed", { reason });
		this.explain(reason);
		if (this.#isOwner) endState(this.folder, 3, undefined, reason);
		else this.#passOnReason();
	}

	/** Why the run fails, if it does: saved with its state, since the messages of a batch job may be lost on a full disk. */
	explain(reason: string): void {
		this.#reason ??= reason;
	}

	/** To the supervisor, which says how the run ended. */
	#passOnReason(): void {
		if (this.#reason !== undefined) changeState(this.folder, { status: "running", reason: this.#reason });
	}

	#warn(what: string, error: unknown): void {
		const reason = messageOf(error);
		this.log.write("run", "warn", "not written", { what, reason });
	}
}
