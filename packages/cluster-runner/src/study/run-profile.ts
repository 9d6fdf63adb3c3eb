/** Solves every problem in every variant to every tolerance, on warm ranks side by side, and keeps each cell as soon as it is there. */
import { cpus } from "node:os";
import { errorOf, InputError, type Problem, type Session, version } from "@stickslip/core";
import { messageOf } from "../base/errors.js";
import { load } from "../files/load.js";
import type { MethodVariant, StudyRequest } from "../requests/study-request.js";
import { openSession, type SessionOptions } from "../session/open-session.js";
import { type Cell, CellFile, keyOf, type StudyHead } from "./cells.js";

/** Of a study, with its files one by one. */
export interface ProfileRequest
	extends Pick<
		StudyRequest,
		"variants" | "tolerances" | "measure" | "timeLimit" | "maxIterations" | "repeat" | "jobs"
	> {
	readonly files: readonly string[];
}

/** How far a study is. */
export interface StudyProgress {
	readonly done: number;
	readonly all: number;
	readonly last: Cell | undefined;
}

function headOf({ measure, timeLimit, maxIterations, repeat }: ProfileRequest): StudyHead {
	const processor = cpus()[0]?.model.trim() ?? "unknown";
	return { study: "profile", version, measure, timeLimit, maxIterations, repeat, processor };
}

export class ProfileStudy {
	readonly cells: CellFile;
	readonly #request: ProfileRequest;
	readonly #signal: AbortSignal;
	readonly #told: (progress: StudyProgress) => void;
	#done = 0;

	constructor(path: string, request: ProfileRequest, signal: AbortSignal, told: (progress: StudyProgress) => void) {
		this.cells = new CellFile(path, headOf(request));
		this.#request = request;
		this.#signal = signal;
		this.#told = told;
	}

	/** Of this request, in its order: those that are there. */
	get results(): Cell[] {
		return this.#wanted.flatMap((cell) => this.cells.cells.get(keyOf(cell)) ?? []);
	}

	/** True where every cell is there. */
	get isComplete(): boolean {
		return this.results.length === this.#wanted.length;
	}

	get #wanted(): { readonly problem: string; readonly variant: string; readonly tolerance: number }[] {
		const { files, variants, tolerances } = this.#request;
		return files.flatMap((problem) =>
			tolerances.flatMap((tolerance) => variants.map(({ name }) => ({ problem, variant: name, tolerance }))),
		);
	}

	/** Returns when all is done, or soon after the signal. Whoever has started ranks says which, and all of them solve unless fewer jobs are wanted. */
	async run(started?: Pick<SessionOptions, "placement" | "log">): Promise<void> {
		const { files, jobs } = this.#request;
		this.#done = this.results.length;
		if (this.isComplete) return;
		const session = await openSession({ ...(started ?? { ranks: jobs ?? 1 }), cutFrom: Number.POSITIVE_INFINITY });
		const busyMax = Math.min(session.ranks, jobs ?? session.ranks);
		try {
			const busy = new Set<Promise<void>>();
			for (const file of files) {
				for (const work of await this.#worksOf(file, session)) {
					if (this.#signal.aborted) break;
					const promise: Promise<void> = work().finally(() => busy.delete(promise));
					busy.add(promise);
					if (busy.size >= busyMax) await Promise.race(busy);
				}
			}
			await Promise.all(busy);
		} finally {
			await session.close();
		}
	}

	/** What is left to do for a file. One that cannot be read has failed in every variant. */
	async #worksOf(file: string, session: Session): Promise<(() => Promise<void>)[]> {
		const { variants, tolerances } = this.#request;
		const left = tolerances.flatMap((tolerance) =>
			variants
				.filter(({ name }) => !this.cells.cells.has(keyOf({ problem: file, variant: name, tolerance })))
				.map((variant) => ({ variant, tolerance })),
		);
		if (left.length === 0 || this.#signal.aborted) return [];
		try {
			const { problem } = await load(file);
			return left.map(
				({ variant, tolerance }) =>
					() =>
						this.#solve(session, file, problem, variant, tolerance),
			);
		} catch (error) {
			if (!(error instanceof InputError)) throw error;
			for (const { variant, tolerance } of left) this.#keep(failed(file, variant, tolerance, error));
			return [];
		}
	}

	async #solve(
		session: Session,
		file: string,
		problem: Problem,
		variant: MethodVariant,
		tolerance: number,
	): Promise<void> {
		const { measure, timeLimit, maxIterations, repeat } = this.#request;
		try {
			const { report } = await session.solve(problem, {
				method: variant.method,
				set: variant.set,
				tolerance,
				measure,
				timeLimit,
				...(maxIterations !== undefined && { maxIterations }),
				repeat,
				signal: this.#signal,
			});
			// A stopped solve says nothing about the method.
			if (report.status === "cancelled") return;
			const { status, reason, seconds, iterations, products, hash, contacts } = report;
			const error = errorOf(report);
			this.#keep({
				problem: file,
				variant: variant.name,
				tolerance,
				contacts,
				status,
				reason,
				seconds,
				iterations,
				products,
				error,
				hash,
			});
		} catch (error) {
			if (!(error instanceof InputError)) throw error;
			this.#keep(failed(file, variant, tolerance, error));
		}
	}

	#keep(cell: Cell): void {
		this.cells.add(cell);
		this.#done += 1;
		this.#told({ done: this.#done, all: this.#wanted.length, last: cell });
	}
}

/** A method that cannot take a problem has not solved it. */
function failed(problem: string, variant: MethodVariant, tolerance: number, error: InputError): Cell {
	const nothing = { contacts: 0, seconds: 0, iterations: 0, products: 0, error: Number.MAX_VALUE, hash: "" };
	return { problem, variant: variant.name, tolerance, status: "failed", reason: messageOf(error), ...nothing };
}
