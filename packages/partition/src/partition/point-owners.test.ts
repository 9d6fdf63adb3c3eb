/** Owners found before the plan: those that the plan gives, or none. */
import { assembleRigid, generate, type Problem } from "@stickslip/core";
import { prepare } from "@stickslip/core/parallel";
import { describe, expect, test } from "vitest";
import { ownersOf } from "./owners.js";
import { type PointCut, pointCutOf, pointOwners } from "./point-owners.js";

const spheres = generate("spheres", { contacts: 400, seed: 2 });
const planks = generate("planks", { contacts: 3000, seed: 2 });
const { contacts } = spheres;
const { rigid, ...rest } = spheres;
const problems: readonly [string, Problem, string][] = [
	["rows formed of bodies", spheres, "assembled"],
	["bodies", planks, "matrix-free"],
	["W that is given", { ...rest, W: assembleRigid(rigid!) }, "assembled"],
	["W that is given, with bodies", { ...spheres, W: assembleRigid(rigid!) }, "assembled"],
];

describe.each(problems)("%s", (_name, problem, operator) => {
	const { plan } = prepare(problem);
	const cut = structuredClone(pointCutOf(problem)!);

	test.each([2, 3, 8])("the owners of the plan among %i ranks", (ranks) => {
		const known = pointOwners(cut, ranks)!;
		const asked = ownersOf(plan, ranks);
		expect(known).toEqual({ owner: asked.owner, operator });
		const taken = ownersOf(plan, ranks, { known });
		expect(taken.partition).toEqual(asked.partition);
		expect(taken.partition.owner).toBe(known.owner);
	});

	test("are not taken where the plan is another", () => {
		const known = { ...pointOwners(cut, 2)!, owner: new Int32Array(problem.contacts) };
		const right = ownersOf(plan, 2).owner;
		const other = operator === "assembled" ? "matrix-free" : "assembled";
		expect(ownersOf(plan, 2, { known }).owner).toEqual(known.owner);
		expect(ownersOf(plan, 2, { known: { ...known, operator: other } }).owner).toEqual(right);
		expect(ownersOf(plan, 2, { known: { ...known, owner: new Int32Array(1) } }).owner).toEqual(right);
		const tiled = prepare(problem, { set: { tile: 16 } }).plan;
		expect(ownersOf(tiled, 2, { known }).owner).toEqual(ownersOf(tiled, 2).owner);
	});
});

test("no owners where they follow from something else, or numbers make no sense", () => {
	const { geometry, ...without } = spheres;
	const { point } = geometry!;
	for (const problem of [
		undefined,
		null,
		{},
		without,
		{ ...spheres, contacts: 399 },
		{ ...spheres, contacts: "400" },
	]) {
		expect(pointCutOf(problem as unknown as Problem)).toBeUndefined();
	}
	expect(pointCutOf({ ...spheres, geometry: { point: point!.slice(1) } })).toBeUndefined();
	expect(
		pointCutOf({ ...spheres, laws: { law: new Uint8Array(contacts), parameters: new Float64Array(8 * contacts) } }),
	).toBeUndefined();
	const cut = pointCutOf(spheres)!;
	const spoilt = (change: (cut: PointCut) => void): PointCut => {
		const copy = structuredClone(cut);
		change(copy);
		return copy;
	};
	const wrong = [
		spoilt(({ points }) => points.fill(1)),
		spoilt(({ points }) => points.fill(Number.NaN, 7, 8)),
		spoilt(({ body }) => body!.fill(-2, 0, 1)),
		spoilt(({ body, inverseMass }) => body!.fill(inverseMass!.length, 5, 6)),
		spoilt(({ body }) => body!.fill(3, 0, 2)),
	];
	expect(wrong.map((each) => pointOwners(each, 2))).toEqual(wrong.map(() => undefined));
});
