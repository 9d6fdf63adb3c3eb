/** Blocks between a vector and a message. A kilobyte takes 30 to 60 ns, of an exchange of 300 to 1000. */

/** Numbers of the blocks at `places`, one after the other. */
export function pack(values: Float64Array, into: Float64Array, places: Int32Array, width: number): void {
	const { length } = places;
	if (width === 3) {
		for (let i = 0, to = 0; i < length; i += 1, to += 3) {
			const from = 3 * places[i]!;
			into[to] = values[from]!;
			into[to + 1] = values[from + 1]!;
			into[to + 2] = values[from + 2]!;
		}
		return;
	}
	for (let i = 0, to = 0; i < length; i += 1) {
		const from = width * places[i]!;
		for (let k = 0; k < width; k += 1) into[to++] = values[from + k]!;
	}
}

export function unpack(from: Float64Array, values: Float64Array, places: Int32Array, width: number): void {
	const { length } = places;
	for (let i = 0, at = 0; i < length; i += 1) {
		const to = width * places[i]!;
		for (let k = 0; k < width; k += 1) values[to + k] = from[at++]!;
	}
}

/** The same where places follow one another from `first` on. */
export function packRun(values: Float64Array, into: Float64Array, first: number, width: number): void {
	const from = width * first;
	for (let i = 0; i < into.length; i += 1) into[i] = values[from + i]!;
}

/** The first place where places follow one another, as ghosts mostly do; -1 otherwise. */
export function runOf(places: Int32Array): number {
	const first = places[0] ?? -1;
	return places.every((place, i) => place === first + i) ? first : -1;
}
