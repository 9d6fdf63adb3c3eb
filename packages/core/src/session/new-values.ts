/** New values of a problem whose pattern stays: checked for their sizes, and put beside what stays as it was. Nothing is copied. */
import { InputError } from "../base/errors.js";
import { isReals } from "../base/reals.js";
import { shown } from "../base/shown.js";
import type { Problem, RigidContacts } from "../problem/problem.js";
import type { NewValues } from "./session.js";

const FIELDS: Readonly<Record<keyof NewValues, true>> = {
	q: true,
	mu: true,
	parameters: true,
	values: true,
	rigid: true,
	start: true,
};
const RIGID: Readonly<Record<keyof NonNullable<NewValues["rigid"]>, true>> = {
	frame: true,
	arm: true,
	inverseMass: true,
	inverseInertia: true,
};

function refuse(place: string, problem: string, remedy: string): never {
	throw new InputError("values", place, problem, remedy);
}

function checkNames(place: string, given: object, known: object): void {
	for (const name in given) {
		if (Object.hasOwn(known, name)) continue;
		refuse(
			place + name,
			"is not a value of a prepared pattern",
			`give ${Object.keys(known).join(", ")}, or prepare anew`,
		);
	}
}

function checkSize(place: string, values: unknown, length: number): void {
	if (!isReals(values)) refuse(place, "is not a Float64Array", `give ${length} numbers in a Float64Array`);
	if (values.length !== length) {
		refuse(
			place,
			`has ${values.length} numbers instead of ${length}`,
			"make the sizes agree, or prepare another pattern",
		);
	}
}

function withRigid(problem: Problem, given: NonNullable<NewValues["rigid"]>): RigidContacts {
	const { rigid } = problem;
	if (rigid === undefined)
		refuse("rigid", "the pattern has no bodies", "give values of W, or prepare a problem of bodies");
	if (typeof given !== "object" || given === null) {
		refuse("rigid", `is ${shown(given)}`, "give an object with the values that change");
	}
	checkNames("rigid.", given, RIGID);
	for (const name of Object.keys(RIGID) as (keyof typeof RIGID)[]) {
		if (given[name] !== undefined) checkSize(`rigid.${name}`, given[name], rigid[name].length);
	}
	return { ...rigid, ...given };
}

/** The problem with its new values; the names of fields and their sizes have been checked, numbers have not. */
export function withValues(problem: Problem, given: NewValues): Problem {
	if (typeof given !== "object" || given === null) refuse("values", "is not an object", "give at least { q }");
	checkNames("", given, FIELDS);
	const { q, mu = problem.mu, parameters, values, rigid, start } = given;
	const { contacts, W, laws } = problem;
	checkSize("q", q, 3 * contacts);
	if (mu !== problem.mu) checkSize("mu", mu, contacts);
	if (parameters !== undefined) {
		if (laws === undefined)
			refuse("parameters", "the pattern has Coulomb's law only", "leave them out, or prepare a problem with laws");
		checkSize("parameters", parameters, laws.parameters.length);
	}
	if (start !== undefined) checkSize("start", start, 3 * contacts);
	if (values !== undefined) {
		if (W === undefined) refuse("values", "the pattern has no W", "give values of rigid, or prepare a problem with W");
		// Rows may have room behind them, as those that were prepared had.
		const used = 9 * W.rowStart[contacts]!;
		checkSize("values", values, values?.length === W.values.length ? values.length : used);
	}
	return {
		...problem,
		q,
		mu,
		...(laws && parameters && { laws: { ...laws, parameters } }),
		...(W && values && { W: { ...W, values } }),
		...(rigid !== undefined && { rigid: withRigid(problem, rigid) }),
	};
}
