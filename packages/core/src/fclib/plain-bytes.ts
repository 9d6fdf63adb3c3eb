/** Bytes of a file, as a plain HDF5 file has its numbers: little-endian, addresses and lengths of 8 bytes. Out of bounds is NotPlainError. */

/** Not of the plain kind, or not sound: nothing is said of it here, since HDF5 reads the file next. */
export class NotPlainError extends Error {
	override readonly name = "NotPlainError";
}

/** A file, whatever holds it. */
export interface PlainSource {
	readonly bytes: number;
	/** Fills the target with what stands from a place on; throws where it cannot. */
	read(at: number, target: Uint8Array): void;
}

const NOWHERE = 2n ** 64n - 1n;

/** What stands before `end`. */
export class PlainBytes {
	readonly #source: PlainSource;
	readonly #end: number;

	constructor(source: PlainSource, end: number) {
		this.#source = source;
		this.#end = end;
	}

	/** Whether so many bytes from an address on are there. */
	holds(at: number, length: number): boolean {
		return at + length <= this.#end;
	}

	fill(at: number, target: Uint8Array): void {
		if (!this.holds(at, target.length)) throw new NotPlainError("out of bounds");
		try {
			this.#source.read(at, target);
		} catch {
			throw new NotPlainError("cannot be read");
		}
	}

	view(at: number, length: number): PlainView {
		if (!this.holds(at, length)) throw new NotPlainError("out of bounds");
		const bytes = new Uint8Array(length);
		this.fill(at, bytes);
		return new PlainView(bytes);
	}
}

export class PlainView {
	readonly bytes: Uint8Array;
	readonly #view: DataView;

	constructor(bytes: Uint8Array) {
		this.bytes = bytes;
		this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	}

	get length(): number {
		return this.bytes.length;
	}

	part(at: number, length: number): PlainView {
		this.#require(at, length);
		return new PlainView(this.bytes.subarray(at, at + length));
	}

	get8(at: number): number {
		this.#require(at, 1);
		return this.#view.getUint8(at);
	}

	get16(at: number): number {
		this.#require(at, 2);
		return this.#view.getUint16(at, true);
	}

	get32(at: number): number {
		this.#require(at, 4);
		return this.#view.getUint32(at, true);
	}

	/** An address or a length. */
	get64(at: number): number {
		this.#require(at, 8);
		const value = this.#view.getUint32(at, true) + 2 ** 32 * this.#view.getUint32(at + 4, true);
		if (value > Number.MAX_SAFE_INTEGER) throw new NotPlainError("no address");
		return value;
	}

	isNowhere(at: number): boolean {
		this.#require(at, 8);
		return this.#view.getBigUint64(at, true) === NOWHERE;
	}

	/** The letters up to a zero. */
	word(at: number): string {
		const end = this.bytes.indexOf(0, at);
		if (end < 0) throw new NotPlainError("no end of a name");
		let word = "";
		for (let i = at; i < end; i += 1) {
			const letter = this.get8(i);
			// FCLIB's names are plain ASCII.
			if (letter > 126) throw new NotPlainError("name");
			word += String.fromCharCode(letter);
		}
		return word;
	}

	expectWord(at: number, word: string): void {
		for (let i = 0; i < word.length; i += 1) this.expect8(at + i, word.charCodeAt(i));
	}

	expect8(at: number, value: number): void {
		if (this.get8(at) !== value) throw new NotPlainError("another byte");
	}

	expect16(at: number, value: number): void {
		if (this.get16(at) !== value) throw new NotPlainError("another number");
	}

	expect32(at: number, value: number): void {
		if (this.get32(at) !== value) throw new NotPlainError("another number");
	}

	expect64(at: number, value: number): void {
		if (this.get64(at) !== value) throw new NotPlainError("another number");
	}

	expectNowhere(at: number): void {
		if (!this.isNowhere(at)) throw new NotPlainError("an address");
	}

	#require(at: number, length: number): void {
		if (at + length > this.bytes.length) throw new NotPlainError("out of bounds");
	}
}
