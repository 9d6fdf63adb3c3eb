/** `stickslip methods`: lists the solution methods, and every option with its default and range. */
import { methods as coreMethods, type ListedMethod } from "@stickslip/core";
import type { Command } from "../cli/command.js";
import { wrap } from "../cli/help.js";
import { nearest } from "../cli/nearest.js";

export const methods: Command = {
	name: "methods",
	usage: "[NAME] [--json]",
	what: "lists the solution methods and their options",
	options: [{ name: "json", what: "print the list as one JSON array" }],
	notes: "Options of a method are given as --set name=value to `stickslip solve`.",
	async run(args, terminal) {
		const all = coreMethods();
		const [name, ...more] = args.operands;
		if (more.length > 0) args.refuse(more[0] ?? "", "is not expected", "name one method, or none for all");
		const chosen = name === undefined ? all : all.filter((method) => method.name === name);
		if (chosen.length === 0) {
			const names = all.map((method) => method.name);
			const meant = nearest(name ?? "", names);
			const remedy = meant === undefined ? `choose among ${names.join(", ")}` : `did you mean ${meant}?`;
			args.refuse(name ?? "", "unknown method", remedy);
		}
		if (args.flag("json")) terminal.out(JSON.stringify(chosen));
		else for (const [index, method] of chosen.entries()) print(method, index > 0 ? [""] : []).forEach(terminal.out);
		return 0;
	},
};

function print(
	{ name, what, cost, laws, equalities, operators, options }: ListedMethod,
	before: readonly string[],
): string[] {
	const lines = [...before, name, ...wrap(what, 96).map((line) => `  ${line}`)];
	lines.push(...wrap(`An iteration: ${cost}.`, 96).map((line) => `  ${line}`));
	const taken = `Takes the laws ${laws.join(", ")}${equalities ? "" : "; no equality rows"}${operators ? `; operator ${operators.join(" or ")}` : ""}.`;
	lines.push(...wrap(taken, 96).map((line) => `  ${line}`));
	for (const option of options) {
		lines.push(`  --set ${option.name}=${option.default}   (${option.range})`);
		lines.push(...wrap(option.what, 90).map((line) => `        ${line}`));
	}
	return lines;
}
