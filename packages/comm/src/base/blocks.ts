/** Blocks of a vector into a message and out of it. Six numbers are copied without a loop: a sweep over bodies does it in each of its steps. */

/** The blocks at places[from] to places[end - 1], one after another. */
export function pack(
	values: Float64Array,
	places: Int32Array,
	from: number,
	end: number,
	width: number,
	into: Float64Array,
): void {
	let to = 0;
	for (let i = from; i < end; i += 1, to += width) {
		const at = places[i]! * width;
		if (width === 6) copySix(values, at, into, to);
		else for (let k = 0; k < width; k += 1) into[to + k] = values[at + k]!;
	}
}

/** The other way round. */
export function unpack(
	values: Float64Array,
	places: Int32Array,
	from: number,
	end: number,
	width: number,
	message: Float64Array,
): void {
	let at = 0;
	for (let i = from; i < end; i += 1, at += width) {
		const to = places[i]! * width;
		if (width === 6) copySix(message, at, values, to);
		else for (let k = 0; k < width; k += 1) values[to + k] = message[at + k]!;
	}
}

function copySix(from: Float64Array, at: number, into: Float64Array, to: number): void {
	into[to] = from[at]!;
	into[to + 1] = from[at + 1]!;
	into[to + 2] = from[at + 2]!;
	into[to + 3] = from[at + 3]!;
	into[to + 4] = from[at + 4]!;
	into[to + 5] = from[at + 5]!;
}
