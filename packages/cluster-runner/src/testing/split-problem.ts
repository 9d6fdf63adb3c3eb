/** Problems cut into parts, as tests of problems in parts have them: any contact in any part. */
import { PARAMETERS, type PartBodies, type Problem, type ProblemPart } from "@stickslip/core";

/** Parts of a problem by the part of each contact. With W alone, or with bodies alone, as `form` says. */
export function splitProblem(
	problem: Problem,
	partOf: (contact: number) => number,
	of: number,
	form: "W" | "rigid",
): ProblemPart[] {
	const lists: number[][] = Array.from({ length: of }, () => []);
	for (let id = 0; id < problem.contacts; id += 1) lists[partOf(id)]!.push(id);
	return lists.map((ids) => partOfProblem(problem, Int32Array.from(ids), form));
}

/** Numbers of these ids, `width` of each. */
function taken<Values extends Float64Array | Int32Array | Uint8Array>(
	values: Values,
	ids: Int32Array,
	width: number,
): Values {
	const Kind = values.constructor as new (length: number) => Values;
	const own = new Kind(width * ids.length);
	for (let i = 0; i < ids.length; i += 1) own.set(values.subarray(width * ids[i]!, width * (ids[i]! + 1)), width * i);
	return own;
}

export function partOfProblem(
	problem: Problem,
	ids: Int32Array,
	form: "W" | "rigid",
	start?: Float64Array,
): ProblemPart {
	const { name, contacts, q, mu, laws, W, rigid, geometry } = problem;
	const common = {
		name,
		contacts,
		ids,
		q: taken(q, ids, 3),
		mu: taken(mu, ids, 1),
		...(geometry?.point && { point: taken(geometry.point, ids, 3) }),
		...(laws && { laws: { law: taken(laws.law, ids, 1), parameters: taken(laws.parameters, ids, PARAMETERS) } }),
		...(start && { start: taken(start, ids, 3) }),
	};
	if (form === "rigid") return { ...common, rigid: bodiesOf(rigid!, ids) };
	const { rowStart, column, values } = W!;
	const start0 = new Int32Array(ids.length + 1);
	for (let i = 0; i < ids.length; i += 1) start0[i + 1] = start0[i]! + rowStart[ids[i]! + 1]! - rowStart[ids[i]!]!;
	const own = {
		rowStart: start0,
		column: new Int32Array(start0.at(-1)!),
		values: new Float64Array(9 * start0.at(-1)!),
	};
	for (let i = 0; i < ids.length; i += 1) {
		const [from, end] = [rowStart[ids[i]!]!, rowStart[ids[i]! + 1]!];
		own.column.set(column.subarray(from, end), start0[i]!);
		own.values.set(values.subarray(9 * from, 9 * end), 9 * start0[i]!);
	}
	return { ...common, W: own };
}

function bodiesOf(rigid: NonNullable<Problem["rigid"]>, contacts: Int32Array): PartBodies {
	const body = taken(rigid.body, contacts, 2);
	const ids = Int32Array.from(new Set(body.filter((b) => b >= 0))).sort();
	return {
		ids,
		body,
		frame: taken(rigid.frame, contacts, 9),
		arm: taken(rigid.arm, contacts, 6),
		inverseMass: taken(rigid.inverseMass, ids, 1),
		inverseInertia: taken(rigid.inverseInertia, ids, 6),
	};
}
