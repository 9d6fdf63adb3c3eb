/** The client of browsers in a page of Chromium: it has the answers of the service, and a page of another origin has none. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { generate, solve } from "@stickslip/core";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findChromium, launchChromium } from "../packages/browser/src/testing/index.js";
import { Bed } from "../packages/cluster-runner/src/testing/index.js";
import { startService } from "./testing/service.js";

const reason = findChromium() === undefined ? "apt install chromium" : undefined;
const problem = generate("spheres", { contacts: 200, seed: 5 });
/** As JSON has it. */
const numbers = {
	contacts: problem.contacts,
	q: [...problem.q],
	mu: [...problem.mu],
	body: [...problem.rigid!.body],
	frame: [...problem.rigid!.frame],
	arm: [...problem.rigid!.arm],
	inverseMass: [...problem.rigid!.inverseMass],
	inverseInertia: [...problem.rigid!.inverseInertia],
};

async function pageOf(): Promise<string> {
	const { outputFiles } = await build({
		stdin: {
			contents: 'export { connect } from "@stickslip/client";',
			resolveDir: fileURLToPath(new URL("..", import.meta.url)),
		},
		bundle: true,
		write: false,
		format: "iife",
		globalName: "stickslip",
		platform: "browser",
	});
	const script = outputFiles[0]!.text.replaceAll("</script", "<\\/script");
	return `<!doctype html><title>test</title><link rel="icon" href="data:,"><script>${script}</script>`;
}

/** In the page: solves as it is and as a pattern, and gives the hashes, or what is wrong. */
async function solveThere(given: typeof numbers & { readonly details: object }): Promise<string[]> {
	const { stickslip } = globalThis as unknown as { stickslip: typeof import("@stickslip/client") };
	const { details, contacts, q, mu, body, ...rest } = given;
	const reals = Object.entries(rest).map(([name, values]) => [name, Float64Array.from(values)]);
	const rigid = { body: Int32Array.from(body), ...Object.fromEntries(reals) };
	const whole = { name: "page", contacts, q: Float64Array.from(q), mu: Float64Array.from(mu), rigid };
	try {
		const client = await stickslip.connect(details as never, { timeout: 1 });
		const one = await client.solve(whole);
		const pattern = await client.prepare(whole);
		const other = await pattern.solve({ q: whole.q.map((value) => 2 * value) });
		await client.close();
		return [one.report.hash, other.report.hash];
	} catch (error) {
		return [(error as { code: string }).code, (error as Error).message];
	}
}

describe.skipIf(reason)(`a page (needs: ${reason ?? "nothing more"})`, () => {
	const bed = new Bed();
	const servers = [createServer(), createServer()];
	let origins: string[] = [];
	let details: object = {};

	beforeAll(async () => {
		const page = await pageOf();
		for (const server of servers) {
			server.on("request", (_, response) => response.setHeader("content-type", "text/html").end(page));
			await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
		}
		origins = servers.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
		const words = ["--websocket", "127.0.0.1:0", "--origin", origins[0]!];
		const { file } = await startService(bed, undefined, ...words);
		details = JSON.parse(readFileSync(file, "utf8"));
	});
	afterAll(async () => {
		await bed.close();
		for (const server of servers) server.closeAllConnections();
		for (const server of servers) await new Promise((resolve) => server.close(resolve));
	});

	it("of an origin that the service knows has its answers, another has none", async () => {
		const browser = await launchChromium();
		try {
			const page = await browser.newPage();
			await page.goto(origins[0]!);
			const q = problem.q.map((value) => 2 * value);
			const hashes = [problem, { ...problem, q }].map((each) => solve(each).report.hash);
			expect(await page.evaluate(solveThere, { ...numbers, details })).toEqual(hashes);
			await page.goto(origins[1]!);
			const [code, message] = await page.evaluate(solveThere, { ...numbers, details });
			expect(code).toBe("unreachable");
			expect(message).toContain("stickslip serve --origin");
		} finally {
			await browser.close();
		}
	});
});
