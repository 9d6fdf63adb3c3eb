/** placement.json as it is written, damaged, and of another kind. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { InputError, Random } from "@stickslip/core";
import { afterAll, describe, expect, it } from "vitest";
import { emptyFolder } from "../../testing/run-cli.js";
import { type Placement, placementIn } from "./placement.js";

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
		const file = join(folder, "placement.json");
		writeFileSync(file, JSON.stringify(placement));
		expect(placementIn(folder)).toEqual(placement);
		writeFileSync(file, JSON.stringify(placement).slice(0, -1));
		expect(() => placementIn(folder)).toThrow(
			/placement\.json: line 1, column \d+: is not JSON.*; launch the run again$/,
		);
		rmSync(file);
		expect(placementIn(folder)).toBeUndefined();
	});

	it.each<[string, unknown, string]>([
		["a place that is none", { ...placement, where: "a moon" }, "where: is not"],
		["no nodes", { ...placement, nodes: 0 }, "nodes: is not"],
		["a host too few", { ...placement, hosts: ["a"] }, "hosts: 1 hosts for 2 nodes"],
		["too many ranks", { ...placement, ranksPerNode: 600 }, "nodes: 2 nodes of 600 ranks are more than 1024 ranks"],
		["something more", { ...placement, gift: 1 }, "gift: "],
		["a field too few", { ...placement, between: undefined }, "between: is missing"],
		["no time to wait", { ...placement, waitSeconds: 0 }, "waitSeconds: is not"],
		["no object", [], "file: is not a JSON object"],
	])("is refused with %s", (_, value, message) => {
		writeFileSync(join(folder, "placement.json"), JSON.stringify(value));
		expect(() => placementIn(folder)).toThrow(`placement.json: ${message}`);
	});

	it("that was damaged is a placement or an InputError, in 1000 seeded rounds", () => {
		const whole = JSON.stringify(placement);
		const file = join(folder, "placement.json");
		for (let seed = 0; seed < 1000; seed += 1) {
			const random = new Random(seed);
			const bytes = Buffer.from(whole);
			for (let flips = 1 + random.below(3); flips > 0; flips -= 1)
				bytes[random.below(bytes.length)]! ^= 1 << random.below(8);
			writeFileSync(file, bytes);
			try {
				const { nodes, ranksPerNode } = placementIn(folder)!;
				expect(nodes >= 1 && nodes * ranksPerNode <= 1024, `seed ${seed}`).toBe(true);
			} catch (error) {
				expect(error, `seed ${seed}`).toBeInstanceOf(InputError);
			}
		}
	});
});
