import { generate, InputError, Random } from "@stickslip/core";
import { describe, expect, it } from "vitest";
import {
	arraysOf,
	checkHead,
	clientMessages,
	FrameError,
	fromArrays,
	fromPacket,
	fromPartArrays,
	headOf,
	toArrays,
	toFrames,
	toPacket,
	toPartArrays,
} from "./index.js";

const problem = generate("planks", { contacts: 40, seed: 3 });
const head = { type: "solve", id: "a.1", contacts: problem.contacts, name: "planks" };

describe("a message", () => {
	it("is the same after frames and a packet", () => {
		const arrays = toArrays(problem);
		const frames = fromPacket(toPacket(toFrames(head, arrays)));
		const read = checkHead(clientMessages, headOf(frames));
		if ("fault" in read || read.type !== "solve") throw new Error("not a solve");
		const { q, mu, W, rigid, geometry } = fromArrays("planks", read.contacts, arraysOf(read.arrays, frames));
		const bodies = problem.rigid && { ...problem.rigid };
		expect([q, mu, W, rigid]).toEqual([problem.q, problem.mu, problem.W, bodies]);
		expect(geometry).toEqual({ point: problem.geometry.point });
	});

	it("has its arrays at whole numbers of a packet, without copies", () => {
		const packet = toPacket(toFrames(head, toArrays(problem)));
		const frames = fromPacket(packet);
		const arrays = arraysOf((headOf(frames) as { arrays: [string, string][] }).arrays, frames);
		expect([...arrays.values()].every(({ buffer }) => buffer === packet.buffer)).toBe(true);
	});

	it("has arrays in pieces, of whole numbers together", () => {
		const q = Uint8Array.from(new Uint8Array(Float64Array.of(1, 2, 3).buffer));
		const frames = [new Uint8Array(0), q.subarray(0, 5), q.subarray(5), Uint8Array.of(4)];
		const names = (...list: string[]) => list.map((name) => name.split(" ") as [string, string]);
		const read = arraysOf(names("q f64", "q f64", "x u8"), frames);
		expect([...read]).toEqual([
			["q", Float64Array.of(1, 2, 3)],
			["x", Uint8Array.of(4)],
		]);
		expect(() => arraysOf(names("q f64", "q i32", "x u8"), frames)).toThrow("arrays.q has pieces of several types");
		expect(() => arraysOf(names("q f64", "x u8", "q f64"), frames)).toThrow(FrameError);
		expect(() => arraysOf(names("q f64", "x u8"), frames.slice(0, 3))).toThrow("not a whole number of f64");
		expect(() => arraysOf(names("q f64", "x u8", "q f64"), [q, q, q, q])).toThrow("arrays.q is there twice");
	});

	it.each([1, 24, 100, 2 ** 20])(
		"sends long arrays in pieces of %i bytes, no more than a message may have",
		(bytes) => {
			const x = Float64Array.from({ length: 5000 }, (_, k) => k);
			const arrays = new Map(Object.entries({ x, none: new Float64Array(0), some: Int32Array.of(1, 2) }));
			const frames = toFrames(head, arrays, bytes);
			expect(frames.length).toBeLessThanOrEqual(4097);
			const longest = Math.max(...frames.slice(1).map(({ byteLength }) => byteLength));
			expect(longest).toBe(Math.min(Math.max(bytes, 16), x.byteLength));
			const { arrays: names } = headOf(frames) as { arrays: [string, string][] };
			expect([...arraysOf(names, frames)]).toEqual([...arrays]);
		},
	);

	it.each([
		[{}, "type"],
		[{ type: "constructor" }, "type"],
		[{ ...head, id: "a b" }, "id"],
		[{ ...head, id: undefined }, "id"],
		[{ ...head, contacts: -1 }, "contacts"],
		[{ ...head, speed: 1 }, "speed"],
		[{ ...head, part: { group: "g", index: 0 } }, "part.of"],
		["solve", "head"],
	])("names the field that is wrong: %j", (wrong, field) => {
		const read = checkHead(clientMessages, wrong);
		expect("fault" in read && read.fault.field).toBe(field);
	});

	it.each([
		[{ name: "n".repeat(10_001) }, "name", /10001 .* 10000/],
		[{ part: { group: "g", index: 0, of: 1e9 } }, "part.of", / 65536/],
		[{ part: 3 }, "part", /object/],
		[{ arrays: ["q"] }, "arrays", /list.* \[name, type\]/],
		[{ deadline: -1 }, "deadline", / 0/],
	])("says what is wrong with it: %#", (wrong, field, message) => {
		expect(checkHead(clientMessages, { ...head, ...wrong })).toEqual({
			fault: { field, message: expect.stringMatching(message) },
		});
	});

	it.each([
		[{ q: new Float64Array(3) }, "mu"],
		[{ q: new Float64Array(3), mu: new Int32Array(1) }, "mu"],
		[{ q: new Float64Array(3), mu: new Float64Array(1), "W.rows": new Int32Array(2) }, "W.rowStart"],
		[{ q: new Float64Array(3), mu: new Float64Array(1), other: new Int32Array(2) }, "other"],
		[{ q: new Float64Array(3), mu: new Float64Array(1), "geometry.point": new Int32Array(3) }, "geometry.point"],
		[{ q: new Float64Array(3), mu: new Float64Array(1), "geometry.points": new Float64Array(3) }, "geometry.point"],
	])("names the array that is wrong: %#", (arrays, name) => {
		const read = () => fromArrays("x", 1, new Map(Object.entries(arrays)));
		expect(read).toThrow(InputError);
		expect(read).toThrow(name);
	});

	it("has the arrays of a part", () => {
		const part = {
			name: "p",
			contacts: 9,
			ids: Int32Array.of(2, 7),
			q: new Float64Array(6),
			mu: new Float64Array(2),
			W: { rowStart: Int32Array.of(0, 1, 2), column: Int32Array.of(2, 7), values: new Float64Array(18) },
			start: new Float64Array(6),
			point: new Float64Array(6),
		};
		const { W: _W, ...plain } = part;
		const bodies = { ids: Int32Array.of(4), body: Int32Array.of(-1, 4, 4, -1), frame: new Float64Array(18) };
		const masses = { arm: new Float64Array(12), inverseMass: Float64Array.of(1), inverseInertia: new Float64Array(6) };
		for (const each of [part, { ...plain, rigid: { ...bodies, ...masses } }]) {
			expect(fromPartArrays("p", 9, toPartArrays(each))).toEqual(each);
		}
		const arrays = toPartArrays(part);
		arrays.delete("ids");
		expect(() => fromPartArrays("p", 9, arrays)).toThrow("ids: is missing");
		expect(() => fromPartArrays("p", 9, toPartArrays(part).set("global.f", part.q))).toThrow("global.f");
	});

	it("that is damaged is refused as such, or read: by seed", () => {
		const packet = toPacket(toFrames(head, toArrays(problem)));
		const random = new Random(12);
		let refused = 0;
		for (let round = 0; round < 2000; round += 1) {
			const damaged = Uint8Array.from(packet).subarray(0, round % 3 === 0 ? random.below(packet.length) : undefined);
			for (let times = 0; times < 3 && damaged.length > 0; times += 1) {
				damaged[random.below(Math.min(damaged.length, 300))] = random.below(256);
			}
			try {
				const frames = fromPacket(damaged);
				const read = checkHead(clientMessages, headOf(frames));
				if ("fault" in read) refused += 1;
				else if (read.type === "solve") fromArrays("x", read.contacts, arraysOf(read.arrays, frames));
			} catch (error) {
				expect(error instanceof FrameError || error instanceof InputError, String(error)).toBe(true);
				refused += 1;
			}
		}
		expect(refused).toBeGreaterThan(1000);
	});
});
