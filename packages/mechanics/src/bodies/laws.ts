/** Laws of contact by pair of materials. */
import { InputError } from "@stickslip/core";
import { checkNumbers } from "./contact-parameters.js";
import type { ContactLaw, Material } from "./model.js";

/** The laws of all pairs, as a model has them: what is given for a pair of names, both ways, and the default elsewhere. */
export function pairLaws(
	materials: readonly Material[],
	fallback: ContactLaw,
	given: readonly (ContactLaw & { readonly between: readonly [string, string] })[] = [],
): ContactLaw[] {
	const laws = new Array<ContactLaw>(materials.length ** 2).fill(checked(fallback, "/contact"));
	given.forEach((law, k) => {
		const [i, j] = law.between.map((name) => {
			const index = materials.findIndex((material) => material.name === name);
			if (index >= 0) return index;
			const known = materials.map((material) => material.name).join(", ");
			throw new InputError("scene", `/laws/${k}/between`, `there is no material ${name}`, `choose one of ${known}`);
		}) as [number, number];
		const { between: _, ...rest } = checked(law, `/laws/${k}`);
		laws[j * materials.length + i] = i !== j && rest.axis !== undefined ? { ...rest, axisOf: 1 } : rest;
		laws[i * materials.length + j] = rest;
	});
	return laws;
}

function checked<Law extends ContactLaw>(law: Law, path: string): Law {
	if (!(law.friction >= 0 && Number.isFinite(law.friction))) {
		throw new InputError("scene", `${path}/friction`, `${law.friction} cannot be`, "give zero or more");
	}
	if (!(law.restitution >= 0 && law.restitution <= 1)) {
		throw new InputError("scene", `${path}/restitution`, `${law.restitution} cannot be`, "give a number from 0 to 1");
	}
	checkNumbers(law, path);
	return law;
}
