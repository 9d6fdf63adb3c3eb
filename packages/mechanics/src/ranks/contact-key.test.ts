import { expect, test } from "vitest";
import { ContactKey, type KeyParts } from "./contact-key.js";

/** Three contacts of two laws, in arrays with room for more. */
function parts(): KeyParts {
	return {
		bodies: 5,
		tiles: 2,
		body: Int32Array.of(0, 1, 1, 2, -1, 3, 7, 7),
		tile: Int32Array.of(0, 0, 1, 9),
		contacts: {
			count: 3,
			laws: Int32Array.of(0, 8),
			law: Uint8Array.of(0, 8, 8, 5),
			isMoment: Uint8Array.of(0, 0, 1, 1),
		},
	};
}

test("a key is that of the same contacts, whatever stands behind them", () => {
	const key = new ContactKey();
	expect(key.isOf(parts())).toBe(false);
	const given = parts();
	key.set(given);
	given.body[6] = 4;
	given.tile[3] = 1;
	expect(key.isOf(given)).toBe(true);
	// Arrays of the step are written over: the key has its own.
	given.body[5] = 4;
	expect(key.isOf(given)).toBe(false);
	expect(key.isOf(parts())).toBe(true);
});

test("each part of a key counts", () => {
	const key = new ContactKey();
	key.set(parts());
	const { contacts } = parts();
	const others: Partial<KeyParts>[] = [
		{ bodies: 6 },
		{ tiles: 3 },
		{ body: Int32Array.of(0, 1, 1, 2, -1, 2) },
		{ tile: Int32Array.of(0, 1, 1) },
		{ contacts: { ...contacts, count: 2 } },
		{ contacts: { ...contacts, laws: Int32Array.of(0) } },
		{ contacts: { ...contacts, law: Uint8Array.of(0, 8, 0) } },
		{ contacts: { ...contacts, isMoment: Uint8Array.of(0, 1, 1) } },
	];
	for (const other of others) expect(key.isOf({ ...parts(), ...other })).toBe(false);
	// Without laws nobody looks at them.
	const plain = { ...parts(), contacts: { ...contacts, laws: new Int32Array(0) } };
	key.set(plain);
	expect(key.isOf({ ...plain, contacts: { ...plain.contacts, law: new Uint8Array(3) } })).toBe(true);
});
