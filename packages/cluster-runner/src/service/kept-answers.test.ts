import { describe, expect, it, vi } from "vitest";
import { KeptAnswers } from "./kept-answers.js";

const answer = (bytes: number, mark = 0) => [Uint8Array.of(mark), new Uint8Array(bytes - 1)];

describe("kept answers", () => {
	it("stay within their bytes: the oldest go first", () => {
		const kept = new KeptAnswers({ seconds: 10, bytes: 100 });
		for (const id of ["a", "b", "c"]) kept.put(id, answer(40));
		expect([kept.get("a"), kept.get("b")?.length, kept.bytes]).toEqual([undefined, 2, 80]);
		kept.put("large", answer(101));
		expect([kept.get("large"), kept.bytes]).toEqual([undefined, 0]);
	});

	it("are replaced and forgotten with their bytes", () => {
		const kept = new KeptAnswers({ seconds: 10, bytes: 100 });
		kept.put("a", answer(40));
		kept.put("a", answer(30, 7));
		expect([kept.get("a")?.[0], kept.bytes]).toEqual([Uint8Array.of(7), 30]);
		kept.forget("a");
		kept.forget("a");
		expect([kept.get("a"), kept.bytes]).toEqual([undefined, 0]);
	});

	it("are swept when their time is over", () => {
		const clock = vi.spyOn(performance, "now").mockReturnValue(0);
		const kept = new KeptAnswers({ seconds: 10, bytes: 100 });
		kept.put("a", answer(10));
		clock.mockReturnValue(6000);
		kept.put("b", answer(10));
		clock.mockReturnValue(10_001);
		kept.sweep();
		expect([kept.get("a"), kept.get("b")?.length, kept.bytes]).toEqual([undefined, 2, 10]);
		clock.mockRestore();
	});

	it("share their bytes with warm starts, which are dropped where they are", () => {
		const dropped: string[] = [];
		const kept = new KeptAnswers({ seconds: 10, bytes: 100 });
		const series = (name: string, bytes: number) => kept.putSeries(name, bytes, () => dropped.push(name));
		kept.put("a", answer(30));
		series("a", 30);
		series("b", 30);
		// A series that comes twice is in memory once.
		series("a", 40);
		expect([kept.bytes, dropped]).toEqual([100, []]);
		kept.put("c", answer(60));
		expect([kept.get("a"), kept.bytes, dropped]).toEqual([undefined, 100, ["b"]]);
		kept.forget("a");
		expect(dropped).toEqual(["b"]);
		kept.forgetSeries();
		expect([kept.bytes, dropped, kept.get("c")?.length]).toEqual([60, ["b", "a"], 2]);
		series("large", 101);
		expect([kept.bytes, dropped]).toEqual([0, ["b", "a", "large"]]);
		series("d", 10);
		kept.put("e", answer(10));
		kept.clear();
		expect([kept.bytes, dropped.at(-1)]).toEqual([0, "d"]);
	});
});
