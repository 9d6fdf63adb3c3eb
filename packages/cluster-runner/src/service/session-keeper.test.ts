import { describe, expect, it } from "vitest";
import { PlayedSession } from "../../testing/played-session.js";
import { SessionKeeper } from "./session-keeper.js";

describe("ranks", () => {
	const noLog = () => {};

	it("that come late are waited for: clients are welcome, and their requests solved, when they are there", async () => {
		let open = (_: PlayedSession) => {};
		const opening = new Promise<PlayedSession>((resolve) => {
			open = resolve;
		});
		const keeper = new SessionKeeper(() => opening, noLog);
		const started = keeper.start();
		const session = keeper.session();
		open(new PlayedSession(3));
		await started;
		expect([(await session).ranks, keeper.ranks, keeper.ranksLast]).toEqual([3, 3, 3]);
	});

	it("that cannot be started again are tried for as often as was said", async () => {
		const lines: string[] = [];
		const sessions = [new PlayedSession(2)];
		const open = async () => sessions.shift() ?? Promise.reject(new Error("no hosts"));
		const keeper = new SessionKeeper(open, (line) => lines.push(line), 2);
		await keeper.start();
		const session = await keeper.session();
		// No request is pending, but the loss is noticed all the same.
		(session as PlayedSession).lose();
		expect(await keeper.failed).toMatchObject({ message: "the ranks could not be started again, 2 times" });
		await expect(keeper.session()).rejects.toThrow("could not be started again");
		expect([keeper.ranks, keeper.ranksLast, keeper.losses]).toEqual([0, 2, 1]);
		expect(lines.filter((line) => line.endsWith("could not be started (no hosts)"))).toHaveLength(2);
	});

	it("that cannot be started at all are the caller's error", async () => {
		const keeper = new SessionKeeper(() => Promise.reject(new Error("no hosts")), noLog);
		await expect(keeper.start()).rejects.toThrow("no hosts");
		await keeper.close();
	});
});
