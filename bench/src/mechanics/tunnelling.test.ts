/** The bench with a few shots; shots pass where contacts give way. */
import { expect, it } from "vitest";
import { passes, SHOT_SCHEMES, SHOT_SHAPES, TARGETS, tunnellingRows } from "./tunnelling.js";

it.each(SHOT_SCHEMES)(
	"no shape passes below one body length per step by $name",
	(scheme) => {
		const rows = tunnellingRows(scheme, [0.95], 1, [0]);
		expect(rows.filter(({ passed }) => passed > 0)).toEqual([]);
		expect(rows.reduce((sum, { shots }) => sum + shots, 0)).toBe(TARGETS.length * Object.keys(SHOT_SHAPES).length);
	},
	60_000,
);

it("a shot passes where contacts carry nothing", () => {
	const shot = { shape: "ellipsoid", scheme: SHOT_SCHEMES[0]!, speed: 0.3, restitution: 0, seed: 1 } as const;
	const nothing = { contact: { friction: 0, law: "capped", cap: 0 } } as const;
	for (const target of ["plate", "plane", "moving plate", "free plate", "body", "moving body"] as const) {
		expect(passes({ ...shot, target }, nothing), target).toBe(true);
		expect(passes({ ...shot, target }), target).toBe(false);
	}
});
