/** The hub when checkpoints are due: which rank is asked, and which saved states are kept. */
import { describe, expect, it } from "vitest";
import { failureOf, hubOfTwo, taskOfNumbers } from "../../testing/hub-of-two.js";
import { packLargeMessage } from "../protocol/large-message.js";
import { STATES } from "../protocol/messages.js";
import { memoryLog, open, Playground, stateAt } from "../testing/checkpoints.js";
import { RunEvents } from "./run-events.js";

describe("the hub and checkpoints", () => {
	it("asks rank 0's process to save when a checkpoint is due and all ranks iterate, and keeps what they save", async () => {
		const play = new Playground();
		try {
			const log = memoryLog();
			const checkpointer = await open(play.folder(), { log });
			const events = new RunEvents({ ranks: 2, checkpointer, log });
			const { hub, outcome, hello, kinds } = hubOfTwo(taskOfNumbers(events));
			checkpointer.request();
			hello(0);
			hello(1);
			hub.take("m0", { kind: "ready", rank: 0 });
			hub.take("m1", { kind: "ready", rank: 0 });
			hub.beat();
			expect([kinds("m0").includes("save"), hub.dropped]).toEqual([false, 1]);
			hub.take("m1", { kind: "ready", rank: 1 });
			hub.beat();
			hub.beat();
			expect(["m0", "m1"].map((to) => kinds(to).filter((kind) => kind === "save").length)).toEqual([1, 0]);
			hub.take("m1", { kind: "unsaved", rank: 1, iteration: 7, reason: "the disk is full" });
			for (const { message, bytes } of packLargeMessage(STATES, stateAt(7))) hub.take("m0", message, bytes);
			await checkpointer.settle();
			expect([hub.failure, checkpointer.lost, checkpointer.last]).toEqual([undefined, "the disk is full", undefined]);
			hub.take("m1", { kind: "log", rank: 1, level: "warn", event: "hot", facts: { degrees: 90 } });
			expect(log.lines.map(({ event }) => event)).toEqual([
				...["connected", "connected", "ready", "ready", "ready"],
				...["unsaved", "saved", "checkpoint-lost", "hot"],
			]);
			for (const { message, bytes } of packLargeMessage(STATES, { iteration: 7 })) hub.take("m0", message, bytes);
			expect((await failureOf(outcome)).message).toBe("rank 0 sent an invalid message: not a valid state");
			await checkpointer.close();
		} finally {
			play.remove();
		}
	});

	it("refuses a state in the name of another rank", async () => {
		const { hub, outcome, hello } = hubOfTwo();
		hello(0);
		for (const { message, bytes } of packLargeMessage(STATES + 1, stateAt(7))) hub.take("m0", message, bytes);
		expect((await failureOf(outcome)).message).toMatch(/^rank 0 sent an invalid message: /);
	});
});
