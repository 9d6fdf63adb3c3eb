/** Ways of solving as they are written on the command line: `apgd`, `gauss-seidel:window=0:relax=1.2`. */
import { checkMethod, InputError } from "@stickslip/core";
import type { MethodVariant } from "./study-request.js";

/** Each is checked: unknown methods and options, and values out of range, are told at once. */
export function variantsOf(command: string, text: string): MethodVariant[] {
	const names = text.split(",").map((name) => name.trim());
	const variants = names.map((name) => variantOf(command, name));
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
	checkMethod(method, set);
	return { name, method, set };
}
