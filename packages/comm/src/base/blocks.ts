/** Copies blocks between vectors and messages. Six numbers are copied without a loop, since a sweep over bodies does so in each of its steps. */

/** The blocks at places[from] to places[end - 1], one after another. */
export function pack(
	values: Float64Array,
	places: Int32Array,
	from: number,
	end: number,
	width: number,
	into: Float64Array,
): void {
	for (let i = from, to = 0; i < end; i += 1, to += width) copyBlock(values, places[i]! * width, into, to, width);
}

/** Numbers of a cache line. */
const LINE = 8;
/** Numbers from which on a message is fetched before it is unpacked. */
const FETCHED_MIN = 64;
/** Keeps what is fetched in use: the loop would be left out otherwise. */
const fetched = new Float64Array(1);

/** Lines that another core has written arrive one after another where they are copied number by number, and many at a time where nothing else is done. */
function fetchLines(message: Float64Array, first: number, end: number): void {
	let sum = 0;
	for (let i = first; i < end; i += LINE) sum += message[i]!;
	fetched[0] = sum;
}

/** The other way round; the message begins at `first`. */
export function unpack(
	values: Float64Array,
	places: Int32Array,
	from: number,
	end: number,
	width: number,
	message: Float64Array,
	first = 0,
): void {
	const numbers = width * (end - from);
	if (numbers >= FETCHED_MIN) fetchLines(message, first, first + numbers);
	for (let i = from, at = first; i < end; i += 1, at += width)
		copyBlock(message, at, values, places[i]! * width, width);
}

function copyBlock(from: Float64Array, at: number, into: Float64Array, to: number, width: number): void {
	if (width !== 3 && width !== 6) {
		for (let k = 0; k < width; k += 1) into[to + k] = from[at + k]!;
		return;
	}
	into[to] = from[at]!;
	into[to + 1] = from[at + 1]!;
	into[to + 2] = from[at + 2]!;
	if (width === 3) return;
	into[to + 3] = from[at + 3]!;
	into[to + 4] = from[at + 4]!;
	into[to + 5] = from[at + 5]!;
}

/** The same as `pack` where places follow one another from `first` on. */
export function packRun(values: Float64Array, into: Float64Array, first: number, width: number): void {
	const from = width * first;
	for (let i = 0; i < into.length; i += 1) into[i] = values[from + i]!;
}

/** The first place where places follow one another, as ghosts mostly do; -1 otherwise. */
export function runOf(places: Int32Array): number {
	const first = places[0] ?? -1;
	return places.every((place, i) => place === first + i) ? first : -1;
}
