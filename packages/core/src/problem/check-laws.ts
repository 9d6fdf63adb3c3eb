/** The border check of laws: codes that there are, and numbers in their ranges that do not contradict each other. */
import { shown } from "../base/shown.js";
import type { Check } from "./check.js";
import { type ContactLaws, type Contradiction, type LawDoc, lawCode, lawNames, lawOf, PARAMETERS } from "./laws.js";

const ROLLING = lawCode("rolling");

/** Throws InputError for the first thing that is wrong. */
export function checkLaws(check: Check, laws: ContactLaws, contacts: number): void {
	checkEachLaw(check, laws, contacts);
	checkPairs(check, laws.law);
}

/** The same of each contact by itself. */
export function checkEachLaw(check: Check, laws: ContactLaws, contacts: number): void {
	check.object("laws", laws, "law and parameters");
	const { law, parameters } = laws;
	if (!(law instanceof Uint8Array)) {
		check.fail("laws.law", `is ${shown(law)}`, `give ${contacts} codes of laws in a Uint8Array`);
	}
	check.length("laws.law", law.length, contacts);
	check.realArray("laws.parameters", parameters, PARAMETERS * contacts);
	check.length("laws.parameters", parameters.length, PARAMETERS * contacts);
	for (let contact = 0; contact < contacts; contact += 1) {
		const found = lawOf(law[contact]!);
		if (found === undefined) {
			check.fail(
				"laws.law",
				`is ${law[contact]}, which is no law`,
				`use the codes of ${lawNames().join(", ")}`,
				contact,
			);
		}
		if (found.doc.parameters.length > 0) checkNumbers(check, found.doc, parameters, contact);
	}
}

/** Blocks of rolling contacts come in twos: a force, and its moment behind it. */
function checkPairs(check: Check, law: Uint8Array): void {
	for (let from = 0; from < law.length; from += 1) {
		if (law[from] !== ROLLING) continue;
		let to = from + 1;
		while (to < law.length && law[to] === ROLLING) to += 1;
		if ((to - from) % 2 === 1) {
			const what = `has ${to - from} rolling blocks in a row, which is odd`;
			check.fail("laws.law", what, "give each rolling contact two adjacent blocks: its force, and its moment", from);
		}
		from = to;
	}
}

function checkNumbers(check: Check, doc: LawDoc, values: Float64Array, contact: number): void {
	const first = PARAMETERS * contact + 1;
	const wrong = contradictionIn(doc, (index) => values[first + index]!);
	if (wrong === undefined) return;
	const index = doc.parameters.findIndex(({ name }) => name === wrong.parameter);
	const what = `${wrong.parameter} of contact ${contact} ${wrong.problem}`;
	check.fail("laws.parameters", what, wrong.remedy, first + index);
}

/** The first of a law's numbers, by index, that is out of its range or contradicts another. */
export function contradictionIn(
	{ parameters, contradiction }: LawDoc,
	read: (index: number) => number,
): Contradiction | undefined {
	for (const [index, { name, least, mayBeInfinite }] of parameters.entries()) {
		const value = read(index);
		const because = (remedy: string): Contradiction => ({ parameter: name, problem: `is ${value}`, remedy });
		if (Number.isNaN(value)) return because("give a number");
		if (!Number.isFinite(value) && !mayBeInfinite) return because("give a finite number");
		if (least !== undefined && value < least) return because(`give a number that is at least ${least}`);
	}
	return contradiction?.((name) => read(parameters.findIndex((parameter) => parameter.name === name)));
}
