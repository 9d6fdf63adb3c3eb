/** Two minutes of the soak that `npm run prove` has for an hour: memory and handles stay as they are. */
import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { serve } from "./main.js";

const reason = existsSync("/proc/self/task") ? undefined : "there is no /proc here";
const settings = { requests: 0, contacts: 100, clients: 8, seconds: 120, ranks: 2, transport: "threads" };

it.skipIf(reason !== undefined)(`two minutes of 8 clients, needs: ${reason ?? "nothing more"}`, async () => {
	const said: string[] = [];
	const rows = await serve("soak", settings, (line) => said.push(line));
	expect(rows.filter(({ limit }) => limit.endsWith("more"))).toHaveLength(2);
	expect(
		rows.filter(({ held }) => held === "NO"),
		said.join("\n"),
	).toEqual([]);
});
