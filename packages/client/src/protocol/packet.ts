/** The frames of a message as one WebSocket message: their number, their lengths, and each at a multiple of 8 bytes. */
import { ARRAY_FRAMES_MAX, FrameError } from "./frames.js";

const ALIGNMENT = 8;
const FRAMES_MAX = 1 + ARRAY_FRAMES_MAX;

const aligned = (at: number) => Math.ceil(at / ALIGNMENT) * ALIGNMENT;

export function toPacket(frames: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
	const parts = packetParts(frames);
	const packet = new Uint8Array(parts.reduce((bytes, part) => bytes + part.byteLength, 0));
	let at = 0;
	for (const part of parts) {
		packet.set(part, at);
		at += part.byteLength;
	}
	return packet;
}

/** Packet as consecutive parts: the frames without a copy, and the bytes between them. */
export function packetParts(frames: readonly Uint8Array[]): Uint8Array[] {
	const head = new Uint8Array(4 + 4 * frames.length);
	const view = new DataView(head.buffer);
	view.setUint32(0, frames.length, true);
	for (const [k, frame] of frames.entries()) view.setUint32(4 + 4 * k, frame.byteLength, true);
	const parts: Uint8Array[] = [head];
	let end = head.byteLength;
	for (const frame of frames) {
		const start = aligned(end);
		if (start > end) parts.push(new Uint8Array(start - end));
		parts.push(frame);
		end = start + frame.byteLength;
	}
	return parts;
}

/** Views of the packet. Throws a FrameError where it is not one. */
export function fromPacket(packet: Uint8Array): Uint8Array[] {
	const refuse = () => new FrameError("packet", "is not a list of frames");
	if (packet.byteLength < 4) throw refuse();
	const head = new DataView(packet.buffer, packet.byteOffset, packet.byteLength);
	const count = head.getUint32(0, true);
	let end = 4 + 4 * count;
	if (count < 1 || count > FRAMES_MAX || end > packet.byteLength) throw refuse();
	const frames: Uint8Array[] = [];
	for (let k = 0; k < count; k += 1) {
		const start = aligned(end);
		end = start + head.getUint32(4 + 4 * k, true);
		if (end > packet.byteLength) throw refuse();
		frames.push(packet.subarray(start, end));
	}
	if (end !== packet.byteLength) throw refuse();
	return frames;
}
