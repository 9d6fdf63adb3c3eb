/** The border check of laws: codes that there are, and numbers in their ranges that do not contradict each other. */
import { shown } from "../base/shown.js";
import type { Check } from "./check.js";
import { type ContactLaws, type LawDoc, lawNames, lawOf, PARAMETERS } from "./laws.js";

/** Throws InputError for the first thing that is wrong. */
export function checkLaws(check: Check, laws: ContactLaws, contacts: number): void {
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

function checkNumbers(
	check: Check,
	{ parameters, contradiction }: LawDoc,
	values: Float64Array,
	contact: number,
): void {
	const place = (index: number) => PARAMETERS * contact + 1 + index;
	for (const [index, { name, least, mayBeInfinite }] of parameters.entries()) {
		const value = values[place(index)]!;
		const say = (remedy: string): never =>
			check.fail("laws.parameters", `${name} of contact ${contact} is ${value}`, remedy, place(index));
		if (Number.isNaN(value)) say("give a number");
		if (!Number.isFinite(value) && !mayBeInfinite) say("give a finite number");
		if (least !== undefined && value < least) say(`give a number that is at least ${least}`);
	}
	const indexOf = (name: string) => parameters.findIndex((parameter) => parameter.name === name);
	const wrong = contradiction?.((name) => values[place(indexOf(name))]!);
	if (wrong === undefined) return;
	const what = `${wrong.parameter} of contact ${contact} ${wrong.problem}`;
	check.fail("laws.parameters", what, wrong.remedy, place(indexOf(wrong.parameter)));
}
