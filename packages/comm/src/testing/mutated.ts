/** The wire of zeromq over spoilt frames, for the bench of mutations: a frame is taken in or dropped, and nothing that is kept grows without end. */
import type { Random } from "@stickslip/core";
import { RankError } from "@stickslip/core/parallel";
import { Frames, HEADER_BYTES, type Header, KEY_BYTES } from "../zeromq/frame.js";
import { Incoming } from "../zeromq/incoming.js";

const ROOM_BYTES = HEADER_BYTES + 1024;
/** Frames of one conversation; then another begins. */
const FRAMES = 200;

export function mutatedReaders() {
	const key = Uint8Array.from({ length: KEY_BYTES }, (_, at) => 7 * at);
	const frames = new Frames(key, 4);
	const words = new Uint32Array(ROOM_BYTES / 4);
	const bytes = new Uint8Array(words.buffer);
	let incoming = new Incoming();
	let seen = 0;
	return {
		wire(random: Random): "read" | "refused" {
			seen += 1;
			if (seen % FRAMES === 0) incoming = new Incoming();
			let length = 8 * random.below(100);
			const header: Header = {
				...{ from: random.below(5), to: 1, tag: random.below(70), sequence: random.below(12) },
				...{ length, rest: 0 },
			};
			frames.write(words, header);
			// Half of the frames are valid, or as valid as a sender with the key can make them.
			for (let flips = random.below(2) * (1 + random.below(4)); flips > 0; flips -= 1) {
				bytes[random.below(HEADER_BYTES + length)]! ^= 1 << random.below(8);
			}
			if (random.below(10) === 0) length = random.below(ROOM_BYTES - HEADER_BYTES);
			const found: Header = { from: 0, to: 0, tag: 0, sequence: 0, length: 0, rest: 0 };
			if (!frames.read(words, HEADER_BYTES + length, 1, found)) return "refused";
			const payload = bytes.subarray(HEADER_BYTES, HEADER_BYTES + found.length);
			try {
				if (incoming.isTakenAtOnce(found, 0, 0)) return "read";
				return incoming.keep(found, payload) ? "read" : "refused";
			} catch (error) {
				if (!(error instanceof RankError)) throw error;
				incoming = new Incoming();
				return "refused";
			}
		},
	};
}
