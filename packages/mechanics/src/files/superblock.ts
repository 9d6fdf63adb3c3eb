/**
 * The beginning of an HDF5 file of version 3: a byte that says that a writer has it open, and a checksum over what comes before. A writer that was killed
 * leaves that byte set, and readers that know nothing of appending refuse the file; HDF5's own remedy, h5clear, does the same as this.
 */

/** So many bytes of the file are looked at. */
export const SUPERBLOCK_BYTES = 48;
const SIGNATURE = [0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a];
const VERSION = 8;
const VERSION_WITH_FLAGS = 3;
const OFFSET_BYTES = 9;
const FLAGS = 11;
const CHECKSUM = 44;

/** The beginning as it has to be for a file that nobody writes to; undefined where it is so already, or the file is none of ours. */
export function closedSuperblock(beginning: Uint8Array): Uint8Array | undefined {
	if (beginning.length < SUPERBLOCK_BYTES || SIGNATURE.some((byte, at) => beginning[at] !== byte)) return undefined;
	if (beginning[VERSION] !== VERSION_WITH_FLAGS || beginning[OFFSET_BYTES] !== 8) return undefined;
	if (beginning[FLAGS] === 0) return undefined;
	const closed = beginning.slice(0, SUPERBLOCK_BYTES);
	closed[FLAGS] = 0;
	new DataView(closed.buffer).setUint32(CHECKSUM, lookup3(closed.subarray(0, CHECKSUM)), true);
	return closed;
}

const rotated = (value: number, bits: number) => (value << bits) | (value >>> (32 - bits));

/** The checksum of HDF5's metadata: Bob Jenkins' lookup3 (hashlittle), from 0. */
function lookup3(bytes: Uint8Array): number {
	let a = (0xdeadbeef + bytes.length) | 0;
	let b = a;
	let c = a;
	const word = (at: number) => {
		return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24);
	};
	let at = 0;
	for (; bytes.length - at > 12; at += 12) {
		a = (a + word(at)) | 0;
		b = (b + word(at + 4)) | 0;
		c = (c + word(at + 8)) | 0;
		a = ((a - c) | 0) ^ rotated(c, 4);
		c = (c + b) | 0;
		b = ((b - a) | 0) ^ rotated(a, 6);
		a = (a + c) | 0;
		c = ((c - b) | 0) ^ rotated(b, 8);
		b = (b + a) | 0;
		a = ((a - c) | 0) ^ rotated(c, 16);
		c = (c + b) | 0;
		b = ((b - a) | 0) ^ rotated(a, 19);
		a = (a + c) | 0;
		c = ((c - b) | 0) ^ rotated(b, 4);
		b = (b + a) | 0;
	}
	if (bytes.length === 0) return c >>> 0;
	a = (a + word(at)) | 0;
	b = (b + word(at + 4)) | 0;
	c = (c + word(at + 8)) | 0;
	c = ((c ^ b) - rotated(b, 14)) | 0;
	a = ((a ^ c) - rotated(c, 11)) | 0;
	b = ((b ^ a) - rotated(a, 25)) | 0;
	c = ((c ^ b) - rotated(b, 16)) | 0;
	a = ((a ^ c) - rotated(c, 4)) | 0;
	b = ((b ^ a) - rotated(a, 14)) | 0;
	c = ((c ^ b) - rotated(b, 24)) | 0;
	return c >>> 0;
}
