/** A service under attack: malformed messages of a client, and connections that are silent, slow or endless; others get their answers. */
import { type Client, connect } from "@stickslip/client";
import { generate, solve } from "@stickslip/core";
import { expect, it, onTestFinished } from "vitest";
import { useService } from "../../testing/conformance.js";
import { isThorough } from "../../testing/thorough.js";
import { sendMalformed } from "../testing/malformed-client.js";
import { sendStrangers } from "../testing/strangers.js";
import { pause, until } from "../testing/wait.js";
import { WEBSOCKET_STRANGER_KINDS } from "../testing/websocket-words.js";
import { STRANGER_KINDS } from "../testing/zmtp-words.js";

const MESSAGES = isThorough ? 10_000 : 600;
const CONNECTIONS = isThorough ? 1000 : 100;
const SECONDS = isThorough ? 20 : 2;

const { service } = useService();
const problem = generate("spheres", { contacts: 12, seed: 6 });
const { hash } = solve(problem).report;

/** Answers that the others must get during an attack. */
const ANSWERS_MIN = 10;

/** Sends one request after another over both transports until the attack is over and there are enough answers, however slow the machine. */
async function whileAnswering(over: () => Promise<unknown>): Promise<void> {
	const clients: Client[] = [];
	for (const transport of ["zeromq", "websocket"] as const) {
		const client = await connect(service.detailsOf("two"), { transport });
		clients.push(client);
		onTestFinished(() => client.close());
	}
	let [isOver, answers] = [false, 0];
	const ask = async (client: Client) => {
		while (!isOver || answers < ANSWERS_MIN) {
			expect((await client.solve(problem)).report.hash).toBe(hash);
			answers += 1;
		}
	};
	const asking = clients.map(ask);
	await over().finally(async () => {
		isOver = true;
		await Promise.allSettled(asking);
	});
	await Promise.all(asking);
}

it.each(["zeromq", "websocket"] as const)("malformed messages over %s, by seed", async (transport) => {
	const details = service.detailsOf("one");
	await whileAnswering(async () => {
		const report = await sendMalformed({ details, transport, count: MESSAGES, seed: 21 });
		expect(report.sent).toBe(MESSAGES);
		// All kinds of refusals occurred, but no bug.
		const codes = Object.keys(report.answers);
		expect(codes).toEqual(expect.arrayContaining(["bad-message", "bad-input", "unknown-pattern", "unknown-request"]));
		expect(codes).not.toContain("internal");
		if (transport === "websocket") expect(report.connections).toBeGreaterThan(1);
	});
});

it.each([
	["zeromq", STRANGER_KINDS],
	["websocket", WEBSOCKET_STRANGER_KINDS],
] as const)("connections to %s that are silent, slow, or have no end", async (transport, kinds) => {
	const port = Number(new URL(service.detailsOf()[transport].replace("tcp:", "ws:")).port);
	await whileAnswering(async () => {
		const crowd = sendStrangers({ port, kinds, count: CONNECTIONS, bytesMax: 2 ** 28, pauseSeconds: 1 });
		onTestFinished(() => crowd.stop());
		await pause(SECONDS);
		await until("all have connected", () => crowd.connected >= CONNECTIONS);
		// In a while also those that are silent or slow.
		await until("strangers are sent away", () => crowd.sentAway >= (isThorough ? CONNECTIONS : 1));
		crowd.stop();
	});
});
