/** Messages in transit: which connections may be read, and which wait. */
import { Random } from "@stickslip/core";
import { describe, expect, it } from "vitest";
import { ConnectionTraffic, Traffic } from "./traffic.js";

const KiB = 2 ** 10;
const FREE = 64 * KiB;

class Played {
	isPaused = false;
	readonly traffic: ConnectionTraffic;

	constructor(of: Traffic) {
		const reading = {
			pause: () => {
				this.isPaused = true;
			},
			resume: () => {
				this.isPaused = false;
			},
		};
		this.traffic = new ConnectionTraffic(of, reading);
	}
}

const played = (of: Traffic, count: number) => Array.from({ length: count }, () => new Played(of));
const paused = (all: readonly Played[]) => all.map(({ isPaused }) => isPaused);

describe("messages that arrive", () => {
	it("may have 64 KiB each, whatever the others do", () => {
		const client = new Traffic(100 * KiB);
		const all = played(client, 50);
		for (const { traffic } of all) traffic.arrived(FREE);
		expect(paused(all)).not.toContain(true);
		expect(client.arriving).toBe(0);
	});

	it("wait for their turn above the limit of the client, and the first may be of any size", () => {
		const client = new Traffic(100 * KiB);
		const [one, two, three] = played(client, 3);
		one!.traffic.arrived(FREE + 90 * KiB);
		two!.traffic.arrived(FREE + 20 * KiB);
		three!.traffic.arrived(FREE);
		expect(paused([one!, two!, three!])).toEqual([false, true, false]);
		one!.traffic.arrived(10 ** 9);
		expect([one!.isPaused, client.paused]).toEqual([false, 1]);
		one!.traffic.completed(10 ** 10);
		expect([paused([one!, two!]), client.arriving]).toEqual([[false, false], 20 * KiB]);
	});

	it("make room for others when their connection ends", () => {
		const client = new Traffic(100 * KiB);
		const [one, two, three] = played(client, 3);
		for (const each of [one!, two!, three!]) each.traffic.arrived(FREE + 80 * KiB);
		expect(paused([one!, two!, three!])).toEqual([false, true, true]);
		one!.traffic.end();
		expect(paused([two!, three!])).toEqual([false, true]);
		two!.traffic.end();
		three!.traffic.end();
		expect([client.arriving, client.paused]).toEqual([0, 0]);
		three!.traffic.arrived(10 ** 6);
		expect(client.arriving).toBe(0);
	});

	it("count with those of the client from its hello on", () => {
		const [strangers, client] = [new Traffic(), new Traffic(100 * KiB)];
		const [one] = played(client, 1);
		const [stranger] = played(strangers, 1);
		one!.traffic.arrived(FREE + 90 * KiB);
		stranger!.traffic.arrived(FREE + 90 * KiB);
		expect(stranger!.isPaused).toBe(false);
		stranger!.traffic.move(client);
		expect([stranger!.isPaused, strangers.arriving, client.arriving]).toEqual([true, 0, 180 * KiB]);
		one!.traffic.completed(FREE + 90 * KiB);
		expect(stranger!.isPaused).toBe(false);
	});
});

describe("messages that are not read", () => {
	it("stop the reading from their connections, and from no other", () => {
		const client = new Traffic(100 * KiB);
		const [greedy, other] = played(client, 2);
		greedy!.traffic.queued(101 * KiB);
		expect(paused([greedy!, other!])).toEqual([true, false]);
		other!.traffic.arrived(10);
		expect(other!.isPaused).toBe(false);
		other!.traffic.queued(KiB);
		expect(other!.isPaused).toBe(true);
		greedy!.traffic.read(2 * KiB);
		expect([paused([greedy!, other!]), client.unread]).toEqual([[false, false], 100 * KiB]);
	});
});

it("nothing is lost or paused for ever, in any order: by seed", () => {
	for (let seed = 1; seed <= 40; seed += 1) {
		const random = new Random(seed);
		const client = new Traffic(200 * KiB);
		const all = played(client, 8);
		for (let step = 0; step < 300; step += 1) {
			const { traffic, isPaused } = all[random.below(8)]!;
			const bytes = random.below(80 * KiB);
			const act = random.below(4);
			if (act === 0 && !isPaused) traffic.arrived(bytes);
			if (act === 1) traffic.completed(random.below(2) === 0 ? traffic.arriving : bytes);
			if (act === 2 && !isPaused) traffic.queued(bytes);
			if (act === 3) traffic.read(Math.min(bytes, traffic.unread));
			// Somebody may always go on, or has to read.
			if (client.unread <= 200 * KiB) expect(paused(all)).toContain(false);
			const large = all.reduce((sum, each) => sum + each.traffic.large, 0);
			expect([client.arriving, client.paused]).toEqual([large, paused(all).filter((each) => each).length]);
		}
		for (const { traffic } of all) {
			traffic.read(traffic.unread);
			traffic.completed(traffic.arriving);
		}
		expect([client.arriving, client.unread, client.paused, paused(all).includes(true)]).toEqual([0, 0, 0, false]);
	}
});
