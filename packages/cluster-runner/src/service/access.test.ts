/** Access: keys, tokens, origins and certificates. */
import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { get } from "node:https";
import { connect as connectTcp } from "node:net";
import { join } from "node:path";
import { connect } from "@stickslip/client";
import { openSession } from "@stickslip/core";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { WebSocket } from "ws";
import { curveKeyPair } from "zeromq";
import { PLAIN_TRANSPORTS, PlainClient } from "../../testing/plain-client.js";
import { testFolder } from "../../testing/run-cli.js";
import { served } from "../../testing/served.js";
import { Bed, openSmallDisk, until } from "../testing/index.js";
import { ServiceFolder } from "./service-folder.js";

const noSmallDisk = process.platform !== "linux" || process.getuid?.() !== 0;
const open = () => openSession();
const hello = { type: "hello", version: 1, client: "test" };

describe.each(PLAIN_TRANSPORTS)("over %s", (transport) => {
	it("nothing is answered before hello, nor to a token that is not known", async () => {
		const { file } = await served(open);
		for (const [head, refusal] of [
			[{ type: "ping" }, "- unauthorized hello"],
			[{ type: "fetch", id: "a" }, "- unauthorized hello"],
			[hello, "- unauthorized token"],
			[{ ...hello, token: `${file().token}x` }, "- unauthorized token"],
			[{ ...hello, token: "" }, "- unauthorized token"],
			[{ ...hello, version: 2 }, "- unsupported-version version"],
		] as const) {
			const client = await PlainClient.open(transport, file());
			client.send(head);
			expect(await client.refusal()).toBe(refusal);
			if (transport === "websocket") await until("it is closed", () => client.isClosed);
			else {
				client.send({ type: "ping" });
				expect(await client.refusal()).toBe("- unauthorized hello");
			}
		}
	});

	it("noise ends its connection, and others go on", async () => {
		const { file } = await served(open);
		const other = await PlainClient.welcome(transport, file());
		const client = await PlainClient.welcome(transport, file());
		client.sendFrames([Uint8Array.of(0xc1), Uint8Array.of(1, 2, 3)]);
		expect(await client.refusal()).toBe("- bad-message head");
		if (transport === "websocket") await until("it is closed", () => client.isClosed);
		else {
			client.send({ type: "ping" });
			expect(await client.refusal()).toBe("- unauthorized hello");
		}
		other.send({ type: "ping" });
		await other.next("pong");
	});
});

describe("ZeroMQ", () => {
	it("refuses keys that no client has, and counts them", async () => {
		const { file, page } = await served(open);
		const client = await PlainClient.open("zeromq", { ...file(), ...curveKeyPair() });
		client.send({ ...hello, token: file().token });
		await until("it is refused", () => client.isClosed);
		await until("it is counted", async () => (await page("/metrics")).text.includes('reason="auth"'));
	});
});

describe("WebSocket", () => {
	it("lets in pages of the origins that were named, and programs, which have none", async () => {
		const origins = ["https://example.org", "http://localhost:8080"];
		const { file, page } = await served(open, { origins });
		for (const origin of origins) {
			const client = await PlainClient.open("websocket", file(), { origin });
			client.send({ ...hello, token: file().token });
			await client.next("welcome");
		}
		for (const origin of ["https://example.org.evil.net", "http://example.org", "null", "https://example.org:444"]) {
			await expect(PlainClient.open("websocket", file(), { origin })).rejects.toThrow("403");
		}
		expect((await page("/metrics")).text).toMatch(/refused_connections_total{.*reason="origin"} 4\n/);
	});

	it("ends a stranger who sends much before hello", async () => {
		const { file } = await served(open);
		const client = await PlainClient.open("websocket", file());
		client.sendFrames([new Uint8Array(2 ** 20)]);
		await until("it is closed", () => client.isClosed);
		await expect(client.next()).rejects.toThrow();
	});

	it("answers other requests of HTTP, and survives what is none", async () => {
		const { file, page } = await served(open);
		expect(await page("/healthz")).toEqual({ status: 200, text: "ok\n" });
		expect((await page("/metrics")).text).toContain("# TYPE stickslip_service_request_seconds histogram\n");
		expect((await page("/")).status).toBe(404);
		const url = new URL(file().websocket.replace("ws", "http"));
		expect((await fetch(url, { method: "POST", body: "x" })).status).toBe(405);
		for (const text of ["\0\0\0", "GET / HTTP/1.1\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n", "GET"]) {
			const socket = connectTcp(Number(url.port), url.hostname);
			socket.on("error", () => {});
			socket.end(text);
			await new Promise((resolve) => socket.on("close", resolve).resume());
		}
		expect((await page("/healthz")).status).toBe(200);
	});

	it.skipIf(spawnSync("openssl", ["version"]).status !== 0)(
		"speaks TLS with a certificate (needs openssl: apt install openssl)",
		async () => {
			const folder = testFolder();
			const [cert, key] = [join(folder, "cert.pem"), join(folder, "key.pem")];
			const words = [
				"req",
				"-x509",
				"-newkey",
				"ec",
				"-pkeyopt",
				"ec_paramgen_curve:prime256v1",
				"-nodes",
				"-days",
				"2",
			];
			spawnSync("openssl", [
				...words,
				"-subj",
				"/CN=localhost",
				"-addext",
				"subjectAltName=DNS:localhost",
				"-keyout",
				key,
				"-out",
				cert,
			]);
			const { file } = await served(open, { tls: { cert, key }, advertise: "localhost" });
			const { websocket, token } = file();
			expect(websocket).toMatch(/^wss:\/\/localhost:\d+$/);
			const ca = readFileSync(cert);
			const status = await new Promise((resolve) => {
				get(`${websocket.replace("wss", "https")}/healthz`, { ca, family: 4 }, ({ statusCode }) => resolve(statusCode));
			});
			expect(status).toBe(200);
			const socket = new WebSocket(websocket, { ca, family: 4 });
			await new Promise((resolve, reject) => socket.on("open", resolve).on("error", reject));
			expect(token).toHaveLength(43);
			socket.terminate();
			await expect(fetch(websocket.replace("wss", "http"))).rejects.toThrow();
		},
	);
});

describe("the folder", () => {
	it("has a socket without encryption for processes of its user, and a token is needed there too", async () => {
		const { file, folder } = await served(open);
		expect(file().local).toBe(`ipc://${join(realpathSync(folder), "socket")}`);
		// With a useless address and useless keys it can only be the socket.
		const details = { ...file(), zeromq: "tcp://127.0.0.1:1", ...curveKeyPair() };
		const client = await connect(details);
		expect(client.name).toBe("ann");
		await client.close();
		await expect(connect({ ...details, token: "x" })).rejects.toThrow("token");
	});

	it.each([["nowhere"], ["stale"]])("has a socket that is not used where it is %s", async (where) => {
		const { file, folder } = await served(open);
		writeFileSync(join(folder, "stale"), "");
		const client = await connect({ ...file(), local: `ipc://${join(folder, where)}` });
		expect(client.name).toBe("ann");
		await client.close();
	});

	it("has no socket where others may enter it, and where all is to be encrypted", async () => {
		const folder = testFolder();
		const service = new ServiceFolder(folder);
		expect(service.socketPath).toBeDefined();
		chmodSync(folder, 0o710);
		expect(service.socketPath).toBeUndefined();
		const { file } = await served(open, { folder });
		expect(file()).not.toHaveProperty("local");
		chmodSync(folder, 0o700);
		vi.stubEnv("STICKSLIP_CURVE", "always");
		onTestFinished(() => {
			vi.unstubAllEnvs();
		});
		expect(service.socketPath).toBeUndefined();
	});

	it("is nobody else's, and neither are its files", async () => {
		const folder = testFolder();
		chmodSync(folder, 0o777);
		expect(() => new ServiceFolder(folder)).toThrow("others may write to it; chmod go-w it");
		chmodSync(folder, 0o700);
		new ServiceFolder(folder).addClient("ann", { zeromq: "tcp://x:1" });
		chmodSync(join(folder, "service.json"), 0o644);
		await expect(served(open, { folder })).rejects.toThrow("is accessible to other users");
	});

	it.skipIf(noSmallDisk)(
		"may be read-only with all permissions, as a volume of secrets is (needs root, to mount one)",
		async () => {
			const bed = new Bed();
			onTestFinished(() => bed.close());
			const { folder } = openSmallDisk(bed, 2 ** 20);
			chmodSync(folder, 0o700);
			const first = await served(open, { folder });
			const { token } = first.file();
			await first.service.drain("test", 0);
			chmodSync(folder, 0o1777);
			// The library closes its socket there in the background.
			const isReadOnly = () => spawnSync("mount", ["-o", "remount,ro", folder]).status === 0;
			await until("the disk is read-only", isReadOnly);
			const { file, log } = await served(open, { folder });
			expect(file().token).toBe(token);
			expect(log).toEqual(
				["ann", "bob"].map((name) => expect.stringContaining(`the file of client ${name} has other addresses`)),
			);
			await expect(served(open, { folder, clients: ["carol"] })).rejects.toThrow(
				"client-carol.json: file: cannot be written",
			);
		},
	);

	it("with a damaged file says which; a damaged client is none", async () => {
		const folder = testFolder();
		const service = new ServiceFolder(folder);
		for (const name of ["a/b", "", "x".repeat(65)]) {
			expect(() => service.addClient(name, { zeromq: "tcp://x:1" })).toThrow("is not a name");
		}
		service.addClient("ann", { zeromq: "tcp://x:1" });
		const { token } = JSON.parse(readFileSync(service.fileOf("ann"), "utf8"));
		expect([service.clientOf(token), service.clientOf("")]).toEqual(["ann", undefined]);
		writeFileSync(join(folder, "client-bob.json"), "{", { mode: 0o600 });
		expect(service.clientOf(token)).toBe("ann");
		await expect(served(open, { folder, clients: [] })).rejects.toThrow(
			/client-bob\.json: line 1, column \d+: is not JSON/,
		);
		writeFileSync(join(folder, "service.json"), '{"publicKey":"x"}', { mode: 0o600 });
		expect(() => service.keys()).toThrow("publicKey: is not a CURVE key in Z85");
	});
});
