/** A sweep played body by body: whoever writes a velocity has the last one, forwards and backwards, and nobody is told more than needed. */
import { generate, Random } from "@stickslip/core";
import { type Plan, prepare } from "@stickslip/core/parallel";
import { expect, test } from "vitest";
import { BodyFlows } from "./body-flows.js";
import { tilesOf } from "./owners.js";
import { contactsOfBodies, SHARED, type Touching } from "./touching.js";

const RANKS = 4;

function bodiesOf({ start, contact }: Touching, owner: Int32Array): Int32Array[] {
	return Array.from({ length: RANKS }, (_, rank) =>
		Int32Array.from({ length: start.length - 1 }, (_, b) => b).filter((b) =>
			contact.subarray(start[b]!, start[b + 1]!).some((a) => owner[a] === rank),
		),
	);
}

function played(plan: Plan, owner: Int32Array, isBackward: boolean) {
	const tile = tilesOf(plan);
	const { steps, tileColour } = plan.layout;
	const touching = contactsOfBodies(plan.problem.rigid!, owner);
	const bodies = bodiesOf(touching, owner);
	const flows = new BodyFlows(plan.layout, tile, owner, touching, bodies);
	// What each rank has of each of its bodies: the number of writes that it knows of.
	const known = bodies.map((own) => new Int32Array(own.length));
	const writes = new Int32Array(touching.rankOf.length);
	let told = 0;
	for (let i = 0; i < steps; i += 1) {
		const step = isBackward ? steps - 1 - i : i;
		for (const [b, rank] of touching.rankOf.entries()) {
			if (rank !== SHARED) continue;
			const here = touching.contact
				.subarray(touching.start[b]!, touching.start[b + 1]!)
				.filter((a) => tileColour[tile[a]!] === step);
			if (here.length === 0) continue;
			const writer = owner[here[0]!]!;
			const at = bodies[writer]!.indexOf(b);
			expect(known[writer]![at], `body ${b} on rank ${writer} in step ${step}`).toBe(writes[b]);
			writes[b]! += 1;
			known[writer]![at] = writes[b]!;
		}
		for (let rank = 0; rank < RANKS; rank += 1) {
			for (const { from, to, send, receive } of flows.bySteps(rank)[step]!) {
				expect([from, to]).toContain(rank);
				if (from !== rank) continue;
				expect(flows.bySteps(to)[step]).toContainEqual({ from, to, send, receive });
				for (const [k, at] of send.entries()) {
					expect(bodies[from]![at]).toBe(bodies[to]![receive[k]!]);
					known[to]![receive[k]!] = known[from]![at]!;
					told += 1;
				}
			}
		}
	}
	const touches = writes.reduce((sum, count) => sum + count, 0);
	return { told, touches };
}

test.each(["spheres", "planks"])("the last velocity is where it is written next: %s", (kind) => {
	const problem = generate(kind, { contacts: 400, seed: 2 });
	for (const tile of [1, 8]) {
		const { plan } = prepare(problem, { set: { operator: "matrix-free", tile } });
		const byTile = Int32Array.from(new Int32Array(plan.layout.tileStart.length), (_, t) => t);
		const random = new Random(tile);
		for (const cut of [byTile.map(() => random.below(RANKS)), byTile.map((t) => (t * RANKS) / byTile.length)]) {
			const owner = tilesOf(plan).map((t) => cut[t]!);
			for (const isBackward of [false, true]) {
				const { told, touches } = played(plan, owner, isBackward);
				expect(touches).toBeGreaterThan(20);
				expect(told).toBeGreaterThan(0);
				expect(told).toBeLessThanOrEqual(2 * touches);
			}
		}
	}
});
