/** The HDF5 library of this process. A file that crashes it costs its module, not the files that come after it. */

import { type Hdf5Module, isDamaged } from "@stickslip/core/fclib";
import { requireAddresses } from "./address-space.js";

let current: Hdf5Module | undefined;
let loaded = 0;

/** Ready to read and write with; the same one every time, until it is damaged. */
export async function loadHdf5(): Promise<Hdf5Module> {
	if (current !== undefined && !isDamaged(current)) return current;
	requireAddresses("HDF5", 0, 1);
	loaded += 1;
	const { ready } = loaded === 1 ? await import("h5wasm/node") : await freshCopy(loaded);
	current = await ready;
	return current;
}

/** The same without loading it; undefined unless it was loaded before, and is sound. */
export function loadedHdf5(): Hdf5Module | undefined {
	return current !== undefined && !isDamaged(current) ? current : undefined;
}

/** A module under another address is another module, with memory of its own. */
async function freshCopy(number: number): Promise<{ ready: Promise<Hdf5Module> }> {
	return import(`${import.meta.resolve("h5wasm/node")}?copy=${number}`);
}
