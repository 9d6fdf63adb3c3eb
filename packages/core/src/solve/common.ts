/** What all ranks of a solve have to agree on, as one number: a rank that has something else would wait for messages that never come. */
import { version } from "../base/version.js";
import type { Share } from "../parallel/share.js";
import type { RunOptions } from "./options.js";

/** The same for the share of every rank; a whole number that a double holds. */
export function commonNumber(share: Omit<Share, "operator">, operator: string, options: RunOptions): number {
	const { name, ranks, contacts, blocks, equalityRows, operatorReason, coupling, colours, order, sweep } = share;
	const whole = [name, ranks, contacts, blocks, equalityRows, operator, operatorReason, coupling];
	return hashOfText(JSON.stringify([version, ...whole, colours, order, sweep.steps, sorted(options)]));
}

/** FNV-1a, twice with other beginnings: 21 bits of one and 32 of the other. */
function hashOfText(text: string): number {
	let high = 0x811c9dc5;
	let low = 0x01000193;
	for (let i = 0; i < text.length; i += 1) {
		const code = text.charCodeAt(i);
		high = Math.imul(high ^ code, 0x01000193);
		low = Math.imul(low ^ code, 0x01000193);
	}
	return (high >>> 11) * 2 ** 32 + (low >>> 0);
}

/** Options by name, since they may have been given in any order; those that are not given do not count. */
function sorted(options: object): unknown[] {
	const entries = Object.entries(options).filter(([, value]) => value !== undefined);
	return entries
		.sort(([one], [other]) => (one < other ? -1 : 1))
		.map(([name, value]) => [name, typeof value === "object" && value !== null ? sorted(value) : value]);
}
