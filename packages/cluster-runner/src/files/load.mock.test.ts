/** Files of the plain kind are read without HDF5, and all others with it, to the same problem. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generate, InputError } from "@stickslip/core";
import { File, ready } from "h5wasm/node";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { loadHdf5 } from "../base/hdf5.js";
import { describe, load } from "./load.js";
import { saveGenerated } from "./save.js";

vi.mock(import("../base/hdf5.js"), async (original) => {
	const real = await original();
	return { ...real, loadHdf5: vi.fn(real.loadHdf5) };
});

const folder = mkdtempSync(join(tmpdir(), "stickslip-load-"));
const [plain, packed] = [join(folder, "plain.hdf5"), join(folder, "packed.hdf5")];

beforeAll(async () => {
	await ready;
	const problem = generate("spheres", { contacts: 40, seed: 2 });
	const { point, body } = problem.geometry;
	await saveGenerated(plain, problem, "global");
	await saveGenerated(packed, { ...problem, geometry: { body } as typeof problem.geometry }, "global");
	const file = new File(packed, "a");
	const geometry = file.get("/geometry");
	if (geometry === null || !("create_dataset" in geometry)) throw new Error("no geometry");
	const shape = [point.length / 3, 3];
	geometry.create_dataset({ name: "point", data: point, shape, chunks: shape, compression: "gzip" });
	file.close();
});
beforeEach(() => vi.mocked(loadHdf5).mockClear());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a plain file without HDF5, a packed one with it: the same problem", async () => {
	const one = await load(plain, "one");
	expect(await describe(plain, "one")).toMatchObject({ problem: one.problem });
	expect(loadHdf5).not.toHaveBeenCalled();
	const other = await load(packed, "one");
	expect(loadHdf5).toHaveBeenCalledTimes(1);
	expect(other).toEqual(one);
});

test.each([
	["plain", plain],
	["packed", packed],
])("memory is checked once, and what the check throws is final: %s", async (_, path) => {
	const check = vi.fn();
	await load(path, "one", check);
	expect(check).toHaveBeenCalledTimes(1);
	const refusing = () => {
		throw new InputError("one", "memory", "is short", "wait");
	};
	await expect(load(path, "one", refusing)).rejects.toThrow(/^one: memory: is short; wait$/);
});
