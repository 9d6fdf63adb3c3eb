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
});
