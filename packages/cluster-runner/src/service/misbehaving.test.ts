/** Clients that misbehave: what they can make the service hold is counted, and bounded, and others get their answers. */
import { connect } from "@stickslip/client";
import { generate, openSession, solve } from "@stickslip/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { PlainClient } from "../../testing/plain-client.js";
import { type Served, served } from "../../testing/served.js";
import { drip, fetchUnread, type Misbehaving, sendEndless, until, WAYS } from "../testing/index.js";
import { sendStrangers } from "../testing/strangers.js";

const MiB = 2 ** 20;
const problem = generate("spheres", { contacts: 30, seed: 7 });
const { hash } = solve(problem).report;
const limits = { bytes: 8 * MiB, message: 16 * MiB };
const open = () => openSession();

/** A number of the metrics, of one client. */
async function metric({ page }: Served, name: string, client = "ann"): Promise<number> {
	const { text } = await page("/metrics");
	const line = text.split("\n").find((each) => each.startsWith(`stickslip_service_${name}{client="${client}"} `));
	return Number(line?.split(" ")[1]);
}

function stoppedAfterwards(attack: Misbehaving): Misbehaving {
	onTestFinished(() => attack.stop());
	return attack;
}

/** Clients over both transports, while somebody misbehaves as the first of them. */
async function expectAnswers({ file }: Served, names: readonly string[] = ["ann", "bob"]): Promise<void> {
	for (const name of names) {
		for (const transport of ["zeromq", "websocket"] as const) {
			const client = await connect(file(name), { transport });
			expect((await client.solve(problem)).report.hash).toBe(hash);
			await client.close();
		}
	}
}

const details = ({ file }: Served) => file() as Parameters<typeof drip>[0];

describe("messages that never end", () => {
	it.each(WAYS)("wait for their turn over %s, and the smaller ones of the client do not wait", async (way) => {
		const service = await served(open, { limits });
		const attack = stoppedAfterwards(await drip(details(service), [way], { count: 8, bytes: 6 * MiB }));
		await until("some of them wait", async () => (await metric(service, "paused_connections")) >= 6);
		await expectAnswers(service);
		// The limit, the first one in the line, and what is read of the others at a time.
		expect(await metric(service, "arriving_bytes")).toBeLessThan(limits.bytes + 8 * MiB + 8 * 2 ** 17);
		attack.stop();
		await until("nothing is left of them", async () => (await metric(service, "connections")) === 0);
		expect([await metric(service, "arriving_bytes"), await metric(service, "paused_connections")]).toEqual([0, 0]);
	});

	it("end their connection above the limit, over ZeroMQ too", async () => {
		const service = await served(open, { limits: { bytes: 4 * MiB, message: MiB } });
		const attack = stoppedAfterwards(await sendEndless(details(service), 2 ** 18, 200));
		const refused = async () =>
			/refused_connections_total{.*reason="too-large"} [1-9]/.test((await service.page("/metrics")).text);
		await until("it is refused", refused);
		await expectAnswers(service);
		attack.stop();
	});
});

describe("answers that are not read", () => {
	it.each(WAYS)("stop their client over %s, and nobody else", async (way) => {
		const service = await served(open, { limits: { ...limits, bytes: 2 * MiB } });
		const client = await connect(service.file());
		const large = generate("spheres", { contacts: 3000, seed: 1 });
		await client.solve(large, { id: "kept", keep: true, maxIterations: 1 });
		const attack = stoppedAfterwards(await fetchUnread(details(service), [way], { id: "kept", count: 4, times: 3000 }));
		await until("it is stopped", async () => (await metric(service, "paused_connections")) >= 4, { seconds: 30 });
		const before = await metric(service, "unread_bytes");
		expect(before).toBeGreaterThan(2 * MiB);
		await expectAnswers(service, ["bob"]);
		await expect(client.solve(problem)).rejects.toMatchObject({ code: "too-large", field: "message" });
		expect((await client.fetch("kept")).report.contacts).toBe(large.contacts);
		await client.close();
		attack.stop();
		await until("nothing is left", async () => (await metric(service, "unread_bytes")) === 0);
		await expectAnswers(service);
	});
});

it("strangers announce a gigabyte in the handshake: nothing of it is awaited", async () => {
	const service = await served(open, { limits });
	const port = Number(new URL(service.file().zeromq.replace("tcp:", "ws:")).port);
	const crowd = sendStrangers({ port, count: 20, kinds: ["huge-command", "huge-message"], bytesMax: 2 ** 28 });
	onTestFinished(() => crowd.stop());
	await until("all are sent away, and again", () => crowd.sentAway >= 40);
	await expectAnswers(service);
	// Each is refused by its first bytes.
	expect(crowd.bytes / crowd.connected).toBeLessThan(4 * MiB);
	expect((await service.page("/metrics")).text).toMatch(/refused_connections_total{.*reason="protocol"} [1-9]/);
});

describe("warm starts", () => {
	it("count with the answers that are kept, and the oldest go first", async () => {
		const forgotten: string[] = [];
		const session = await openSession();
		const { forgetSeries } = session;
		session.forgetSeries = (series) => {
			forgotten.push(series);
			forgetSeries?.call(session, series);
		};
		const service = await served(async () => session, { keep: { bytes: 6000 } });
		const client = await connect(service.file());
		const keys = Float64Array.from({ length: problem.contacts }, (_, k) => k);
		const iterations = async (series: string) =>
			(await client.solve(problem, { keys, series, tolerance: 1e-8 })).report.iterations;
		const cold = await iterations("one");
		expect(await iterations("one")).toBeLessThan(cold);
		for (const series of ["two", "three", "four"]) await iterations(series);
		expect(forgotten).toContain("ann one");
		expect(await metric(service, "kept_bytes")).toBeLessThanOrEqual(6000);
		expect(await iterations("one")).toBe(cold);
		await client.close();
	});
});

describe("metrics", () => {
	it("name clients only to clients", async () => {
		const service = await served(open);
		for (const name of ["ann", "bob"]) {
			const client = await PlainClient.welcome("websocket", service.file(name));
			client.send({ type: "fetch", id: "nothing" });
			await client.refusal();
		}
		for (const token of ["", "wrong", `${service.file().token}x`]) {
			const { status, text } = await service.page("/metrics", token);
			expect(status).toBe(200);
			expect(text).not.toMatch(/ann|bob/);
			expect(text).toContain("stickslip_service_connections{} 2\n");
			expect(text).toContain('stickslip_service_answers_total{outcome="unknown-request"} 2\n');
		}
		const { text } = await service.page("/metrics");
		expect(text).toContain('stickslip_service_connections{client="ann"} 1\n');
		expect(text).toContain('stickslip_service_answers_total{client="bob",outcome="unknown-request"} 1\n');
	});
});
