/** Methods of ours beside Siconos' own solver of the same name. */
import { methods } from "@stickslip/core";
import type { Solver } from "./core.js";

export interface Pair {
	/** Siconos' name of it. */
	readonly name: string;
	/** Of configs.h: its defaults, and for those that factor also with the other LU; the fastest of them counts. */
	readonly configs: readonly string[];
	readonly method: string;
	readonly set: Readonly<Record<string, string | number>>;
}

const all: readonly Pair[] = [
	{ name: "NSGS", configs: ["gs-newton"], method: "gauss-seidel", set: {} },
	{
		name: "NSN_AC",
		configs: ["newton-alart-curnier", "newton-alart-curnier-cslu"],
		method: "newton",
		set: {},
	},
	{
		name: "NSN_FB",
		configs: ["newton-fischer-burmeister", "newton-fischer-burmeister-cslu"],
		method: "newton",
		set: { linearisation: "newt" },
	},
	{ name: "ADMM", configs: ["admm"], method: "admm", set: {} },
	{ name: "VI_EG", configs: ["vi-extragradient"], method: "extragradient", set: {} },
	{ name: "VI_FPP", configs: ["vi-fixed-point"], method: "fixed-point", set: {} },
	{ name: "PROX", configs: ["proximal-newton", "proximal-newton-cslu"], method: "proximal-newton", set: {} },
];

export const pairNames: readonly string[] = all.map(({ name }) => name);

/** Those named, or all; without those whose method is not there, which a line says. */
export function pairsOf(names: readonly string[], print: (line: string) => void): Pair[] {
	const known = new Set(methods().map(({ name }) => name));
	return all.filter(({ name, method }) => {
		if (names.length > 0 && !names.includes(name)) return false;
		if (!known.has(method)) print(`skipped: ${name}: there is no method ${method}`);
		return known.has(method);
	});
}

export function solverOf({ method, set }: Pair): Solver {
	return { method, set };
}
