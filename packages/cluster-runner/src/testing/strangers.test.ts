/** Strangers do what their kinds say, within their limits. */
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { sendStrangers } from "./strangers.js";
import { until } from "./wait.js";
import { WEBSOCKET_STRANGER_KINDS } from "./websocket-words.js";
import { STRANGER_KINDS } from "./zmtp-words.js";

/** A server that counts what each connection sends, and ends those that have sent `enough`. */
async function serverOf(enough: number) {
	const received: number[] = [];
	const sockets: Socket[] = [];
	const server = createServer((socket) => {
		sockets.push(socket);
		const index = received.push(0) - 1;
		socket.on("error", () => {});
		socket.on("data", ({ length }: Buffer) => {
			received[index]! += length;
			if (received[index]! >= enough) socket.destroy();
		});
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	onTestFinished(() => {
		for (const socket of sockets) socket.destroy();
		server.close();
	});
	const address = server.address();
	return { received, port: typeof address === "object" && address !== null ? address.port : 0 };
}

it("strangers of each kind come, come again, and stop at their limits", async () => {
	const { received, port } = await serverOf(2 ** 20);
	const bytesMax = 20 * 2 ** 20;
	const crowd = sendStrangers({ port, count: 2 * STRANGER_KINDS.length, bytesMax, pauseSeconds: 0.01 });
	onTestFinished(() => crowd.stop());
	await until("all have come, and some again", () => crowd.connected > 2 * STRANGER_KINDS.length && crowd.sentAway > 2);
	await until("they have sent nearly all they may", () => crowd.bytes > bytesMax - 2 ** 17);
	expect(crowd.bytes).toBeLessThanOrEqual(bytesMax);
	// Those of the kinds that say little.
	expect(received.filter((bytes) => bytes === 20).length).toBeGreaterThanOrEqual(2);
	crowd.stop();
	expect(crowd.open).toBe(0);
});

it("strangers leave by themselves", async () => {
	const { port } = await serverOf(2 ** 20);
	const crowd = sendStrangers({ port, count: 2, kinds: ["silent"], seconds: 0.3 });
	await until("they are there", () => crowd.connected === 2);
	await until("they are gone", () => crowd.open === 0);
});

it("strangers at a port of WebSocket say what their kinds do", async () => {
	const { received, port } = await serverOf(2 ** 20);
	const count = WEBSOCKET_STRANGER_KINDS.length;
	const crowd = sendStrangers({ port, count, kinds: WEBSOCKET_STRANGER_KINDS, bytesMax: 2 ** 25, pauseSeconds: 60 });
	onTestFinished(() => crowd.stop());
	await until("those that say much are sent away", () => crowd.sentAway === 4);
	await until("slow ones have said a bit more", () => received.filter((bytes) => bytes > 0).length === count - 1);
	expect(received.filter((bytes) => bytes === 40).length).toBe(1);
});
