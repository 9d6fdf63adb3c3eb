/** comm's entry for browsers: its bundle imports nothing of Node.js, and loads without shared memory. */
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import { expect, test } from "vitest";

async function bundle(): Promise<string> {
	const { outputFiles, warnings } = await build({
		entryPoints: [fileURLToPath(new URL("./browser.ts", import.meta.url))],
		bundle: true,
		write: false,
		format: "iife",
		globalName: "comm",
		platform: "browser",
		logLevel: "silent",
	});
	expect(warnings).toEqual([]);
	return outputFiles[0]!.text;
}

test("imports nothing of Node", async () => {
	expect(await bundle()).not.toMatch(/node:|__require\(|require\("/);
});

test("loads in a page that is not isolated, and adds up there on one rank in an isolated one", async () => {
	const code = await bundle();
	const page = createContext({ SharedArrayBuffer: undefined });
	expect(() => runInContext(`${code}; comm.spinsFor(1, 1)`, page)).not.toThrow();
	const isolated = createContext({ performance, TextEncoder, TextDecoder, sum: Float64Array.of(3) });
	const script = `
		const control = comm.Control.create();
		const patience = new comm.Patience({ control, seconds: 10, spins: comm.spinsFor(1, 1) });
		const communicator = new comm.ThreadsCommunicator({ shared: comm.shareThreads(1), rank: 0, control, patience });
		communicator.reduce(sum, (into, from) => { into[0] += from[0]; });
		communicator.barrier();
		communicator.close();
		[sum[0], communicator.transport].join();
	`;
	expect(runInContext(`${code}; ${script}`, isolated)).toBe("3,threads");
});
