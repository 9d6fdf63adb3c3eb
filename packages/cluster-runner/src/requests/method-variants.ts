/** Ways of solving as they are written on the command line: `apgd`, `gauss-seidel:window=0:relax=1.2`. */
import { checkMethod, InputError } from "@stickslip/core";
import type { MethodVariant } from "./study-request.js";

/** Each is checked: unknown methods and options, and values out of range, are told at once. */
export function variantsOf(command: string, text: string): MethodVariant[] {
	const names = text.split(",").map((name) => name.trim());
	const variants = names.map((name) => variantOf(command, name));
	for (const { method, set } of variants) checkMethod(method, set);
	const twice = names.find((name, index) => names.indexOf(name) !== index);
	if (twice !== undefined) throw new InputError(command, "--methods", `${twice} is given twice`, "give it once");
	return variants;
}

function variantOf(command: string, name: string): MethodVariant {
	const [method = "", ...settings] = name.split(":");
	if (method === "")
		throw new InputError(command, "--methods", "an empty name is not a method", "write e.g. auto,apgd");
	const set: Record<string, string> = {};
	for (const setting of settings) {
		const at = setting.indexOf("=");
		if (at < 1) {
			const problem = `"${setting}" of ${name} is not name=value`;
			throw new InputError(command, "--methods", problem, "write e.g. apgd:ratio=no:rho=0.5");
		}
		set[setting.slice(0, at)] = setting.slice(at + 1);
	}
	return { name, method, set };
}

/**
 * A method with each combination of the values that options are varied over: `delta=0,0.01,0.1`. What a `vary` names twice, or a method does not know, is
 * refused; the method itself may make sense only with one of the values.
 */
export function sweptVariants(command: string, name: string, vary: readonly string[]): MethodVariant[] {
	const base = variantOf(command, name);
	let variants: MethodVariant[] = [base];
	for (const text of vary) {
		const [, option, values] = /^([A-Za-z][\w-]*)=(.+)$/.exec(text) ?? [];
		if (option === undefined || values === undefined)
			throw new InputError(command, "--vary", `"${text}" is not name=values`, "write e.g. --vary delta=0,0.01,0.1");
		if (Object.hasOwn(variants[0]!.set, option))
			throw new InputError(command, "--vary", `${option} is given twice`, "give it once");
		variants = variants.flatMap((variant) =>
			values.split(",").map((value) => ({
				name: `${variant.name}:${option}=${value.trim()}`,
				method: base.method,
				set: { ...variant.set, [option]: value.trim() },
			})),
		);
	}
	for (const { method, set } of variants) checkMethod(method, set);
	return variants;
}
