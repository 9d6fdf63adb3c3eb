/** What a cut between two lists of contacts, or of tiles of them, costs: the bodies that both sides touch, each told to the other side. */

/** Cuts of a list are compared by it: `isLow` says for each vertex on which side it is. */
export type CutCost = (list: Int32Array, isLow: Uint8Array) => number;

/** Contacts of vertex v are `order[start[v]]` to `order[start[v + 1] - 1]`, or v itself where there is no order. */
export function bodiesCut(body: Int32Array, order?: Int32Array, start?: Int32Array): CutCost {
	// Body b is b + 1 here, and the obstacle 0.
	const touched = new Int32Array(body.length);
	let bodies = 0;
	for (let k = 0; k < body.length; k += 1) {
		const b = body[k]! + 1;
		touched[k] = b;
		if (b > bodies) bodies = b;
	}
	// 1 and 2 for the sides that touch a body, as bits. The side is unpredictable, so nothing branches on it.
	const sides = new Uint8Array(bodies + 1);
	const ofContacts: CutCost = (list, isLow) => {
		for (let i = 0; i < list.length; i += 1) {
			const a = list[i]!;
			const side = 2 - isLow[a]!;
			sides[touched[2 * a]!]! |= side;
			sides[touched[2 * a + 1]!]! |= side;
		}
		sides[0] = 0;
		let cut = 0;
		for (let i = 0; i < list.length; i += 1) {
			const a = list[i]!;
			const one = touched[2 * a]!;
			const other = touched[2 * a + 1]!;
			const first = sides[one]!;
			sides[one] = 0;
			const second = sides[other]!;
			sides[other] = 0;
			cut += (first & (first >> 1)) + (second & (second >> 1));
		}
		return cut;
	};
	return order === undefined || start === undefined ? ofContacts : ofTiles(ofContacts, order, start);
}

/** The same of tiles, by all of their contacts. */
function ofTiles(ofContacts: CutCost, order: Int32Array, start: Int32Array): CutCost {
	const contacts = new Int32Array(order.length);
	const isLowContact = new Uint8Array(order.length);
	return (list, isLow) => {
		let count = 0;
		for (let i = 0; i < list.length; i += 1) {
			const tile = list[i]!;
			for (let at = start[tile]!; at < start[tile + 1]!; at += 1) {
				contacts[count] = order[at]!;
				isLowContact[order[at]!] = isLow[tile]!;
				count += 1;
			}
		}
		return ofContacts(contacts.subarray(0, count), isLowContact);
	};
}
