/** Large arrays without references are collected, in threads too, and no thread sets a flag of V8. */
import { expect, it } from "vitest";
import { runNode } from "../../testing/run-cli.js";

const module = new URL("../../dist/base/let-go.js", import.meta.url).href;

/** True if a released array returns its memory, and if contexts of the process have a collector afterwards. */
const program = (isAllowed: boolean) => `
	import { Worker, isMainThread, parentPort } from "node:worker_threads";
	import { runInNewContext } from "node:vm";
	import { allowLetGo, letGo } from ${JSON.stringify(module)};
	const LENGTH = 2 ** 25;
	const bytes = () => process.memoryUsage().arrayBuffers;
	if (isMainThread) {
		if (${isAllowed}) allowLetGo();
		const worker = new Worker(new URL(import.meta.url));
		worker.once("message", (isReleased) => console.log(JSON.stringify({ isReleased, gc: runInNewContext("typeof gc") })));
	} else {
		const held = bytes();
		new Uint8Array(LENGTH).fill(1);
		// V8 returns the memory in the background.
		const look = (looks) => {
			const isReleased = bytes() < held + LENGTH;
			if (isReleased || looks === 0) parentPort.postMessage(isReleased);
			else setTimeout(look, 10, looks - 1);
		};
		setImmediate(() => {
			letGo(LENGTH);
			look(${isAllowed ? 5000 : 10});
		});
	}
`;

async function run(isAllowed: boolean) {
	const url = `data:text/javascript,${encodeURIComponent(program(isAllowed))}`;
	const { code, out, err } = await runNode(["--input-type=module", "--eval", `await import(${JSON.stringify(url)})`]);
	expect([code, err]).toEqual([0, ""]);
	return JSON.parse(out) as unknown;
}

it("a thread releases what the main thread has allowed it to", async () => {
	expect(await run(true)).toEqual({ isReleased: true, gc: "function" });
});

it("a thread that was not allowed to leaves the flags of the process as they are", async () => {
	expect(await run(false)).toEqual({ isReleased: false, gc: "undefined" });
});
