/** Problems and reports in words. */
import type { Problem, Report } from "@stickslip/core";

const number = (value: number): string => value.toLocaleString("en");
const small = (value: number): string => value.toExponential(2);

export function factsOf({ name, contacts, rigid, W, global, equalities, mu }: Problem): string {
	const bodies = rigid && `${number(rigid.inverseMass.length)} bodies`;
	const blocks = W && `${number(W.rowStart[W.rows] ?? 0)} blocks of W`;
	const freedom = global && `${number(global.M.rows)} degrees of freedom`;
	const rows = equalities && `${number(equalities.count)} equality rows`;
	const [least, most] = mu.reduce(([low, high], each) => [Math.min(low, each), Math.max(high, each)], [Infinity, 0]);
	const friction = least === most ? `friction ${least}` : `friction ${least.toPrecision(3)} to ${most.toPrecision(3)}`;
	const facts = [`${number(contacts)} contacts`, bodies, blocks, freedom, rows, friction];
	return `${name}: ${facts.filter((each) => each !== undefined).join(", ")}.`;
}

/** What the table of the answer has, row by row. */
export function reportRows(report: Report): readonly (readonly [string, string])[] {
	const { status, reason, choice, remedies, method, operator, iterations, products, ranks, transport } = report;
	return [
		["Status", status],
		["Reason", reason],
		...(remedies.length > 0 ? [["Changed on the way", remedies.join("; ")] as const] : []),
		...(report.warnings ?? []).map(({ text }) => ["Warning", text] as const),
		["Method", method],
		...(choice === undefined ? [] : [["Choice", choice] as const]),
		["Operator", operator],
		["Iterations", number(iterations)],
		["Products with W", number(products)],
		["Energy error", small(report.energy)],
		["Natural error", small(report.natural)],
		["Merit", small(report.merit)],
		["Seconds", report.seconds.toFixed(3)],
		["Threads", ranks === 1 ? "1" : `${ranks} (${transport})`],
		["Hash", report.hash],
		["Version", report.version],
	];
}
