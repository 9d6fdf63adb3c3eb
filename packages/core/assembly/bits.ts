/** Bits of an integer. src/kernels/bits.ts is the same in plain TypeScript. */

/** The number of the lowest bit that is set. */
export function lowestBit(bits: i32): i32 {
	return ctz<i32>(bits);
}
