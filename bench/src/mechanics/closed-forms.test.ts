/** The bench at two lengths of a step: what it says is known elsewhere too (time/contact.test.ts), and a wrong answer is not held. */
import { expect, it } from "vitest";
import { closedForms, rowsOf } from "./closed-forms.js";

const made = closedForms.map((make) => make());

it.each(made.map((one) => [one.name, one] as const))("%s", (_, one) => {
	for (const scheme of [{ name: "half-step" }, { name: "velocity-impulse" }] as const) {
		const rows = rowsOf(one, scheme, [8e-3, 2e-3]);
		expect(rows.filter(({ held }) => held !== "yes")).toEqual([]);
	}
});

it("another answer is not held", () => {
	const [sliding] = made;
	const wrong = { ...sliding!, exact: { distance: 1.05 * sliding!.exact.distance! } };
	expect(rowsOf(wrong, { name: "half-step" }, [8e-3, 2e-3])).toMatchObject([{ held: "NO" }]);
});
