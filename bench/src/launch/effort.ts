/** Efforts of the benches of launched runs, from their arguments. */
import { parseArgs } from "node:util";

/** The full effort, or the tiny one with `--tiny`; every field is an option, texts as they are, and numbers above 0. Undefined for invalid arguments. */
export function effortOf<Effort extends object>(
	args: readonly string[],
	full: Effort,
	tiny: Effort,
): Effort | undefined {
	try {
		const fields = Object.keys(full).map((name) => [name, { type: "string" }] as const);
		const options = { ...Object.fromEntries(fields), tiny: { type: "boolean", default: false } } as const;
		const { tiny: isTiny, ...given } = parseArgs({ args: [...args], options }).values as Record<string, unknown>;
		const isText = (name: string) => typeof full[name as keyof Effort] === "string";
		const values = Object.entries(given).map(([name, text]) => [name, isText(name) ? text : Number(text)] as const);
		const isValid = values.every(([, value]) => typeof value !== "number" || value > 0);
		return isValid ? { ...(isTiny === true ? tiny : full), ...Object.fromEntries(values) } : undefined;
	} catch {
		return undefined;
	}
}
