/**
 * One HDF5 file, open for reading. Nothing in it is believed: a dataset's kind, shape and size are checked before anything is
 * allocated for it, numbers come slice by slice (so HDF5's memory holds one at a time), and all that goes wrong is an
 * InputError that names the dataset.
 */
import { InputError } from "../base/errors.js";
import type { Hdf5Source } from "./hdf5-source.js";
import type { Hdf5Metadata } from "./module.js";

/** What one read moves, and the largest chunk of a chunked dataset (it is unpacked as a whole). */
export const SLICE_BYTES = 2 ** 22;
const CHUNK_BYTES_MAX = 2 ** 26;
/**
 * Above the first, a dataset may unpack to so many times the file. Deflate can reach 1032, on zeros alone: real problems pack to a
 * half or a tenth, and a small file that fills the memory is a mistake or an attack.
 */
const UNPACKED_FREELY = 2 ** 26;
const UNPACKED_RATIO_MAX = 256;
const TEXT_BYTES_MAX = 2 ** 20;

const DAMAGED = "the file is damaged or was not written whole: fetch or write it again";
const INTEGER = 0;
const FLOAT = 1;
const STRING = 3;

type Numbers = Int32Array | Float64Array;

/** A dataset that passed the checks. */
interface Dataset {
	readonly path: string;
	readonly metadata: Hdf5Metadata;
	readonly shape: readonly number[];
	/** Elements. */
	readonly length: number;
}

export class Hdf5File {
	readonly #source: Hdf5Source;

	/** `name` is what error lines call the file. */
	constructor(
		source: Hdf5Source,
		readonly name: string,
	) {
		this.#source = source;
	}

	close(): void {
		this.#source.close();
	}

	/** Throws what is wrong at a place of this file. */
	fail(place: string, problem: string, remedy: string): never {
		throw new InputError(this.name, place, problem, remedy);
	}

	kind(path: string): "group" | "dataset" | undefined {
		return this.#source.kind(path);
	}

	has(path: string): boolean {
		return this.kind(path) !== undefined;
	}

	/** Elements of a numeric dataset. */
	length(path: string): number {
		return this.#numeric(path).length;
	}

	/** Told before anything is read: a wrong length may be a very large one. */
	requireLength(path: string, length: number): void {
		const found = this.length(path);
		if (found !== length) this.fail(path, `has ${found} values instead of ${length}`, "make the sizes agree");
	}

	/** The one integer of a dataset of length 1 (or of an HDF5 scalar). */
	integer(path: string): number {
		const found = this.length(path);
		if (found !== 1) this.fail(path, `has ${found} values instead of 1`, "write one 32-bit integer there");
		return this.integers(path)[0] ?? 0;
	}

	/** The last element of a dataset, without reading the others. */
	lastInteger(path: string): number {
		const dataset = this.#numeric(path);
		if (dataset.length === 0) this.fail(path, "is empty", "write the complete matrix");
		const rows = dataset.shape[0] ?? 1;
		const row = new Int32Array(dataset.length / rows);
		this.#copy(dataset, rows - 1, 1, row);
		return row.at(-1) ?? 0;
	}

	/** All integers of a dataset, or the first `count`. */
	integers(path: string, count?: number): Int32Array {
		const dataset = this.#numeric(path);
		const { type, size } = dataset.metadata;
		if (type !== INTEGER) this.fail(path, "contains reals instead of integers", "write 32-bit integers there");
		if (size !== 4 && size !== 8) this.fail(path, `contains integers of ${size} bytes`, "write 32-bit integers there");
		if (count === undefined || dataset.shape.length === 1) {
			return this.#whole(dataset, new Int32Array(count ?? dataset.length));
		}
		return this.#whole(dataset, new Int32Array(dataset.length)).subarray(0, count);
	}

	/** All numbers of a dataset, in the file's order; NaN and infinity are errors, and so is another length than `length`. */
	reals(path: string, length?: number): Float64Array {
		if (length !== undefined) this.requireLength(path, length);
		const dataset = this.#realDataset(path);
		return this.#whole(dataset, new Float64Array(dataset.length));
	}

	/** The same where infinity is a number like others; NaN is left to the check of the problem. */
	limits(path: string, length: number): Float64Array {
		this.requireLength(path, length);
		return this.#whole(this.#realDataset(path), new Float64Array(length), true);
	}

	/** The first `count` numbers of a one-dimensional dataset, one window after another; `visit` must not keep its slice. */
	slices(path: string, count: number, visit: (values: Float64Array, first: number) => void): void {
		const dataset = this.#realDataset(path);
		if (dataset.shape.length !== 1) this.fail(path, "has more than one dimension", "write a one-dimensional dataset");
		const step = this.#rowsPerSlice(dataset);
		const buffer = new Float64Array(Math.min(step, count));
		for (let first = 0; first < count; first += step) {
			const slice = buffer.subarray(0, Math.min(step, count - first));
			this.#copy(dataset, first, slice.length, slice);
			visit(slice, first);
		}
	}

	/** Integers `first` onwards of a one-dimensional dataset, as many as the target takes. */
	integersFrom(path: string, first: number, target: Int32Array): void {
		this.#from(this.#numeric(path), first, target);
	}

	/** The same of reals. */
	realsFrom(path: string, first: number, target: Float64Array): void {
		this.#from(this.#realDataset(path), first, target);
	}

	#from(dataset: Dataset, first: number, target: Numbers): void {
		const { path, shape, length } = dataset;
		if (shape.length !== 1) this.fail(path, "has more than one dimension", "write a one-dimensional dataset");
		if (first + target.length > length) {
			this.fail(path, `has ${length} values, fewer than the ${first + target.length} it should have`, DAMAGED);
		}
		this.#copy(dataset, first, target.length, target);
	}

	/** The bytes of a string, without what pads it. */
	text(path: string): Uint8Array {
		const { metadata, length } = this.#dataset(path);
		if (metadata.type !== STRING) this.fail(path, "is not a string", "write a string of fixed length there");
		if (metadata.vlen)
			this.fail(path, "is a string of variable length", "write a string of fixed length, as FCLIB does");
		if (length !== 1) this.fail(path, `has ${length} strings instead of 1`, "write one string of fixed length there");
		if (metadata.size > TEXT_BYTES_MAX) this.fail(path, `is ${metadata.size} bytes long`, "shorten it to 1 MiB");
		const bytes = new Uint8Array(metadata.size);
		this.#source.read(path, [], 0, 1, bytes);
		const zero = bytes.indexOf(0);
		return zero < 0 ? bytes : bytes.subarray(0, zero);
	}

	#realDataset(path: string): Dataset {
		const dataset = this.#numeric(path);
		const { type, size } = dataset.metadata;
		if (type !== FLOAT) this.fail(path, "contains integers instead of reals", "write 64-bit reals there");
		if (size !== 8 && size !== 4) this.fail(path, `contains reals of ${size} bytes`, "write 64-bit reals there");
		return dataset;
	}

	#numeric(path: string): Dataset {
		const dataset = this.#dataset(path);
		const { type } = dataset.metadata;
		if (type !== INTEGER && type !== FLOAT)
			this.fail(path, "contains no numbers", "write integers or reals, as FCLIB does");
		return dataset;
	}

	#dataset(path: string): Dataset {
		if (this.kind(path) !== "dataset") {
			this.fail(path, this.has(path) ? "is a group instead of a dataset" : "is missing", "write the complete problem");
		}
		const metadata = this.#source.metadata(path);
		// libfclib creates the vectors of a guess and of a solution also where it has no numbers for them.
		const mayBeUnwritten = path.startsWith("/guesses/") || path.startsWith("/solution/");
		if (metadata.isUnwritten && !mayBeUnwritten)
			this.fail(path, "was created, but its numbers were never written", DAMAGED);
		const shape = metadata.shape ?? [0];
		const length = shape.reduce((product, size) => product * size, 1);
		this.#checkSize(path, metadata, length);
		return { path, metadata, shape, length };
	}

	#checkSize(path: string, { size, chunks }: Hdf5Metadata, length: number): void {
		const bytes = length * size;
		if (chunks === null && !(bytes <= this.#source.bytes)) {
			this.fail(path, `claims ${bytes} bytes, more than a file of ${this.#source.bytes} bytes can hold`, DAMAGED);
		}
		if (!(bytes <= Math.max(UNPACKED_FREELY, this.#source.bytes * UNPACKED_RATIO_MAX))) {
			const what = `unpacks to ${bytes} bytes, more than ${UNPACKED_RATIO_MAX} times the file's ${this.#source.bytes}`;
			this.fail(path, what, "rewrite it with `h5repack -l CONTI -f NONE`, if the file is correct");
		}
		if (length > 2 ** 31 - 1)
			this.fail(path, `has ${length} elements`, "the limit of FCLIB is 2^31 - 1: split the problem");
		const chunk = (chunks ?? []).reduce((product, side) => product * side, size);
		if (chunk > CHUNK_BYTES_MAX) {
			this.fail(path, `is stored in chunks of ${chunk} bytes`, "rewrite it with `h5repack -l CONTI -f NONE`");
		}
	}

	/** Fills the target from the dataset's beginning. */
	#whole<Array extends Numbers>(dataset: Dataset, target: Array, mayBeInfinite = false): Array {
		const side = dataset.shape[0] ?? 1;
		const width = side === 0 ? 0 : dataset.length / side;
		const rows = width === 0 ? 0 : target.length / width;
		const step = this.#rowsPerSlice(dataset);
		for (let first = 0; first < rows && width > 0; first += step) {
			const count = Math.min(step, rows - first);
			this.#copy(dataset, first, count, target.subarray(first * width, (first + count) * width), mayBeInfinite);
		}
		return target;
	}

	/** Rows (elements of the first dimension) per slice: whole chunks, so that none is unpacked twice. */
	#rowsPerSlice({ metadata, shape, length }: Dataset): number {
		const rows = shape[0] ?? 1;
		if (rows === 0 || length === 0) return 1;
		const rowBytes = (length / rows) * metadata.size;
		const chunkRows = Math.max(1, metadata.chunks?.[0] ?? 1);
		return chunkRows * Math.max(1, Math.floor(SLICE_BYTES / (rowBytes * chunkRows)));
	}

	/** Rows `first` to `first + count - 1` into `target`. */
	#copy(
		{ path, metadata, shape, length }: Dataset,
		first: number,
		count: number,
		target: Numbers,
		mayBeInfinite = false,
	): void {
		const before = shape.length === 0 || length === 0 ? 0 : first * (length / (shape[0] ?? 1));
		if (isStoredAs(metadata, target)) this.#source.read(path, shape, first, count, bytesOf(target));
		else {
			const bytes = new Uint8Array(target.length * metadata.size);
			this.#source.read(path, shape, first, count, bytes);
			if (metadata.type === INTEGER) this.#convertIntegers(path, metadata, bytes.buffer, target, before);
			else target.set(metadata.size === 8 ? new Float64Array(bytes.buffer) : new Float32Array(bytes.buffer));
		}
		if (metadata.type === FLOAT && !mayBeInfinite) this.#requireFinite(path, target, before);
	}

	#convertIntegers(path: string, type: Hdf5Metadata, data: ArrayBuffer, target: Numbers, before: number): void {
		const values =
			type.size === 8 ? (type.signed ? new BigInt64Array(data) : new BigUint64Array(data)) : new Uint32Array(data);
		for (let i = 0; i < target.length; i += 1) {
			const value = Number(values[i] ?? 0);
			if (Math.abs(value) >= 2 ** 31)
				this.fail(`${path}[${before + i}]`, `is ${value}`, "the limit of FCLIB is 2^31 - 1");
			target[i] = value;
		}
	}

	#requireFinite(path: string, target: Numbers, before: number): void {
		for (let i = 0; i < target.length; i += 1) {
			const value = target[i] as number;
			if (value - value !== 0) this.fail(`${path}[${before + i}]`, `is ${value}`, "write finite numbers only");
		}
	}
}

/** Whether numbers need no converting. */
function isStoredAs({ type, size, signed }: Hdf5Metadata, target: Numbers): boolean {
	return target instanceof Int32Array ? type === INTEGER && size === 4 && signed : type === FLOAT && size === 8;
}

function bytesOf(target: Numbers): Uint8Array {
	return new Uint8Array(target.buffer, target.byteOffset, target.byteLength);
}
