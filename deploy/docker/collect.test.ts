/** What goes into the image: the built command by itself, as small as it can be, and able to solve on many ranks. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { connect } from "@stickslip/client";
import { generate, solve } from "@stickslip/core";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";

const here = fileURLToPath(new URL(".", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "stickslip-image-"));
const program = join(folder, "program");

beforeAll(() => {
	// It ends by running the doctor of what it collected.
	execFileSync(process.execPath, [join(here, "collect.mjs"), program], { stdio: "pipe", timeout: 240_000 });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("is the program without what only its makers need", () => {
	const files = readdirSync(program, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
	const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
	expect(bytes).toBeLessThan(40_000_000);
	expect(files.filter(({ name }) => /\.(map|d\.ts|test\.js|tsbuildinfo)$/.test(name)).map(({ name }) => name)).toEqual(
		[],
	);
});

it("solves by itself, on one rank and on two processes, to the same bits", () => {
	const run = (...words: string[]) =>
		execFileSync(process.execPath, [join(program, "bin", "stickslip.mjs"), ...words], {
			cwd: folder,
			encoding: "utf8",
			timeout: 240_000,
		});
	run("generate", "spheres", "--contacts", "60", "--output", "pile.hdf5");
	const [one, two] = [[], ["--ranks", "2", "--transport", "zeromq"]].map(
		(more) => JSON.parse(run("solve", "pile.hdf5", "--json", ...more)).hash,
	);
	expect(one).toMatch(/^[0-9a-f]{64}$/);
	expect(two).toBe(one);
});

it("serves, with all that it needs for both transports", async () => {
	const words = ["serve", "--keys", join(folder, "keys"), "--json", "--ranks", "1"];
	const places = ["--listen", "tcp://127.0.0.1:0", "--websocket", "127.0.0.1:0"];
	const service = spawn(process.execPath, [join(program, "bin", "stickslip.mjs"), ...words, ...places]);
	onTestFinished(() => {
		service.kill("SIGKILL");
	});
	const [line] = await once(service.stdout, "data");
	const { websocket, clients } = JSON.parse(String(line));
	expect((await fetch(`${websocket.replace("ws", "http")}/healthz`)).status).toBe(200);
	const problem = generate("spheres", { contacts: 60, seed: 1 });
	for (const transport of ["zeromq", "websocket"] as const) {
		const client = await connect(clients.default, { transport });
		expect((await client.solve(problem)).report.hash).toBe(solve(problem).report.hash);
		await client.close();
	}
	service.kill("SIGTERM");
	expect(await once(service, "exit")).toEqual([0, null]);
});

it("is made by files that are there", () => {
	const dockerfile = readFileSync(join(here, "Dockerfile"), "utf8");
	const named = [...dockerfile.matchAll(/node (\S+\.mjs)/g)].map(([, path]) => path ?? "");
	expect(named).toEqual(["scripts/build.mjs", "deploy/docker/collect.mjs"]);
	for (const path of named) expect(existsSync(join(here, "..", "..", path))).toBe(true);
	expect(dockerfile).toMatch(/^USER 10001:10001$/m);
});
