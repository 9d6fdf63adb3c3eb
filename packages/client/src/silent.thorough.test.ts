/** A connection that stays open but silent: the client notices it, opens another one, and sends again. */
import { connect as connectTo, createServer, type Socket } from "node:net";
import { generate, solve } from "@stickslip/core";
import { expect, it, onTestFinished } from "vitest";
import { connect } from "./index.js";
import { FakeService } from "./testing/fake-service.js";
import { until } from "./testing/waiting.js";

/** Hands bytes on to a port; `freeze` has those of the connections so far stay where they are. */
async function relayTo(port: number): Promise<{ readonly port: number; freeze(): void }> {
	const pairs: [Socket, Socket][] = [];
	const server = createServer((near) => {
		const far = connectTo(port, "127.0.0.1");
		pairs.push([near, far]);
		for (const [from, to] of [
			[near, far],
			[far, near],
		] as const) {
			from.on("error", () => {});
			from.pipe(to);
		}
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => {
		for (const socket of pairs.flat()) socket.destroy();
		server.close();
	});
	const freeze = () => {
		for (const socket of pairs.splice(0).flat()) {
			socket.unpipe();
			socket.pause();
			onTestFinished(() => {
				socket.destroy();
			});
		}
	};
	return { port: (server.address() as { port: number }).port, freeze };
}

it.each(["zeromq", "websocket"] as const)("over %s", async (transport) => {
	let isSilent = true;
	const service = await FakeService.start({ transport, take: ({ type }) => type === "solve" && isSilent });
	const address = service.details[transport] ?? "";
	const relay = await relayTo(Number(/:(\d+)$/.exec(address)?.[1]));
	const through = address.replace(/\d+$/, String(relay.port));
	const client = await connect({ ...service.details, [transport]: through });
	try {
		const problem = generate("spheres", { contacts: 20 });
		const answer = client.solve(problem);
		await until(() => service.count("solve") === 1);
		relay.freeze();
		isSilent = false;
		expect((await answer).report.hash).toBe(solve(problem).report.hash);
		expect(service.count("hello")).toBe(2);
	} finally {
		await client.close();
		await service.close();
	}
});
