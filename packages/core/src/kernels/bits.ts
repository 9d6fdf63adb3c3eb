/** Bits of an integer in plain TypeScript: assembly/bits.ts. */

export function lowestBit(bits: number): number {
	return 31 - Math.clz32(bits & -bits);
}
