/** What the table of methods has of each, and the options that all of them have. */
import { InputError } from "../base/errors.js";
import { OPERATORS } from "../outline/choose.js";
import { ORDERS } from "../outline/layout.js";
import type { LawName } from "../problem/laws.js";
import type { Problem } from "../problem/problem.js";
import type { Operator } from "../system/operator.js";
import type { System, SystemOptions } from "../system/system.js";
import type { Counts } from "./counts.js";
import type { Method } from "./method.js";
import { integer, type OptionDoc, type Options, oneOf, positive } from "./options.js";

/** Why a method does not take a problem. */
export interface Refusal {
	readonly place: string;
	readonly problem: string;
	/** Other methods, where it is left out. */
	readonly remedy?: string;
}

export interface MethodEntry {
	readonly name: string;
	readonly what: string;
	/** Of an iteration: products, exchanges, reductions. */
	readonly cost: string;
	/** The same in numbers, checked by tests and by the bench method-hashes. */
	readonly counts?: Counts;
	readonly options: readonly OptionDoc[];
	/** Laws that it takes; all where absent. */
	readonly laws?: readonly LawName[];
	/** What else of a problem it cannot take with such options: the place and what is wrong. Looked at before anything is shared out. */
	refusal?(problem: Pick<Problem, "mu" | "laws">, options: Options): Refusal | undefined;
	/** Why it cannot take the problem with this operator, which is one of its own. */
	refusalOfOperator?(problem: Pick<Problem, "laws">, operator: Operator["kind"]): string | undefined;
	/** It takes no equality rows. */
	readonly takesNoEqualities?: true;
	/** Operators that it works with; all where absent. */
	readonly operators?: readonly Operator["kind"][];
	/** What the method wants of the system; refuses options that would do nothing beside the others. */
	system(options: Options): Partial<SystemOptions>;
	/** Allocates all that the method needs. */
	make(system: System, options: Options): Method;
	/** Why this method suits this system, for the report. */
	reason?(system: ReasonFacts): string;
}

/** What a system is, as far as reports give reasons. */
export interface ReasonFacts {
	readonly operator: { readonly sweep?: unknown };
	readonly share: Pick<System["share"], "colours" | "order" | "coupling">;
}

const seed = integer("seed", "seed of the colours and of the shuffled order", 1, 0, 2 ** 31 - 1);

/** Options of the system, the same for all methods. */
export const common: readonly OptionDoc[] = [
	oneOf("operator", "how W is applied", "auto", OPERATORS),
	oneOf("order", "order of contacts in storage and sweeps", "coloured", ORDERS),
	seed,
	integer(
		"tile",
		"contacts per tile, the unit that is swept at once and owned by one rank; by-size: 1 for up to 65,536 contacts with at most 16,666 colours, else 64 to 512",
		"by-size",
		1,
		65_536,
		["by-size"],
	),
	oneOf("engine", "WebAssembly kernels, or their TypeScript twin with the same bits", "wasm", ["wasm", "twin"]),
];

export const scaling = positive(
	"scaling",
	"contact: unknowns scaled to W's diagonal blocks; none: in the file's units; a number: W is multiplied by it (the time step turns impulses into forces)",
	"contact",
	["contact", "none"],
);

/** As a system takes it. */
function scalingOf({ scaling: given }: Options): SystemOptions["scaling"] {
	if (given === "none") return 1;
	return typeof given === "number" ? given : "contact";
}

/** What the common options say to the system. */
export function systemOptions(options: Options): Partial<SystemOptions> {
	if (options.order === "file" && options.seed !== seed.default) {
		throw new InputError("options", "seed", "has no effect with order=file", "leave out one of the two");
	}
	const { tile } = options;
	if (typeof tile === "number" && options.order !== "coloured") {
		throw new InputError("options", "tile", `has no effect with order=${options.order}`, "leave out one of the two");
	}
	return {
		...(typeof tile === "number" ? { tile } : {}),
		scaling: scalingOf(options),
		operator: options.operator as SystemOptions["operator"],
		order: options.order as SystemOptions["order"],
		engine: options.engine as SystemOptions["engine"],
		seed: Number(options.seed),
	};
}

/** The same for methods that factor rows of W: they are formed where the caller says nothing else. */
export function systemWithRows(options: Options): Partial<SystemOptions> {
	return { ...systemOptions(options), ...(options.operator === "auto" ? { operator: "assembled" } : {}) };
}
