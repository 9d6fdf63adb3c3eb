/** What `stickslip methods` and help texts print. */
import type { LawName } from "../problem/laws.js";
import type { Operator } from "../system/operator.js";
import { methodTable } from "./catalogue.js";
import { fitOf } from "./check-fit.js";
import type { Counts } from "./counts.js";
import type { OptionDoc } from "./options.js";

export interface ListedMethod {
	readonly name: string;
	readonly what: string;
	/** Of an iteration: products, exchanges, reductions. */
	readonly cost: string;
	/** The same as numbers, where they are always the same. */
	readonly counts?: Counts;
	/** Laws that it takes. */
	readonly laws: readonly LawName[];
	/** Whether it takes equality rows. */
	readonly equalities: boolean;
	/** Operators that it works with; all where absent. */
	readonly operators?: readonly Operator["kind"][];
	readonly options: readonly {
		readonly name: string;
		readonly what: string;
		readonly default: OptionDoc["default"];
		readonly range: string;
	}[];
}

export function methods(): ListedMethod[] {
	return methodTable.map((entry) => ({
		name: entry.name,
		what: entry.what,
		cost: entry.cost,
		...(entry.counts && { counts: entry.counts }),
		...fitOf(entry),
		options: entry.options.map((doc) => ({ name: doc.name, what: doc.what, default: doc.default, range: doc.range })),
	}));
}
