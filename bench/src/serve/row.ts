/** What the parts of the bench record: one number each, with its limit where it has one. */
export type ServeRow = {
	readonly part: string;
	readonly what: string;
	readonly value: string;
	readonly limit: string;
	readonly held: "yes" | "NO" | "";
};

export interface Limit {
	readonly text: string;
	readonly isHeld: boolean;
}

export function row(part: string, what: string, value: number | string, limit?: Limit): ServeRow {
	const text = typeof value === "number" ? String(Number(value.toPrecision(4))) : value;
	return {
		part,
		what,
		value: text,
		limit: limit?.text ?? "",
		held: limit === undefined ? "" : limit.isHeld ? "yes" : "NO",
	};
}

export function lineOf({ part, what, value, limit, held }: ServeRow): string {
	const end = held === "" ? "" : ` (${limit}): ${held}`;
	return `${part.padEnd(12)}${what.padEnd(58)}${value.padStart(10)}${end}`;
}
