/** The share of a rank that is alone: what travels to a thread or another process is plain data, and the same system. */
import { expect, test } from "vitest";
import { SelfCommunicator } from "../parallel/self.js";
import { type Share, shareOf } from "../parallel/share.js";
import { System, systemDefaults } from "../system/system.js";
import { pile } from "../testing/gallery.js";
import { makePlan } from "./plan.js";
import { plainWholeRows, wholeOutline, wholeShare } from "./whole.js";

test.each(["assembled", "matrix-free"] as const)("%s: of bodies, as it stays and as it arrives", (operator) => {
	const options = { ...systemDefaults, operator };
	const plan = makePlan(pile("spheres", 60), options);
	const productOf = (share: Share): Float64Array => {
		const system = new System(share, options, new SelfCommunicator());
		system.r.values.set(system.q.values);
		system.velocity(system.r, system.u);
		const product = system.u.values.slice();
		system.arena.release();
		return product;
	};
	const stays = productOf(wholeShare(plan));
	expect(stays.some((value) => value !== 0)).toBe(true);
	const { outline, rows } = structuredClone({ outline: wholeOutline(plan), rows: plainWholeRows(plan) });
	expect(productOf(shareOf(outline, rows))).toEqual(stays);
});
