import { withFclib } from "@stickslip/core/fclib";
import { expect, test } from "vitest";
import { loadHdf5 } from "./hdf5.js";

test("one module for all files, and another when a file has crashed it", async () => {
	const first = await loadHdf5();
	expect(await loadHdf5()).toBe(first);
	expect(() => withFclib(first, "package.json", () => undefined)).toThrow(/cannot be read as an HDF5 file/);
	expect(await loadHdf5()).toBe(first);
	first.open = () => {
		throw new WebAssembly.RuntimeError("unreachable");
	};
	expect(() => withFclib(first, "package.json", () => undefined)).toThrow(/file: cannot be read \(unreachable\)/);
	const second = await loadHdf5();
	expect(second).not.toBe(first);
	expect(second.HEAPU8.buffer).not.toBe(first.HEAPU8.buffer);
	expect(() => withFclib(second, "package.json", () => undefined)).toThrow(/cannot be read as an HDF5 file/);
});
