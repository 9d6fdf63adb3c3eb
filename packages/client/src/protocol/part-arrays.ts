/** A part of a problem as named arrays and back: the names are the paths of the part's own fields (docs/protocol.md). */
import type { PartRows, ProblemPart } from "@stickslip/core";
import type { NamedArrays, NumberArray } from "./frames.js";
import { ArrayReader } from "./problem-arrays.js";

const PLAIN = ["ids", "q", "mu", "start"] as const;
const ROWS = ["rowStart", "column", "values"] as const;
const BODIES = ["ids", "body", "frame", "arm", "inverseMass", "inverseInertia"] as const;

/** The arrays of a part: what of it the service needs. */
export function toPartArrays(part: ProblemPart): Map<string, NumberArray> {
	const arrays = new Map<string, NumberArray>();
	const put = (name: string, array: NumberArray | undefined) => array && arrays.set(name, array);
	for (const field of PLAIN) put(field, part[field]);
	put("geometry.point", part.point);
	put("laws.law", part.laws && Int32Array.from(part.laws.law));
	put("laws.parameters", part.laws?.parameters);
	for (const field of ROWS) put(`W.${field}`, part.W?.[field]);
	for (const field of BODIES) put(`rigid.${field}`, part.rigid?.[field]);
	return arrays;
}

/** The part that arrays are of. Throws an InputError that names the array that is missing, of another type, or too much. */
export function fromPartArrays(name: string, contacts: number, arrays: NamedArrays): ProblemPart {
	const taker = new ArrayReader(arrays);
	const [ids, q, mu] = [taker.integers("ids"), taker.numbers("q"), taker.numbers("mu")];
	const part: { -readonly [Field in keyof ProblemPart]: ProblemPart[Field] } = { name, contacts, ids, q, mu };
	if (taker.has("start")) part.start = taker.numbers("start");
	if (taker.has("geometry.")) part.point = taker.numbers("geometry.point");
	if (taker.has("laws.")) part.laws = taker.laws();
	if (taker.has("W.")) {
		const { rowStart, column, values }: PartRows = taker.blocks("W");
		part.W = { rowStart, column, values };
	}
	if (taker.has("rigid.")) {
		part.rigid = {
			ids: taker.integers("rigid.ids"),
			body: taker.integers("rigid.body"),
			frame: taker.numbers("rigid.frame"),
			arm: taker.numbers("rigid.arm"),
			inverseMass: taker.numbers("rigid.inverseMass"),
			inverseInertia: taker.numbers("rigid.inverseInertia"),
		};
	}
	taker.end();
	return part;
}
