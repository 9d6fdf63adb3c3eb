/** A sweep simulated body by body: every writer of a velocity has its last value, forwards and backwards, and no rank is sent more than it needs. */
import { generate, Random, type RigidContacts } from "@stickslip/core";
import { type Plan, prepare } from "@stickslip/core/parallel";
import { expect, test } from "vitest";
import { tilesOf } from "../partition/owners.js";
import { bodyContactsOf, bordersOfBodies, SHARED_BODY } from "./body-contacts.js";
import { BodyFlows } from "./body-flows.js";
import type { Flow } from "./plans.js";

const RANKS = 4;

function bodiesOf({ body, inverseMass }: RigidContacts, owner: Int32Array): Int32Array[] {
	return Array.from({ length: RANKS }, (_, rank) =>
		Int32Array.from(inverseMass.keys()).filter((b) => body.some((own, k) => own === b && owner[k >> 1] === rank)),
	);
}

/** Contacts of others at a rank's bodies, by owner and id. */
function ghostsOf({ body }: RigidContacts, owner: Int32Array, bodies: readonly Int32Array[]): Int32Array[] {
	return bodies.map((list, rank) => {
		const own = new Set(list);
		const isGhost = (a: number) => owner[a] !== rank && (own.has(body[2 * a]!) || own.has(body[2 * a + 1]!));
		return Int32Array.from(owner.keys())
			.filter(isGhost)
			.sort((a, b) => owner[a]! - owner[b]! || a - b);
	});
}

const reversed = ({ from, to, send, receive }: Flow): Flow => ({ from: to, to: from, send: receive, receive: send });

function played(plan: Plan, owner: Int32Array, isBackward: boolean) {
	const tile = tilesOf(plan);
	const { steps, tileColour } = plan.layout;
	const rigid = plan.problem.rigid!;
	const touching = bodyContactsOf(rigid, owner);
	const { bodies, ghosts } = bordersOfBodies(touching, owner, RANKS);
	expect(bodies).toEqual(bodiesOf(rigid, owner));
	expect(ghosts).toEqual(ghostsOf(rigid, owner, bodies));
	const flows = new BodyFlows(plan.layout, tile, owner, touching, bodies);
	// For each rank and each of its bodies the number of writes that it knows of.
	const known = bodies.map((own) => new Int32Array(own.length));
	const writes = new Int32Array(touching.rankOf.length);
	let told = 0;
	let messages = 0;
	for (let i = 0; i < steps; i += 1) {
		const step = isBackward ? steps - 1 - i : i;
		for (const [b, rank] of touching.rankOf.entries()) {
			if (rank !== SHARED_BODY) continue;
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
		// Backwards the same goes the other way, after the step that follows.
		const passed = isBackward ? step - 1 : step;
		for (let rank = 0; rank < RANKS && passed >= 0; rank += 1) {
			for (const flow of flows.bySteps(rank)[passed]!) {
				expect([flow.from, flow.to]).toContain(rank);
				if (flow.from !== rank) continue;
				expect(flows.bySteps(flow.to)[passed]).toContainEqual(flow);
				const { from, to, send, receive } = isBackward ? reversed(flow) : flow;
				for (const [k, at] of send.entries()) {
					expect(bodies[from]![at]).toBe(bodies[to]![receive[k]!]);
					known[to]![receive[k]!] = known[from]![at]!;
					told += 1;
				}
				messages += 1;
			}
		}
	}
	const touches = writes.reduce((sum, count) => sum + count, 0);
	return { told, touches, messages };
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
				const { told, touches, messages } = played(plan, owner, isBackward);
				expect(touches).toBeGreaterThan(20);
				expect(told).toBeGreaterThan(0);
				expect(told).toBeLessThan(touches);
				expect(messages).toBeLessThan(told);
			}
		}
	}
});
