import { describe, expect, it } from "vitest";
import { type Place, Queue } from "./queue.js";

/** Requests in the order in which they began, as "name@rank"; all that can begin have done so when it resolves. */
function watched(ranks: number) {
	const queue = new Queue(ranks);
	const begun: string[] = [];
	const enter = (name: string, place: Place) => {
		const waiting = queue.enter(place);
		void waiting.turn.then((rank) => begun.push(`${name}@${rank}`));
		return waiting;
	};
	const settled = async () => {
		await new Promise((resolve) => setTimeout(resolve, 0));
		return begun.splice(0);
	};
	return { queue, enter, settled };
}

describe("the queue of a session", () => {
	it("gives each request a free rank, and the others their turn in order", async () => {
		const { queue, enter, settled } = watched(2);
		for (const name of ["a", "b", "c", "d"]) enter(name, "any");
		expect(await settled()).toEqual(["a@0", "b@1"]);
		queue.end("any", 1);
		expect(await settled()).toEqual(["c@1"]);
		queue.end("any", 0);
		expect(await settled()).toEqual(["d@0"]);
	});

	it("waits with one for all until all are free, and nothing small passes it", async () => {
		const { queue, enter, settled } = watched(2);
		enter("small", "any");
		enter("large", "all");
		enter("late", "any");
		expect(await settled()).toEqual(["small@0"]);
		queue.end("any", 0);
		expect(await settled()).toEqual(["large@0"]);
		queue.end("all", 0);
		expect(await settled()).toEqual(["late@0"]);
	});

	it("lets others pass one that waits for a certain rank", async () => {
		const { queue, enter, settled } = watched(2);
		enter("first", 0);
		enter("second", 0);
		enter("other", "any");
		expect(await settled()).toEqual(["first@0", "other@1"]);
		queue.end(0, 0);
		expect(await settled()).toEqual(["second@0"]);
	});

	it("forgets who leaves, which may be what others waited for, and does not mind who leaves late", async () => {
		const { queue, enter, settled } = watched(2);
		const small = enter("small", "any");
		const large = enter("large", "all");
		enter("late", "any");
		expect(await settled()).toEqual(["small@0"]);
		large.leave();
		expect(await settled()).toEqual(["large@undefined", "late@1"]);
		small.leave();
		large.leave();
		queue.end("any", 0);
		queue.end("any", 1);
		enter("next", "all");
		expect(await settled()).toEqual(["next@0"]);
	});
});
