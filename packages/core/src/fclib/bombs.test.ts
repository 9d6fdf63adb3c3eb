/** Small files that unpack to much: refused by their headers, before anything is unpacked. */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { File, ready } from "h5wasm/node";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withFclib } from "./fclib-file.js";
import type { Hdf5Module } from "./module.js";
import { readProblem } from "./read.js";

const folder = mkdtempSync(join(tmpdir(), "stickslip-bomb-"));
const path = join(folder, "bomb.hdf5");
let hdf5: Hdf5Module;

beforeAll(async () => {
	hdf5 = await ready;
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A local problem whose mu and q are zeros, packed. */
function packed(contacts: number, length = 3 * contacts): void {
	const file = new File(path, "w");
	file.create_group("fclib_local");
	file.create_group("fclib_local/vectors");
	file.create_dataset({ name: "fclib_local/spacedim", data: Int32Array.of(3) });
	const zeros = (name: string, count: number) => {
		const data = new Float64Array(count);
		file.create_dataset({
			name,
			data,
			shape: [count],
			chunks: [Math.min(2 ** 19, count)],
			compression: "gzip",
			compression_opts: [9],
		});
	};
	zeros("fclib_local/vectors/mu", contacts);
	zeros("fclib_local/vectors/q", length);
	file.close();
}

/** The error, and whether any number was read before it. */
function refusal(): { message: string; reads: number } {
	let reads = 0;
	const { get_dataset_data: original } = hdf5;
	const counting: Hdf5Module = Object.create(hdf5, {
		get_dataset_data: {
			value: (...words: Parameters<typeof original>) => {
				if (!words[1].endsWith("spacedim")) reads += 1;
				return original.apply(hdf5, words);
			},
		},
	});
	try {
		withFclib(counting, path, (file) => readProblem(file), "bomb.hdf5");
	} catch (error) {
		return { message: error instanceof Error ? error.message : "", reads };
	}
	throw new Error("was read");
}

test("a dataset above 64 MiB that is more than 256 times the file", () => {
	packed(2 ** 23 + 2 ** 19, 1);
	const { size } = statSync(path);
	expect(size).toBeLessThan(2 ** 18);
	const { message, reads } = refusal();
	const bytes = 8 * (2 ** 23 + 2 ** 19);
	expect(message).toContain(`mu: unpacks to ${bytes} bytes, more than 256 times the file's ${size}; rewrite it with`);
	expect(reads).toBe(0);
});

test("a vector of another length than it must have, whatever it unpacks to", () => {
	packed(2 ** 19, 2 ** 20);
	const { message, reads } = refusal();
	expect(message).toContain("vectors/q: has 1048576 values instead of 1572864; make the sizes agree");
	expect(reads).toBe(0);
});
