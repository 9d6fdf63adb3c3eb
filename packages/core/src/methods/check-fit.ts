/** Whether a method can take a problem: its laws, equality rows and operator. One that cannot says so before it starts, with those that can. */
import { InputError } from "../base/errors.js";
import { LAWS, lawCodes, lawNames } from "../problem/laws.js";
import type { Problem } from "../problem/problem.js";
import type { Operator } from "../system/operator.js";
import { type MethodEntry, methodTable } from "./catalogue.js";
import type { Options } from "./options.js";

type Asked = Pick<Problem, "name" | "mu" | "laws" | "equalities">;

/** Throws an InputError for laws, equality rows or whatever else the method does not take. */
export function checkFit(entry: MethodEntry, problem: Asked, options: Options): void {
	const unknown = lawsBeyond(entry, problem);
	if (unknown.length > 0) {
		const has = `does not take the law${unknown.length > 1 ? "s" : ""} ${unknown.join(", ")}`;
		throw new InputError(problem.name, "method", `${entry.name} ${has}`, thoseThatFit(problem));
	}
	if (!fitsEqualities(entry, problem)) {
		throw new InputError(problem.name, "method", `${entry.name} does not take equality rows`, thoseThatFit(problem));
	}
	const refusal = entry.refusal?.(problem, options);
	if (refusal !== undefined)
		throw new InputError(problem.name, refusal.place, refusal.problem, refusal.remedy ?? thoseThatFit(problem));
}

function thoseThatFit(problem: Asked): string {
	return namesOf(
		(one) =>
			lawsBeyond(one, problem).length === 0 && fitsEqualities(one, problem) && one.refusal?.(problem, {}) === undefined,
	);
}

/** Throws an InputError for an operator that the method does not work with. */
export function checkOperator(entry: MethodEntry, problem: Asked, operator: Operator["kind"]): void {
	const { operators } = entry;
	if (operators === undefined || operators.includes(operator)) {
		const refusal = entry.refusalOfOperator?.(problem, operator);
		if (refusal === undefined) return;
		throw new InputError(problem.name, "operator", `is ${operator}: ${refusal}`, "use operator=assembled");
	}
	const lack = `is ${operator}, and ${entry.name} works with ${operators.join(" and ")} alone`;
	const can = namesOf((one) => one.operators === undefined || one.operators.includes(operator));
	throw new InputError(problem.name, "operator", lack, `use operator=${operators[0]}, or ${can.replace("use ", "")}`);
}

function namesOf(fits: (entry: MethodEntry) => boolean): string {
	return `use one of ${methodTable
		.filter(fits)
		.map(({ name }) => name)
		.join(", ")}`;
}

function lawsBeyond({ laws }: MethodEntry, problem: Asked): readonly string[] {
	if (laws === undefined) return [];
	return [...lawCodes(problem)].map((code) => LAWS[code]!).filter((name) => !laws.includes(name));
}

function fitsEqualities({ takesNoEqualities }: MethodEntry, { equalities }: Asked): boolean {
	return takesNoEqualities !== true || equalities === undefined || equalities.count === 0;
}

/** What tables of methods say of each. */
export function fitOf({ laws, operators, takesNoEqualities }: MethodEntry) {
	return {
		laws: laws ?? lawNames(),
		equalities: takesNoEqualities !== true,
		...(operators && { operators }),
	};
}
