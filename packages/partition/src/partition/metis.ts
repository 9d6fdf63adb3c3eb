/**
 * METIS (G. Karypis) through FFI, if the system has it: found at run time, used only on request. Its integers may have 32 or 64 bits, which is found out
 * from how many bytes METIS_SetDefaultOptions fills.
 */
import { InputError } from "@stickslip/core";
import type { Graph } from "../graph/graph.js";

/** Of metis.h, 5.x. */
const OPTION_COUNT = 40;
const OPTION_SEED = 8;
const OPTION_UFACTOR = 16;
const METIS_OK = 1;

export interface MetisOptions {
	readonly seed?: number;
	/** Thousandths that a part may weigh above the mean; METIS's own choice is 30. */
	readonly ufactor?: number;
}

/** The functions that are called. */
export interface Library {
	readonly name: string;
	readonly isWide: boolean;
	setDefaultOptions(options: Uint8Array): number;
	partGraphKway(...args: unknown[]): number;
}

type Koffi = typeof import("koffi").default;

const NAMES = ["libmetis.so.5", "libmetis.so", "libmetis.5.dylib", "libmetis.dylib", "metis.dll"];
let found: Library | undefined;

function open(): Library | undefined {
	found ??= load(NAMES);
	return found;
}

function load(names: readonly string[]): Library | undefined {
	// Not imported: a browser has no such module, and bundles for it contain this file.
	if (typeof process === "undefined") return undefined;
	const { createRequire } = process.getBuiltinModule("node:module");
	const koffi = createRequire(import.meta.url)("koffi") as Koffi;
	for (const name of names) {
		let library: ReturnType<Koffi["load"]>;
		try {
			library = koffi.load(name);
		} catch {
			continue;
		}
		const setDefaultOptions = library.func("int METIS_SetDefaultOptions(void *options)");
		const pointers = Array.from({ length: 13 }, (_, k) => `void *a${k}`).join(", ");
		const partGraphKway = library.func(`int METIS_PartGraphKway(${pointers})`);
		const probe = new Uint8Array(8 * OPTION_COUNT);
		setDefaultOptions(probe);
		// It fills all options with -1, numbering apart: beyond the 160 bytes only where integers are wide.
		return { name, isWide: probe[8 * OPTION_COUNT - 1] !== 0, setDefaultOptions, partGraphKway };
	}
	return undefined;
}

export function hasMetis(): boolean {
	return open() !== undefined;
}

/** The library, or the error that says how to get it; `names` are those it may go by. */
export function requireMetis(names: readonly string[] = NAMES): Library {
	const library = names === NAMES ? open() : load(names);
	if (library !== undefined) return library;
	throw new InputError(
		"partition",
		"method",
		"libmetis is not installed",
		"install it (Debian: apt install libmetis5) or choose multilevel",
	);
}

/** METIS_PartGraphKway with its default options, but for those given. */
export function metis(
	graph: Graph,
	parts: number,
	{ seed, ufactor }: MetisOptions = {},
	library = requireMetis(),
): Int32Array {
	const { vertices } = graph;
	if (parts < 2 || vertices === 0) return new Int32Array(vertices);
	const integers = (list: ArrayLike<number>) =>
		library.isWide ? BigInt64Array.from(list as ArrayLike<number> & Iterable<number>, BigInt) : Int32Array.from(list);
	const options = library.isWide ? new BigInt64Array(OPTION_COUNT) : new Int32Array(OPTION_COUNT);
	library.setDefaultOptions(new Uint8Array(options.buffer));
	const setOption = (at: number, value: number): void => {
		if (options instanceof BigInt64Array) options[at] = BigInt(value);
		else options[at] = value;
	};
	if (seed !== undefined) setOption(OPTION_SEED, seed % 2 ** 31);
	if (ufactor !== undefined) setOption(OPTION_UFACTOR, ufactor);
	const owner = integers(new Int32Array(vertices));
	const edgeWeight = graph.edgeWeight === undefined ? null : integers(graph.edgeWeight);
	const status = library.partGraphKway(
		integers([vertices]),
		integers([1]),
		integers(graph.start),
		integers(graph.neighbour),
		integers(graph.vertexWeight),
		null,
		edgeWeight,
		integers([parts]),
		null,
		null,
		options,
		integers([0]),
		owner,
	);
	if (status !== METIS_OK)
		throw new InputError("partition", "method", `metis ended with ${status}`, "choose multilevel instead");
	return Int32Array.from(owner, Number);
}
