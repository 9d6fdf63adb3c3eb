/** Two loops of WebAssembly, written byte by byte, that reach what the machine gives to it: numbers streamed through memory, and operations on registers. */

const I32 = 0x7f;
const F64 = 0x7c;
const V128 = 0x7b;

/** Independent sums, so that none waits for another; each takes a multiplication and an addition of two numbers per turn. */
const SUMS = 12;
export const FLOPS_PER_TURN = 2 * 2 * SUMS;

/** Pairs of numbers that a turn of the triad takes from each of its arrays. */
const PAIRS = 4;
const PAIR_BYTES = 16;

export interface RooflineKernels {
	readonly memory: WebAssembly.Memory;
	/** a = b + s c over so many bytes of each, a multiple of 64; the arrays stand at these addresses. */
	triad(a: number, b: number, c: number, bytes: number): void;
	/** So many turns of multiplications and additions; the sum keeps them from being left out. */
	compute(turns: number): number;
}

/** Unsigned, in sevens of bits. */
function leb(value: number): number[] {
	return value < 128 ? [value] : [(value & 127) | 128, ...leb(value >>> 7)];
}

/** Signed, for constants that are not negative. */
function constant(value: number): number[] {
	return value < 64 ? [0x41, value] : [0x41, ...leb(value).slice(0, -1), ...lastOf(leb(value).at(-1)!)];
}

/** A last seven whose sign bit is set takes another one of zeros. */
function lastOf(seven: number): number[] {
	return seven < 64 ? [seven] : [seven | 128, 0];
}

const vector = (items: readonly (readonly number[])[]): number[] => [...leb(items.length), ...items.flat()];
const section = (id: number, content: readonly number[]): number[] => [id, ...leb(content.length), ...content];
const get = (local: number): number[] => [0x20, ...leb(local)];
const set = (local: number): number[] => [0x21, ...leb(local)];
const simd = (code: number): number[] => [0xfd, ...leb(code)];
const [LOAD, STORE, SPLAT, LANE, ADD, MULTIPLY] = [0, 11, 20, 33, 240, 242];
const float = (value: number): number[] => [0x44, ...new Uint8Array(Float64Array.of(value).buffer)];
const at = (offset: number): number[] => [4, ...leb(offset)];

/** The body repeated until the local, which it takes off `step`, is zero. */
function countDown(local: number, step: number, body: readonly number[]): number[] {
	return [0x03, 0x40, ...body, ...get(local), ...constant(step), 0x6b, 0x22, local, 0x0d, 0, 0x0b];
}

const increase = (local: number, by: number): number[] => [...get(local), ...constant(by), 0x6a, ...set(local)];

function triadBody(): number[] {
	const [a, b, c, bytes] = [0, 1, 2, 3];
	const turn: number[] = [];
	for (let pair = 0; pair < PAIRS; pair += 1) {
		const offset = at(PAIR_BYTES * pair);
		turn.push(...get(a), ...get(b), ...simd(LOAD), ...offset, ...get(c), ...simd(LOAD), ...offset);
		turn.push(...float(1.5), ...simd(SPLAT), ...simd(MULTIPLY), ...simd(ADD), ...simd(STORE), ...offset);
	}
	const step = PAIRS * PAIR_BYTES;
	const loop = countDown(bytes, step, [...turn, ...[a, b, c].flatMap((each) => increase(each, step))]);
	return [0, ...loop, 0x0b];
}

function computeBody(): number[] {
	const turns = 0;
	const turn: number[] = [];
	const sums: number[] = [...float(0)];
	for (let sum = 1; sum <= SUMS; sum += 1) {
		turn.push(...get(sum), ...float(0.5), ...simd(SPLAT), ...simd(MULTIPLY));
		turn.push(...float(1), ...simd(SPLAT), ...simd(ADD), ...set(sum));
		sums.push(...get(sum), ...simd(LANE), 0, 0xa0);
	}
	return [...vector([[SUMS, V128]]), ...countDown(turns, 1, turn), ...sums, 0x0b];
}

function moduleBytes(): Uint8Array<ArrayBuffer> {
	const bodies = [triadBody(), computeBody()].map((body) => [...leb(body.length), ...body]);
	const types = vector([
		[0x60, 4, I32, I32, I32, I32, 0],
		[0x60, 1, I32, 1, F64],
	]);
	const name = (text: string) => [...leb(text.length), ...new TextEncoder().encode(text)];
	return Uint8Array.from([
		...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
		...section(1, types),
		...section(2, vector([[...name("env"), ...name("memory"), 2, 0, 1]])),
		...section(3, vector([[0], [1]])),
		...section(
			7,
			vector([
				[...name("triad"), 0, 0],
				[...name("compute"), 0, 1],
			]),
		),
		...section(10, vector(bodies)),
	]);
}

/** With so many bytes of memory. */
export function makeRooflineKernels(bytes: number): RooflineKernels {
	const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / 65536) });
	const instance = new WebAssembly.Instance(new WebAssembly.Module(moduleBytes()), { env: { memory } });
	const { triad, compute } = instance.exports;
	return { memory, triad: triad as RooflineKernels["triad"], compute: compute as RooflineKernels["compute"] };
}
