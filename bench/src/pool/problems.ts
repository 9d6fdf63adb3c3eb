/** The problems of the bench `pool`. */
import { generate, type Problem } from "@stickslip/core";

const CONTACTS = 100;
/** Problems that differ; more of them are these again. */
const KINDS = 50;
export const OPTIONS = { tolerance: 1e-6 };

export function problemsOf(kind: string, count: number): Problem[] {
	const some = Array.from({ length: Math.min(KINDS, count) }, (_, seed) =>
		generate(kind, { contacts: CONTACTS, seed }),
	);
	return Array.from({ length: count }, (_, at) => some[at % some.length]!);
}
