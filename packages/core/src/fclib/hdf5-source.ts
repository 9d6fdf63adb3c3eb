/** Where the numbers of an HDF5 file come from: HDF5 itself, or our own reading of plain files. What comes from here is checked in hdf5-file.ts. */
import type { Hdf5Metadata } from "./module.js";

export interface Hdf5Source {
	/** Of the whole file. */
	readonly bytes: number;
	kind(path: string): "group" | "dataset" | undefined;
	metadata(path: string): Hdf5Metadata;
	/** Elements as they are stored: `count` rows of the first dimension from row `first` on, or where the shape is empty all there is. */
	read(path: string, shape: readonly number[], first: number, count: number, target: Uint8Array): void;
	close(): void;
}
