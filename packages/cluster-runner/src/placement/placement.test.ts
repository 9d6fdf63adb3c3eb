/** gang.json as it is written, damaged, and of another kind. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { InputError, Random } from "@stickslip/core";
import { afterAll, describe, expect, it } from "vitest";
import { emptyFolder } from "../../testing/run-cli.js";
import { checkPlacement, type Placement, readPlacement } from "./placement.js";

const folder = emptyFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const placement: Placement = {
	where: "ssh",
	nodes: 2,
	ranksPerNode: 4,
	between: "zeromq",
	hosts: ["a", "b"],
	waitSeconds: 60,
};

describe("a placement", () => {
	it("is read as it was written", () => {
		const file = join(folder, "gang.json");
		writeFileSync(file, JSON.stringify(placement));
		expect(readPlacement(file)).toEqual(placement);
		writeFileSync(file, JSON.stringify(placement).slice(0, -1));
		expect(() => readPlacement(file)).toThrow(
			/gang\.json: placement: (is not JSON|cannot be read \(\w+\)); launch the run again$/,
		);
		expect(() => readPlacement(join(folder, "none"))).toThrow(/ENOENT/);
	});

	it.each<[string, unknown, string]>([
		["a place that is none", { ...placement, where: "moon" }, "where: is not"],
		["no nodes", { ...placement, nodes: 0 }, "nodes: is not"],
		["a host too few", { ...placement, hosts: ["a"] }, "hosts: 1 hosts for 2 nodes"],
		["too many ranks", { ...placement, ranksPerNode: 600 }, "nodes: 2 nodes of 600 ranks are more than 1024 ranks"],
		["something more", { ...placement, gift: 1 }, "gift: is not"],
		["no time to wait", { ...placement, waitSeconds: 0 }, "waitSeconds: is not"],
		["no object", [], "placement: is not"],
	])("is refused with %s", (_, value, message) => {
		expect(() => checkPlacement(value, "f")).toThrow(`f: ${message}`);
	});

	it("that was damaged is a placement or an InputError, in 1000 seeded rounds", () => {
		const whole = JSON.stringify(placement);
		const file = join(folder, "damaged.json");
		for (let seed = 0; seed < 1000; seed += 1) {
			const random = new Random(seed);
			const bytes = Buffer.from(whole);
			for (let flips = 1 + random.below(3); flips > 0; flips -= 1)
				bytes[random.below(bytes.length)]! ^= 1 << random.below(8);
			writeFileSync(file, bytes);
			try {
				const { nodes, ranksPerNode } = readPlacement(file);
				expect(nodes >= 1 && nodes * ranksPerNode <= 1024, `seed ${seed}`).toBe(true);
			} catch (error) {
				expect(error, `seed ${seed}`).toBeInstanceOf(InputError);
			}
		}
	});
});
