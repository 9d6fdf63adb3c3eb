/** Numbers of all ranks on all ranks. */
import type { Communicator } from "@stickslip/core/parallel";

/** Collective. By rank. */
export function allGather(communicator: Communicator, own: Float64Array): Float64Array[] {
	if (communicator.size === 1) return [own];
	const all = communicator.gather(bytesOf(own), 0);
	const lengths = all && Float64Array.from(all, ({ length }) => length / 8);
	const count = numbersOf(communicator.broadcast(lengths && bytesOf(lengths), 0));
	const whole = all && new Float64Array(lengths!.reduce((sum, length) => sum + length, 0));
	for (let rank = 0, at = 0; all !== undefined && rank < all.length; rank += 1) {
		whole!.set(numbersOf(all[rank]!), at);
		at += all[rank]!.length / 8;
	}
	const numbers = numbersOf(communicator.broadcast(whole && bytesOf(whole), 0));
	const lists: Float64Array[] = [];
	for (let rank = 0, at = 0; rank < count.length; rank += 1) {
		lists.push(numbers.subarray(at, at + count[rank]!));
		at += count[rank]!;
	}
	return lists;
}

function bytesOf(numbers: Float64Array): Uint8Array {
	return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}

/** Bytes that came may begin anywhere. */
function numbersOf(bytes: Uint8Array): Float64Array {
	return new Float64Array(bytes.slice().buffer);
}
