/** Valid input mutated by a seed: bytes, text of any kind, and JSON with a replaced value. */
import type { Random } from "@stickslip/core";

/** Bits flipped, the end cut off, or a piece put over another. */
export function spoilBytes(bytes: Buffer, random: Random): Uint8Array {
	const kind = random.below(3);
	const at = random.below(bytes.length);
	if (kind === 1) return bytes.subarray(0, at);
	if (kind === 0) {
		for (let flips = 1 + random.below(4); flips > 0; flips -= 1) {
			bytes[random.below(bytes.length)]! ^= 1 << random.below(8);
		}
		return bytes;
	}
	const length = random.below(bytes.length - at) + 1;
	bytes.copy(bytes, random.below(bytes.length - length + 1), at, at + length);
	return bytes;
}

const hostile = ["{", "}", "[", "]", '"', ",", "null", "-1", "1e999", "../", "\\u0000", "true", "__proto__", ""];

/** Characters changed, cut, doubled or swapped for what JSON cares about. */
export function spoilText(text: string, random: Random): string {
	let result = text;
	for (let times = 1 + random.below(4); times > 0; times -= 1) {
		const at = random.below(result.length + 1);
		const length = random.below(3) === 0 ? random.below(40) : 1;
		const piece = random.below(4) === 0 ? result.slice(at, at + 30) : (hostile[random.below(hostile.length)] ?? "");
		result = result.slice(0, at) + piece + result.slice(at + length);
	}
	return random.below(10) === 0 ? result.slice(0, random.below(result.length + 1)) : result;
}

/** Replacements for a value: of every kind, and some that often cause errors. */
const values = [
	...[
		"null",
		"true",
		"-1",
		"1e999",
		"0.5",
		'""',
		'"\\u0000\\u001b[31m"',
		"[]",
		"{}",
		"[[[[[[[]]]]]]]",
		'{"__proto__":1}',
	],
	...['"2026-13-45"', "9007199254740993", '"last"', '"running"'],
];

/** A value replaced, bytes flipped, a piece cut out or put in, all of it gone. */
export function spoilJson(text: string, random: Random): string {
	const at = () => random.below(text.length + 1);
	const kind = random.below(5);
	if (kind === 0) {
		const found = [...text.matchAll(/: ?("[^"]*"|[-\w.]+)/g)];
		const chosen = found[random.below(found.length)];
		const value = values[random.below(values.length)] ?? "null";
		if (chosen === undefined) return value;
		const start = chosen.index + 1;
		return text.slice(0, start) + value + text.slice(chosen.index + chosen[0].length);
	}
	if (kind === 1) {
		const place = at();
		return text.slice(0, place) + String.fromCharCode(random.below(256)) + text.slice(place + 1);
	}
	const [from = 0, to = 0] = [at(), at()].sort((one, other) => one - other);
	if (kind === 2) return text.slice(0, from);
	if (kind === 3) return text.slice(0, from) + text.slice(to);
	return text.slice(0, to) + text.slice(from);
}
