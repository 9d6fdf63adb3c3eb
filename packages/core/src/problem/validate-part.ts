/** The border check of a part of a problem: what can be seen in it alone. What parts have to be together is problem-part.ts's. */
import { InputError } from "../base/errors.js";
import { Check } from "./check.js";
import { checkEachLaw } from "./check-laws.js";
import { numbersIn, type PartBodies, type PartRows, type ProblemPart, partName } from "./problem-part.js";

const CONTACTS_MAX = 2 ** 31 - 1;

/** Throws an InputError that names the part, the field and the remedy. */
export function validatePart(part: ProblemPart, index: number): void {
	const name = partName(index);
	if (part === null || typeof part !== "object") {
		throw new InputError(name, "part", `is ${String(part)}`, "give an object with contacts, ids, q, mu and W or rigid");
	}
	const check = new Check(name, (field) => field, {});
	const { contacts, ids, q, mu, W, rigid, point, start, laws } = part;
	if (!(Number.isInteger(contacts) && contacts >= 1 && contacts <= CONTACTS_MAX)) {
		check.fail("contacts", `is ${contacts}`, "give the number of contacts of the whole problem, at least 1");
	}
	check.indexArray("ids", ids);
	checkAscending(check, "ids", ids, contacts);
	const own = ids.length;
	for (const [field, values] of Object.entries({ q, mu, ...(point && { point }), ...(start && { start }) })) {
		check.realArray(field, values);
	}
	check.reals("q", q, 3 * own);
	check.friction("mu", mu, own);
	if (point) check.reals("point", point, 3 * own);
	if (start) check.reals("start", start, 3 * own);
	if (laws !== undefined) checkEachLaw(check, laws, own);
	if (W && rigid) check.fail("rigid", "is there beside W", "give rows of W or bodies");
	if (own > 0 && !W && !rigid) check.fail("W", "is missing", "give rows of W, or bodies (rigid)");
	if (W) checkRows(check, W, own, contacts);
	if (rigid) checkBodies(check, rigid, own);
}

function checkAscending(check: Check, field: string, ids: Int32Array, end: number): void {
	check.indices(field, ids, ids.length, 0, end);
	for (let i = 1; i < ids.length; i += 1) {
		if (ids[i]! > ids[i - 1]!) continue;
		check.fail(field, `is ${ids[i]} after ${ids[i - 1]}`, "give numbers in ascending order, each once", i);
	}
}

function checkRows(check: Check, { rowStart, column, values }: PartRows, own: number, contacts: number): void {
	check.rowArrays("W", { rowStart, column, values });
	const used = check.starts("W", rowStart, own, Math.min(column.length, Math.floor(values.length / 9)));
	check.indices("W.column", column, used, 0, contacts);
	for (let row = 0; row < own; row += 1) checkRow(check, column, rowStart[row]!, rowStart[row + 1]!, row);
	check.finite("W.values", values, 9 * used);
}

/** Columns in any order, each once: nearly all rows ascend. */
function checkRow(check: Check, column: Int32Array, from: number, end: number, row: number): void {
	let k = from + 1;
	while (k < end && column[k]! > column[k - 1]!) k += 1;
	if (k >= end) return;
	const seen = new Set<number>();
	for (k = from; k < end; k += 1) {
		if (seen.has(column[k]!)) {
			check.fail("W.column", `names block column ${column[k]} twice in row ${row}`, "add up the blocks", k);
		}
		seen.add(column[k]!);
	}
}

function checkBodies(check: Check, rigid: PartBodies, own: number): void {
	const { ids, body, frame, arm, inverseMass, inverseInertia } = rigid;
	for (const [field, values] of Object.entries({ ids, body })) {
		check.indexArray(`rigid.${field}`, values);
	}
	for (const [field, values] of Object.entries({ frame, arm, inverseMass, inverseInertia })) {
		check.realArray(`rigid.${field}`, values);
	}
	checkAscending(check, "rigid.ids", ids, CONTACTS_MAX);
	check.length("rigid.inverseMass", inverseMass.length, ids.length);
	const local = numbersIn(ids, body);
	const unknown = local.indexOf(-2);
	if (unknown >= 0) {
		const problem = `is ${body[unknown]}, which is neither in rigid.ids nor -1`;
		check.fail("rigid.body", problem, "list every body that a contact of the part touches", unknown);
	}
	check.rigid({ body: local, frame, arm, inverseMass, inverseInertia }, own);
}
