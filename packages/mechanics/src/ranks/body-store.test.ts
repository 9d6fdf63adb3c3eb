import { describe, expect, it } from "vitest";
import { sphereScene } from "../testing/sphere-scene.js";
import { BodyStore, bodyNumbers, stateNumbers } from "./body-store.js";

const { bodies } = sphereScene(20);

function recordsOf(ids: readonly number[]): Float64Array[] {
	const store = new BodyStore(bodies, false);
	return ids.map((id) => {
		const record = new Float64Array(bodyNumbers(false));
		store.write(id, record);
		return record;
	});
}

describe("BodyStore", () => {
	it("keeps own bodies by id while some leave and others come, and ghosts behind them", () => {
		const store = new BodyStore(bodies, false);
		const { obstacles } = bodies;
		const even = [...bodies.id].filter((id) => id >= obstacles && id % 2 === 0);
		store.setOwn(Int32Array.from(even), recordsOf([obstacles, obstacles + 6]));
		store.setGhosts(recordsOf([obstacles + 2, obstacles + 8]));
		const view = store.view();
		const own = [...even, obstacles, obstacles + 6].sort((a, b) => a - b);
		const obstacleIds = Array.from({ length: obstacles }, (_, id) => id);
		expect([...view.id]).toEqual([...obstacleIds, ...own, obstacles + 2, obstacles + 8]);
		expect(view).toMatchObject({ own: own.length, count: obstacles + own.length + 2, total: bodies.total });
		for (const [place, id] of view.id.entries()) {
			expect(view.position.subarray(3 * place, 3 * place + 3)).toEqual(bodies.position.subarray(3 * id, 3 * id + 3));
			expect(view.inertia.subarray(3 * place, 3 * place + 3)).toEqual(bodies.inertia.subarray(3 * id, 3 * id + 3));
			expect(view.shape[place]).toBe(bodies.shape[id]);
		}
	});

	it("tells ghosts what changes from step to step", () => {
		const { obstacles, count } = bodies;
		const [store, owner] = [new BodyStore(bodies, false), new BodyStore(bodies, false)];
		const ids = [obstacles + 1, obstacles + 4, obstacles + 5];
		store.setOwn(Int32Array.of(obstacles), []);
		store.setGhosts(recordsOf(ids));
		const there = owner.view();
		for (let k = 0; k < 3 * count; k += 1) there.position[k]! += 1;
		for (let k = 0; k < 3 * count; k += 1) there.angularMomentum[k] = k;
		const states = new Float64Array(ids.length * stateNumbers(false));
		owner.writeStates(Int32Array.from(ids), states);
		store.readGhosts(states);
		const here = store.view();
		for (const [i, id] of ids.entries()) {
			const place = obstacles + 1 + i;
			for (const name of ["position", "velocity", "angularMomentum", "inertia"] as const) {
				expect(here[name].subarray(3 * place, 3 * place + 3)).toEqual(there[name].subarray(3 * id, 3 * id + 3));
			}
			expect(here.map.subarray(9 * place, 9 * place + 9)).toEqual(there.map.subarray(9 * id, 9 * id + 9));
		}
		expect(here.position.subarray(0, 3 * obstacles + 3)).toEqual(bodies.position.subarray(0, 3 * obstacles + 3));
	});

	it("has room for any number after another", () => {
		const store = new BodyStore(bodies, false);
		const all = recordsOf([...bodies.id].slice(bodies.obstacles));
		for (const count of [0, 20, 3, 17, 1, 20]) {
			store.setOwn(new Int32Array(0), all.slice(0, count));
			store.setGhosts(all.slice(count));
			const view = store.view();
			expect([...view.id]).toEqual([...bodies.id]);
			expect(view.position).toEqual(bodies.position);
		}
	});
});
