/**
 * The same inner products summed plainly: four accumulators in two SIMD registers, as fast as WebAssembly gets, and with bits that depend
 * on the order. Compiled when the bench runs, since nothing but the bench wants it.
 */
import asc from "assemblyscript/asc";

const source = `
export function dots(x: i32, v: i32, stride: i32, k: i32, length: i32, out: i32): void {
	for (let j: i32 = 0; j < k; j += 1) {
		let even = f64x2.splat(0);
		let odd = f64x2.splat(0);
		let a: usize = (<usize>x) << 3;
		let b: usize = (<usize>(v + j * stride)) << 3;
		const end: usize = a + ((<usize>length) << 3);
		while (a < end) {
			even = f64x2.add(even, f64x2.mul(v128.load(a), v128.load(b)));
			odd = f64x2.add(odd, f64x2.mul(v128.load(a, 16), v128.load(b, 16)));
			a += 32;
			b += 32;
		}
		const sum = f64x2.add(even, odd);
		store<f64>((<usize>(out + j)) << 3, f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1));
	}
}
`;

type DotsKernel = (x: number, v: number, stride: number, k: number, length: number, out: number) => void;

export interface PlainDots {
	readonly x: Float64Array;
	readonly v: readonly Float64Array[];
	dots(): Float64Array;
}

/** As core's makeDots, summed plainly. */
export async function makePlainDots(blocks: number, count: number): Promise<PlainDots> {
	const options = { optimizeLevel: 3, enable: ["simd"], runtime: "stub", importMemory: true, noAssert: true };
	const { error, binary, stderr } = await asc.compileString(source, options);
	if (error || binary === null) throw new Error(`the plain kernel does not compile: ${stderr.toString()}`);
	const length = 3 * blocks;
	const memory = new WebAssembly.Memory({ initial: 1 + Math.ceil((8 * length * (count + 1) + 8 * count) / 65536) });
	const instance = new WebAssembly.Instance(new WebAssembly.Module(binary.slice()), { env: { memory } });
	const kernel = instance.exports.dots as unknown as DotsKernel;
	const vector = (j: number, numbers: number) => new Float64Array(memory.buffer, 8 * (8 + j * length), numbers);
	const out = vector(count + 1, count);
	return {
		x: vector(0, length),
		v: Array.from({ length: count }, (_, j) => vector(j + 1, length)),
		dots() {
			kernel(8, 8 + length, length, count, length, 8 + (count + 1) * length);
			return out;
		},
	};
}
