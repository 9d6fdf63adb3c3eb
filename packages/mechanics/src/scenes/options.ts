/** Options of scenes by name: plain data in tables beside each scene, checked here. */
import { InputError } from "@stickslip/core";

export type OptionValue = number | string;

/** One option of a scene. A default of null: the scene works it out from the others. */
export type SceneOption =
	| {
			readonly kind: "number" | "integer";
			readonly default: number | null;
			readonly least: number;
			readonly most: number;
			readonly help: string;
	  }
	| { readonly kind: "choice"; readonly default: string; readonly choices: readonly string[]; readonly help: string };

export type OptionTable = Readonly<Record<string, SceneOption>>;

type ValueOf<Option extends SceneOption> = Option extends { readonly choices: readonly (infer Choice)[] }
	? Choice
	: Option extends { readonly default: null }
		? number | undefined
		: number;

export type OptionValues<Table extends OptionTable> = { readonly [Name in keyof Table]: ValueOf<Table[Name]> };

export type GivenOptions = Readonly<Record<string, OptionValue | undefined>>;

/** All values of a table: what was given, or the defaults. Text that is a number counts as one, as command lines have it. */
export function resolveSceneOptions<const Table extends OptionTable>(
	scene: string,
	table: Table,
	given: GivenOptions,
): OptionValues<Table> {
	const source = `scene ${scene}`;
	const names = Object.keys(table);
	for (const name of Object.keys(given)) {
		if (Object.hasOwn(table, name)) continue;
		throw new InputError(source, name, "unknown option", `choose among ${names.join(", ")}`);
	}
	const values = names.map((name) => [name, optionValue(source, name, table[name]!, given[name])]);
	return Object.fromEntries(values) as OptionValues<Table>;
}

function optionValue(source: string, name: string, option: SceneOption, given: unknown): OptionValue | undefined {
	if (given === undefined) return option.default ?? undefined;
	if (option.kind === "choice") {
		if (option.choices.some((choice) => choice === given)) return given as string;
		const remedy = `choose among ${option.choices.join(", ")}`;
		throw new InputError(source, name, `there is no "${String(given)}"`, remedy);
	}
	const value = typeof given === "string" && given.trim() !== "" ? Number(given) : given;
	const { least, most, kind } = option;
	const isNumber = typeof value === "number" && !Number.isNaN(value);
	const isGood = isNumber && value >= least && value <= most;
	if (isGood && (kind === "number" || Number.isInteger(value))) return value;
	const what = kind === "integer" ? "an integer" : "a number";
	const problem = isNumber ? `${value} is out of range` : `"${String(given)}" is not a number`;
	throw new InputError(source, name, problem, `give ${what} from ${least} to ${most}`);
}

const COUNT_MAX = 10_000_000;

/** Options that many scenes have. */
export const seedOption = {
	kind: "integer",
	default: 1,
	least: 0,
	most: Number.MAX_SAFE_INTEGER,
	help: "of what is random: the same seed, the same scene",
} as const satisfies SceneOption;

export function countOption(count: number, help: string) {
	return { kind: "integer", default: count, least: 1, most: COUNT_MAX, help } as const;
}

/** A number above zero: a length, a density, a duration. */
export function positiveOption(value: number, help: string) {
	return { kind: "number", default: value, least: 1e-9, most: 1e9, help } as const;
}

export function numberOption(value: number, least: number, most: number, help: string) {
	return { kind: "number", default: value, least, most, help } as const;
}

export function choiceOption<const Choice extends string>(choices: readonly Choice[], value: Choice, help: string) {
	return { kind: "choice", default: value, choices, help } as const;
}

export const frictionOption = numberOption(0.3, 0, 1e6, "coefficient of friction of all contacts");
export const restitutionOption = numberOption(0, 0, 1, "share of the normal velocity that comes back (Newton)");
