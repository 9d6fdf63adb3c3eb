import { Random } from "@stickslip/core";
import { describe, expect, it } from "vitest";
import { bodiesOf, modelOf, randomSpheres, spheresOf } from "../testing/bodies.js";
import { ContactList } from "./contact-list.js";
import { ContactDetector } from "./detect.js";
import { WarmStarts } from "./warm-starts.js";

function bed(seed = 3) {
	const { model, bodies } = spheresOf(randomSpheres(seed, 60, [3, 3, 3], 2));
	const contacts = new ContactList();
	new ContactDetector(model).detect(bodies, 0, contacts);
	const random = new Random(seed);
	const R = Float64Array.from({ length: 3 * contacts.count }, () => random.between(-1, 1));
	return { bodies, contacts, R, owner: new Int32Array(contacts.count) };
}

function near(values: Float64Array, wanted: Float64Array): void {
	expect(values.length).toBe(wanted.length);
	for (let i = 0; i < values.length; i += 1) expect(Math.abs(values[i]! - wanted[i]!)).toBeLessThan(1e-14);
}

describe("WarmStarts", () => {
	it("gives each contact what it had, and zero to new ones", () => {
		const { bodies, contacts, R, owner } = bed();
		const warm = new WarmStarts();
		expect(warm.start(bodies, contacts).every((value) => value === 0)).toBe(true);
		warm.remember(bodies, contacts, R, owner, 0);
		near(warm.start(bodies, contacts), R);
		// Another feature is another contact.
		contacts.feature[4] = 77;
		const start = warm.start(bodies, contacts);
		expect([...start.subarray(12, 15)]).toEqual([0, 0, 0]);
		near(start.slice(15), R.slice(15));
	});

	it("keeps reactions in world axes: a frame that has turned about N has the same force", () => {
		const { bodies, contacts, R, owner } = bed();
		const warm = new WarmStarts();
		warm.remember(bodies, contacts, R, owner, 0);
		for (let d = 0; d < 3; d += 1) {
			const first = contacts.frame[3 + d]!;
			contacts.frame[3 + d] = contacts.frame[6 + d]!;
			contacts.frame[6 + d] = -first;
		}
		const start = warm.start(bodies, contacts);
		near(start.slice(0, 3), Float64Array.of(R[0]!, R[2]!, -R[1]!));
	});

	it("goes with bodies that leave, and is the same again where all arrive", () => {
		const { bodies, contacts, R, owner } = bed();
		const [here, there] = [new WarmStarts(), new WarmStarts()];
		here.remember(bodies, contacts, R, owner, 0);
		const before = here.records;
		const parcels: Float64Array[] = [];
		here.leave(
			(id) => (id % 3 === 0 ? 1 : -1),
			(rank, record) => {
				expect(rank).toBe(1);
				parcels.push(Float64Array.from(record));
			},
		);
		expect(parcels.length).toBeGreaterThan(5);
		expect(here.count).toBe(before.length - parcels.length);
		for (const [first] of parcels) expect(first! % 3).toBe(0);
		there.arrive(parcels.reverse());
		expect(there.count).toBe(parcels.length);
		here.arrive(there.records.map((record) => Float64Array.from(record)));
		expect(here.records).toEqual(before);
	});

	it("belongs to the body that is no obstacle", () => {
		const states = [
			{ radius: 1, position: [0, 0, 0], kind: 0 },
			{ radius: 1, position: [1.9, 0, 0] },
		];
		const bodies = bodiesOf(states);
		const contacts = new ContactList();
		new ContactDetector(modelOf([...spheresOf(states).model.shapes])).detect(bodies, 0, contacts);
		const warm = new WarmStarts();
		warm.remember(bodies, contacts, Float64Array.of(1, 2, 3), new Int32Array(1), 0);
		const left: number[] = [];
		warm.leave(
			(id) => (id === 1 ? 4 : -1),
			(rank) => left.push(rank),
		);
		expect(left).toEqual([4]);
	});
});
