/** Hostile files for the tests: good files spoilt from a seed, and one attempt at reading such a file, both ways. No file and no clock in here. */
import { InputError } from "../base/errors.js";
import type { Random } from "../base/random.js";
import { describeFclib } from "../fclib/describe.js";
import { type FclibFile, readInfo, readSolution, refusalOf, withFclib, withPlainFclib } from "../fclib/fclib-file.js";
import type { Hdf5Module } from "../fclib/module.js";
import { readProblem } from "../fclib/read.js";
import { condense } from "../problem/condense.js";

/** Where the headers of a small file stand; most of the spoiling goes there. */
const HEADER_BYTES = 24_000;
const BYTES = [0, 1, 2, 4, 127, 128, 254, 255] as const;

/** One good file's bytes, spoilt in one of six ways. */
export function spoil(good: Uint8Array, random: Random): Uint8Array {
	const bytes = good.slice();
	const view = new DataView(bytes.buffer);
	const place = (): number =>
		random.below(random.uniform() < 0.7 ? Math.min(bytes.length, HEADER_BYTES) : bytes.length);
	const times = 1 + random.below(8);
	const repeat = (change: () => void): void => {
		for (let k = 0; k < times; k += 1) change();
	};
	const ways = [
		() =>
			repeat(() => {
				bytes[place()]! ^= 1 << random.below(8);
			}),
		() =>
			repeat(() => {
				bytes[place()] = BYTES[random.below(BYTES.length)]!;
			}),
		() => repeat(() => setField(view, place() & ~7, place() & ~7, random)),
		() => repeat(() => view.setInt32(Math.min(place() & ~3, bytes.length - 4), lengthField(random), true)),
		() => swap(bytes, place() & ~7, place() & ~7, 8 << random.below(7)),
		() => undefined,
	];
	const way = random.below(ways.length);
	ways[way]!();
	return way === ways.length - 1 ? bytes.subarray(0, random.below(bytes.length)) : bytes;
}

/** An address or length of eight bytes: extremes, another place in the file, or small change. */
function setField(view: DataView, at: number, other: number, random: Random): void {
	if (at + 8 > view.byteLength) return;
	const old = view.getBigUint64(at, true);
	const values = [
		0n,
		1n,
		2n ** 64n - 1n,
		2n ** 31n - 1n,
		2n ** 32n,
		BigInt(view.byteLength),
		BigInt(other),
		BigInt(at),
		old + 1n,
		old * 2n,
	];
	view.setBigUint64(at, BigInt.asUintN(64, values[random.below(values.length)]!), true);
}

function lengthField(random: Random): number {
	const values = [0, 1, -1, -2, 2 ** 31 - 1, -(2 ** 31), 2 ** 24, random.below(1000), random.below(2 ** 31)];
	return values[random.below(values.length)]!;
}

function swap(bytes: Uint8Array, a: number, b: number, length: number): void {
	const first = bytes.slice(a, a + length);
	const second = bytes.slice(b, b + length);
	bytes.set(second.subarray(0, bytes.length - a), a);
	bytes.set(first.subarray(0, bytes.length - b), b);
}

export interface Attempt {
	readonly outcome: "read" | "refused";
	/** Whether it was read without HDF5, too. */
	readonly isPlain: boolean;
	/** The line of the refusal. */
	readonly line: string;
}

/** Reads all there is to read. Whatever is not an InputError is thrown: a mistake in the reader, or two readers that do not agree. */
export function attempt(module: Hdf5Module, path: string, bytes: Uint8Array): Attempt {
	const plain = withPlainFclib(
		{ bytes: bytes.length, read: (at, target) => target.set(bytes.subarray(at, at + target.length)) },
		readAll,
		"spoilt",
	);
	const isPlain = plain !== undefined;
	try {
		const all = withFclib(module, path, readAll, "spoilt");
		if (isPlain && !isSame(all, plain.result)) throw new Error("reads as something else without HDF5");
		return { outcome: "read", isPlain, line: "" };
	} catch (error) {
		if (!(error instanceof InputError)) throw error;
		if (isPlain) throw new Error(`is read without HDF5: ${error.message}`);
		return { outcome: "refused", isPlain, line: error.message };
	}
}

function readAll(file: FclibFile) {
	const description = describeFclib(file);
	const problem = refusalOf(file) === undefined ? condense(readProblem(file)) : undefined;
	return {
		description,
		problem,
		solution: readSolution(file, description.equalityRows),
		info: readInfo(file),
	};
}

function isSame(one: unknown, other: unknown): boolean {
	if (typeof one !== "object" || one === null || typeof other !== "object" || other === null)
		return Object.is(one, other);
	const [entries, others] = [Object.entries(one), Object.entries(other)];
	return (
		entries.length === others.length &&
		entries.every(([key, value], i) => key === others[i]?.[0] && isSame(value, others[i][1]))
	);
}
