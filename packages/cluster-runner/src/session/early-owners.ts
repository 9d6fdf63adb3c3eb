/** Owners of contacts, found by a rank while this thread makes the plan: ranks have nothing else to do then. */
import type { Problem } from "@stickslip/core";
import { array, type Check, oneOf, record } from "@stickslip/core/schema";
import { type PartitionMethod, type PointOwners, pointCutOf } from "@stickslip/partition";
import type { Done, FindOwners } from "../programs/session.js";
import type { Ranks } from "../ranks/ranks.js";
import { plain } from "./plain-problem.js";
import { isDone, oneRankTask } from "./single-rank-task.js";

/**
 * By the last rank. Undefined where owners follow from the plan, and where the rank has found none. The problem need not have been checked. It never rejects: if the
 * rank has failed, the next task says so.
 */
export async function findOwners(
	ranks: Ranks,
	problem: Problem,
	partition: PartitionMethod = "auto",
): Promise<PointOwners | undefined> {
	const pointCut = partition === "auto" || partition === "rcb" ? pointCutOf(problem) : undefined;
	if (pointCut === undefined) return undefined;
	const part: FindOwners = { pointCut: plain(pointCut), among: ranks.ranks };
	const isOwners = record({
		owner: array(Int32Array, problem.contacts),
		operator: oneOf(["assembled", "matrix-free", "global"]),
	}) as Check<PointOwners>;
	const isResult = (value: unknown): value is PointOwners | Done => isOwners(value) || isDone(value);
	try {
		const [found] = await ranks.run({ ...oneRankTask(part, isResult), alone: ranks.ranks - 1 });
		return found !== undefined && "owner" in found ? found : undefined;
	} catch {
		return undefined;
	}
}
