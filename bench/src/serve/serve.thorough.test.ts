/** The service as a process with clients of three languages, at a tiny size: no answer is lost or another's, whoever is killed. */
import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type ServeSettings, serve } from "./main.js";

const reason = existsSync("/proc/self/task") ? undefined : "there is no /proc here";
const tiny: ServeSettings = {
	...{ requests: 240, contacts: 40, clients: 4, seconds: 2, ranks: 2 },
	transport: "threads",
	isTiny: true,
};

describe.skipIf(reason !== undefined)(`serve, needs: ${reason ?? "nothing more"}`, () => {
	it.each(["load", "soak", "kill-client", "kill-rank", "strangers"] as const)("%s", async (part) => {
		const said: string[] = [];
		const rows = await serve(part, tiny, (line) => said.push(line));
		expect(rows.length).toBeGreaterThan(3);
		// Times are of a busy machine; that one was let in again at all is what is looked at here.
		const isTime = (what: string) => what.startsWith("ratio") || what.endsWith("the most");
		const missed = rows.filter(({ held, what }) => held === "NO" && !isTime(what));
		expect(missed, said.join("\n")).toEqual([]);
		if (part === "load") expect(rows).toContainEqual(expect.objectContaining({ what: "requests sent", value: "240" }));
	});
});
