/** What of h5wasm is used to append, beside what core uses to read. The library is handed in, so the same code runs in Node.js and in browsers. */
import type { Hdf5Module } from "@stickslip/core/fclib";

export interface AppendModule extends Hdf5Module {
	readonly FS: Hdf5Module["FS"] & { rename(from: string, to: string): void };
	readonly H5F_ACC_RDWR: number;
	readonly H5F_LIBVER_V110: number;
	H5Fstart_swmr_write(file: bigint): number;
	flush(file: bigint): number;
	resize_dataset(file: bigint, path: string, shape: bigint[]): number;
	create_attribute(file: bigint, path: string, name: string, pointer: bigint, metadata: never): number;
	delete_attribute(file: bigint, path: string, name: string): number;
	get_attribute_names(file: bigint, path: string): string[];
}
