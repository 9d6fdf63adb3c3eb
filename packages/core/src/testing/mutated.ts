/** The readers of this package over spoilt input, for the bench of mutations: each reads what a seed makes, or refuses it as its users are told. */
import { ready } from "h5wasm/node";
import type { Random } from "../base/random.js";
import { type Hdf5Module, isDamaged } from "../fclib/module.js";
import { attempt, spoil } from "./fuzz.js";
import { goodFiles, OTHERS } from "./good-files.js";

/** Files as whoever runs this has them. */
export interface Files {
	readonly folder: string;
	/** The folder of the shared problems; some of them may not be there. */
	readonly data: string;
	/** Undefined where there is no such file. */
	read(path: string): Uint8Array | undefined;
	write(path: string, bytes: Uint8Array): void;
	remove(path: string): void;
}

export async function mutatedReaders({ folder, data, read, write, remove }: Files) {
	const hdf5: Hdf5Module = await ready;
	const paths = [...goodFiles(hdf5, folder), ...OTHERS.map((name) => `${data}/${name}`)];
	const good = paths.flatMap((path) => read(path) ?? []);
	let tried = 0;
	return {
		/** "worn-out": refused, and the library has to be loaded anew, as a run does that reads on. */
		fclib(random: Random): "read" | "refused" | "worn-out" {
			tried += 1;
			// A name for each: HDF5 would take a file that it failed to close for the same one.
			const path = `${folder}/spoilt-${tried}`;
			const bytes = spoil(good[random.below(good.length)]!, random);
			write(path, bytes);
			try {
				const { outcome } = attempt(hdf5, path, bytes);
				return isDamaged(hdf5) ? "worn-out" : outcome;
			} finally {
				remove(path);
			}
		},
	};
}
