/** What a cut between two lists of contacts, or of tiles of them, costs: the bodies that both sides touch, each told to the other side. */

/** Orders in which a list may be cut are compared by it: entries up to `middle` come to one side, the others to the other. */
export type CutCost = (list: Int32Array, middle: number) => number;

/** Contacts of vertex v are `order[start[v]]` to `order[start[v + 1] - 1]`, or v itself where there is no order. */
export function bodiesCut(body: Int32Array, order?: Int32Array, start?: Int32Array): CutCost {
	let bodies = 0;
	for (let k = 0; k < body.length; k += 1) bodies = Math.max(bodies, body[k]! + 1);
	// By the number of the look: 2 look for the first side, 2 look + 1 where the second has been counted.
	const seen = new Int32Array(bodies).fill(-1);
	let look = 0;
	return (list, middle) => {
		const mark = 2 * look;
		look += 1;
		let cut = 0;
		for (let i = 0; i < list.length; i += 1) {
			const v = list[i]!;
			const end = start === undefined ? v + 1 : start[v + 1]!;
			for (let at = start === undefined ? v : start[v]!; at < end; at += 1) {
				const a = order === undefined ? at : order[at]!;
				for (let k = 2 * a; k < 2 * a + 2; k += 1) {
					const b = body[k]!;
					if (b < 0) continue;
					if (i < middle) seen[b] = mark;
					else if (seen[b] === mark) {
						seen[b] = mark + 1;
						cut += 1;
					}
				}
			}
		}
		return cut;
	};
}
