/** Assertions of all transports on a halo plan when it is opened, and on vectors that are exchanged with it. */
import { assert, type HaloPlan } from "@stickslip/core/parallel";

/** Throws unless the plan is valid for this rank; returns how many numbers a vector must have at least. Several messages to one rank are for measuring. */
export function checkPlan(plan: HaloPlan, rank: number, size: number, mayRepeat = false): number {
	assert(Number.isInteger(plan.width) && plan.width > 0, "a block has a positive number of numbers");
	const apart = mayRepeat ? 0 : 1;
	const sent = checkSide(plan.targets, plan.sendStart, plan.send, { rank, size, apart });
	const received = checkSide(plan.sources, plan.receiveStart, plan.receive, { rank, size, apart });
	return (Math.max(sent, received) + 1) * plan.width;
}

/** The largest place of one side, -1 where there is none. */
function checkSide(
	ranks: Int32Array,
	start: Int32Array,
	places: Int32Array,
	{ rank, size, apart }: Readonly<Record<"rank" | "size" | "apart", number>>,
): number {
	assert(start.length === ranks.length + 1 && start[0] === 0, "a halo plan has one start per neighbour, and an end");
	assert(start[ranks.length] === places.length, "a halo plan's last start is its number of places");
	let before = -1;
	for (const [i, other] of ranks.entries()) {
		assert(other >= before + apart && other >= 0 && other < size, `a halo plan's ranks ascend and are below ${size}`);
		assert(other !== rank, `rank ${rank} is not a neighbour of its own`);
		assert((start[i] ?? 0) <= (start[i + 1] ?? -1), "a halo plan's starts do not descend");
		before = other;
	}
	return places.reduce((largest, place) => {
		assert(place >= 0, "a place in a vector is not negative");
		return Math.max(largest, place);
	}, -1);
}
