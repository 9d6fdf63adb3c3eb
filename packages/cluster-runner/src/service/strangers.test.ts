/** A service under attack: malformed messages of a client, and connections that are silent, slow or endless; others get their answers. */
import { type Client, connect } from "@stickslip/client";
import { generate, solve } from "@stickslip/core";
import { expect, it, onTestFinished } from "vitest";
import { useService } from "../../testing/conformance.js";
import { isThorough } from "../../testing/thorough.js";
import { sendMalformed } from "../testing/malformed-client.js";
import { sendStrangers } from "../testing/strangers.js";
import { WEBSOCKET_STRANGER_KINDS } from "../testing/websocket-words.js";
import { STRANGER_KINDS } from "../testing/zmtp-words.js";

const MESSAGES = isThorough ? 10_000 : 600;
const CONNECTIONS = isThorough ? 1000 : 100;
const SECONDS = isThorough ? 20 : 2;

const { service } = useService();
const problem = generate("spheres", { contacts: 12, seed: 6 });
const { hash } = solve(problem).report;

/** Sends one request after another over both transports until the attack is over, and counts the answers. */
async function whileAnswering(over: () => Promise<unknown>): Promise<number> {
	const clients: Client[] = [];
	for (const transport of ["zeromq", "websocket"] as const) {
		const client = await connect(service.detailsOf("two"), { transport });
		clients.push(client);
		onTestFinished(() => client.close());
	}
	let [isOver, answers] = [false, 0];
	const ask = async (client: Client) => {
		while (!isOver) {
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
	return answers;
}

it.each(["zeromq", "websocket"] as const)(
	"malformed messages over %s, by seed",
	async (transport) => {
		const details = service.detailsOf("one");
		const answered = await whileAnswering(async () => {
			const report = await sendMalformed({ details, transport, count: MESSAGES, seed: 21 });
			expect(report.sent).toBe(MESSAGES);
			// All kinds of refusals occurred, but no bug.
			const codes = Object.keys(report.answers);
			expect(codes).toEqual(expect.arrayContaining(["bad-message", "bad-input", "unknown-pattern", "unknown-request"]));
			expect(codes).not.toContain("internal");
			if (transport === "websocket") expect(report.connections).toBeGreaterThan(1);
		});
		expect(answered).toBeGreaterThan(10);
	},
	300_000,
);

it.each([
	["zeromq", STRANGER_KINDS],
	["websocket", WEBSOCKET_STRANGER_KINDS],
] as const)(
	"connections to %s that are silent, slow, or have no end",
	async (transport, kinds) => {
		const port = Number(new URL(service.detailsOf()[transport].replace("tcp:", "ws:")).port);
		const answered = await whileAnswering(async () => {
			const crowd = sendStrangers({ port, kinds, count: CONNECTIONS, bytesMax: 2 ** 28, pauseSeconds: 1 });
			onTestFinished(() => crowd.stop());
			await new Promise((resolve) => setTimeout(resolve, 1000 * SECONDS));
			expect(crowd.connected).toBeGreaterThanOrEqual(CONNECTIONS);
			// In a while also those that are silent or slow.
			expect(crowd.sentAway).toBeGreaterThanOrEqual(isThorough ? CONNECTIONS : 1);
			crowd.stop();
		});
		expect(answered).toBeGreaterThan(10);
	},
	120_000,
);
