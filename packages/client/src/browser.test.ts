/** The client of browsers: its bundle has nothing of Node.js, and solves with the WebSocket that it finds. */
import { fileURLToPath } from "node:url";
import { generate, solve } from "@stickslip/core";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { WebSocket } from "ws";
import type { connect } from "./browser.js";
import { FakeService } from "./testing/fake-service.js";

it("is chosen by the condition of browsers, needs nothing of Node.js, and solves", async () => {
	const { outputFiles, warnings } = await build({
		stdin: {
			contents: 'export { connect } from "@stickslip/client";',
			resolveDir: fileURLToPath(new URL(".", import.meta.url)),
		},
		bundle: true,
		write: false,
		format: "iife",
		globalName: "stickslip",
		platform: "browser",
		logLevel: "silent",
	});
	expect(warnings).toEqual([]);
	const code = outputFiles[0]!.text;
	expect(code).not.toMatch(/node:|zeromq|__require\("|[^.]require\("/);
	const load = new Function("WebSocket", "process", "Buffer", `${code}; return stickslip;`);
	const page = load(WebSocket, undefined, undefined) as { connect: typeof connect };
	const service = await FakeService.start({ transport: "websocket" });
	try {
		const { websocket = "", token } = service.details;
		const client = await page.connect({ websocket, token });
		const problem = generate("spheres", { contacts: 20 });
		expect((await client.solve(problem)).report.hash).toBe(solve(problem).report.hash);
		await client.close();
		const nobody = page.connect({ websocket: "ws://127.0.0.1:9", token }, { timeout: 0 });
		await expect(nobody).rejects.toMatchObject({ code: "unreachable", remedy: expect.stringContaining("--origin") });
		const forgotten = { websocket } as unknown as Parameters<typeof connect>[0];
		await expect(page.connect(forgotten)).rejects.toThrow("connection: token: is missing");
	} finally {
		await service.close();
	}
});
