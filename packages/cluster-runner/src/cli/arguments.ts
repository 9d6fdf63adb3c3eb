/** The arguments of a command line, read by name and checked: an error is one line that names the option and the remedy. */
import { InputError } from "@stickslip/core";

/** The arguments that a command passes on. */
export interface Rest {
	/** Options before the `--` that the command does not know, as they were written. */
	readonly unknown: readonly string[];
	/** The words after the `--`; undefined where there is none. */
	readonly line: readonly string[] | undefined;
	/** The first operand that stands after an unknown option, joined with it as one word: its value, most likely. */
	readonly joined?: string | undefined;
}

/** No wait is longer, and timers are limited to some weeks. */
export const DAY_SECONDS = 86_400;

export class Arguments {
	readonly #values: ReadonlyMap<string, string>;
	readonly #flags: ReadonlySet<string>;
	readonly #texts: ReadonlyMap<string, readonly string[]>;

	constructor(
		readonly command: string,
		/** Arguments that are not options: files, a name. */
		readonly operands: readonly string[],
		flags: ReadonlySet<string>,
		texts: ReadonlyMap<string, readonly string[]>,
		readonly rest: Rest = { unknown: [], line: undefined },
		/** Names of values by option, as in the help: SECONDS. */
		values: ReadonlyMap<string, string> = new Map(),
	) {
		this.#values = values;
		this.#flags = flags;
		this.#texts = texts;
	}

	flag(name: string): boolean {
		return this.#flags.has(name);
	}

	/** All values of an option that may be repeated, in order. */
	texts(name: string): readonly string[] {
		return this.#texts.get(name) ?? [];
	}

	/** The value of an option that may be given once. */
	text(name: string): string | undefined {
		return this.texts(name).at(-1);
	}

	/** All options that were set, by name, switches as "true"; several values of one option are joined. */
	settings(): Record<string, string> {
		const texts = [...this.#texts].map(([name, values]) => [name, values.join(" ")] as const);
		return Object.fromEntries([...texts, ...[...this.#flags].map((name) => [name, "true"] as const)]);
	}

	choice<Name extends string>(name: string, names: readonly Name[]): Name | undefined {
		const text = this.text(name);
		if (text === undefined) return undefined;
		const found = names.find((candidate) => candidate === text);
		return found ?? this.refuse(`--${name}`, `there is no "${text}"`, `choose among ${names.join(", ")}`);
	}

	/** A finite number, above 0 or at least 0; `example` is one that makes sense. */
	real(name: string, least: "above 0" | "from 0", example = 0.001): number | undefined {
		const text = this.text(name);
		if (text === undefined) return undefined;
		const value = asNumber(text);
		if (value !== undefined && (value > 0 || (value === 0 && least === "from 0"))) return value;
		const unit = this.#unitOf(name);
		if (value === undefined)
			return this.refuse(`--${name}`, `"${text}" is not a number`, `give e.g. --${name} ${example}`);
		const sign = value < 0 ? "negative" : "zero";
		const remedy = least === "from 0" ? `give 0 or more${unit}` : `give more than 0${unit}, e.g. --${name} ${example}`;
		return this.refuse(`--${name}`, `"${text}" is ${sign}`, remedy);
	}

	/** Seconds, of a day at most. */
	seconds(name: string, least: "above 0" | "from 0", example: number): number | undefined {
		const value = this.real(name, least, example);
		if (value === undefined || value <= DAY_SECONDS) return value;
		return this.refuse(`--${name}`, `${value} s is more than a day`, "give less");
	}

	integer(name: string, least: number, most: number, example = least): number | undefined {
		const text = this.text(name);
		if (text === undefined) return undefined;
		const value = asNumber(text);
		if (value !== undefined && Number.isInteger(value) && value >= least && value <= most) return value;
		const isInteger = value !== undefined && Number.isInteger(value);
		const problem = isInteger ? (value < least ? "is too small" : "is too large") : "is not an integer";
		const range = most >= Number.MAX_SAFE_INTEGER ? `${least} or more` : `${least} to ${most}`;
		return this.refuse(`--${name}`, `"${text}" ${problem}`, `give ${range}, e.g. --${name} ${example}`);
	}

	/** The unit of an option's value, after a number; empty if its name is no unit. */
	#unitOf(name: string): string {
		return this.#values.get(name) === "SECONDS" ? " seconds" : "";
	}

	refuse(place: string, problem: string, remedy: string): never {
		throw new InputError(this.command, place, problem, remedy);
	}
}

/** A finite decimal number, all of the text; undefined for anything else (also for 0x10, which Number would take). */
export function asNumber(text: string): number | undefined {
	if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return undefined;
	const value = Number(text);
	return Number.isFinite(value) ? value : undefined;
}
