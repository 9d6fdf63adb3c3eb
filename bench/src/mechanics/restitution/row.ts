/** A measured number with its bound, and how it is printed. */

export interface RestitutionRow {
	readonly [column: string]: string | number;
	readonly what: string;
	/** Steps or collisions. */
	readonly count: number;
	readonly measured: number;
	/** Upper bound; empty for numbers that are documented without a bound. */
	readonly target: number | "";
	readonly held: "yes" | "NO" | "";
}

export function boundedRow(what: string, count: number, measured: number, target: number): RestitutionRow {
	return { what, count, measured, target, held: measured <= target ? "yes" : "NO" };
}

export function documentedRow(what: string, count: number, measured: number): RestitutionRow {
	return { what, count, measured, target: "", held: "" };
}

/** A number that has a closed form: the row's measure is the error. */
export function closedFormRow(what: string, found: number, exact: number, target = 1e-9): RestitutionRow {
	return boundedRow(`${what}, closed form ${exact.toPrecision(5)}: error`, 1, Math.abs(found - exact), target);
}
