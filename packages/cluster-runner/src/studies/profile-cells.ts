/** The cells of a study of profiles: every problem in every variant to every tolerance, on warm ranks side by side. */
import { errorOf, type Problem, type Session } from "@stickslip/core";
import { load } from "../files/load.js";
import type { MethodVariant, ProfileRequest } from "../requests/study-request.js";
import { LastMade } from "../study/last-made.js";
import type { CellPlan, PlannedCell } from "../study/run-cells.js";
import type { Measured } from "../study/sample.js";

/** Of a study, with its files one by one. */
interface SolveRequest
	extends Pick<ProfileRequest, "variants" | "tolerances" | "measure" | "timeLimit" | "maxIterations" | "repeat"> {
	readonly files: readonly string[];
}

/** `session` is asked for when there is something to solve. */
export function profileCells(request: SolveRequest, session: () => Promise<Session>, signal: AbortSignal): CellPlan {
	const problems = new LastMade<Problem>();
	const loaded = (file: string) => problems.get(file, async () => (await load(file)).problem);
	const groups = request.files.map((file): PlannedCell[] =>
		request.tolerances.flatMap((tolerance) =>
			request.variants.map((variant) => ({
				axes: { problem: file, variant: variant.name, tolerance },
				measure: async () => solve(await session(), await loaded(file), { request, variant, tolerance, signal }),
			})),
		),
	);
	return { groups, rounds: 1 };
}

interface SolveCell {
	readonly request: SolveRequest;
	readonly variant: MethodVariant;
	readonly tolerance: number;
	readonly signal: AbortSignal;
}

async function solve(
	session: Session,
	problem: Problem,
	{ request, variant, tolerance, signal }: SolveCell,
): Promise<Measured | undefined> {
	const { measure, timeLimit, maxIterations, repeat } = request;
	const { report } = await session.solve(problem, {
		method: variant.method,
		set: variant.set,
		...{ tolerance, measure, timeLimit, repeat, signal },
		...(maxIterations !== undefined && { maxIterations }),
	});
	// A stopped solve says nothing about the method.
	if (report.status === "cancelled") return undefined;
	const { status, reason, hash, contacts, seconds, iterations, products } = report;
	return { status, reason, hash, values: { contacts, seconds, iterations, products, error: errorOf(report) } };
}
