/** `stickslip methods`: lists the solution methods; one by name with all its options, their defaults and ranges. */
import { methods as coreMethods, type ListedMethod } from "@stickslip/core";
import type { Command } from "../cli/command.js";
import { wrap } from "../cli/help.js";
import { nearest } from "../cli/nearest.js";

export const methods: Command = {
	name: "methods",
	usage: "[NAME] [--json]",
	what: "lists the solution methods and their options",
	options: [{ name: "json", what: "print the list as one JSON array" }],
	notes: `Without NAME all methods are listed, with the names of their options; with NAME the options of that
method are described. They are given as --set name=value to \`stickslip solve\`.`,
	async run(args, terminal) {
		const all = coreMethods();
		const [name, ...more] = args.operands;
		if (more.length > 0) args.refuse(more[0] ?? "", "unknown argument", "name one method, or none for all");
		const chosen = name === undefined ? all : all.filter((method) => method.name === name);
		if (chosen.length === 0) {
			const names = all.map((method) => method.name);
			const meant = nearest(name ?? "", names);
			const remedy = meant === undefined ? `choose among ${names.join(", ")}` : `did you mean ${meant}?`;
			args.refuse(name ?? "", "unknown method", remedy);
		}
		if (args.flag("json")) terminal.out(JSON.stringify(chosen));
		else for (const line of name === undefined ? overview(all) : whole(chosen[0]!)) terminal.out(line);
		return 0;
	},
};

const indented = (text: string): string[] => wrap(text, 96).map((line) => `  ${line}`);

function heading({ name, what, cost, laws, equalities, operators }: ListedMethod): string[] {
	const operator = operators ? `; operator ${operators.join(" or ")}` : "";
	return [
		name,
		...indented(what),
		...indented(`An iteration: ${cost}.`),
		...indented(`Takes the laws ${laws.join(", ")}${equalities ? "" : "; no equality rows"}${operator}.`),
	];
}

const described = (options: ListedMethod["options"]): string[] =>
	options.flatMap((option) => [
		`  --set ${option.name}=${option.default}   (${option.range})`,
		...wrap(option.what, 90).map((line) => `        ${line}`),
	]);

const whole = (method: ListedMethod): string[] => [...heading(method), ...described(method.options)];

/** What all methods have in common is described once, at the end. */
function overview(all: readonly ListedMethod[]): string[] {
	const common = all[0]!.options.filter(({ name }) =>
		all.every(({ options }) => options.some((option) => option.name === name)),
	);
	const isCommon = new Set(common.map(({ name }) => name));
	const lines = all.flatMap((method) => {
		const own = method.options.filter(({ name }) => !isCommon.has(name)).map(({ name }) => name);
		return [
			...heading(method),
			...indented(own.length > 0 ? `Options: ${own.join(", ")}.` : "No options of its own."),
			"",
		];
	});
	return [
		...lines,
		"Options of all methods",
		...described(common),
		"",
		"`stickslip methods NAME` describes the options of one method.",
	];
}
