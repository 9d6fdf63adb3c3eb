/** Large arrays without references are collected, in threads too, and no thread sets a flag of V8. */
import { expect, it } from "vitest";
import { runNode } from "../../testing/run-cli.js";

const module = new URL("../../dist/base/let-go.js", import.meta.url).href;

/** Bytes of arrays in a thread before and after letGo, and whether contexts of the process have a collector afterwards. */
const program = (isAllowed: boolean) => `
	import { Worker, isMainThread, parentPort } from "node:worker_threads";
	import { runInNewContext } from "node:vm";
	import { allowLetGo, letGo } from ${JSON.stringify(module)};
	if (isMainThread) {
		if (${isAllowed}) allowLetGo();
		const worker = new Worker(new URL(import.meta.url));
		worker.once("message", (bytes) => console.log(JSON.stringify({ bytes, gc: runInNewContext("typeof gc") })));
	} else {
		const bytes = () => process.memoryUsage().arrayBuffers;
		let array = new Uint8Array(2 ** 25);
		const held = bytes() - array.length;
		array = undefined;
		setImmediate(() => {
			letGo(2 ** 25);
			parentPort.postMessage([held, bytes()]);
		});
	}
`;

async function run(isAllowed: boolean) {
	const url = `data:text/javascript,${encodeURIComponent(program(isAllowed))}`;
	const { code, out, err } = await runNode(["--input-type=module", "--eval", `await import(${JSON.stringify(url)})`]);
	expect([code, err]).toEqual([0, ""]);
	const { bytes, gc } = JSON.parse(out) as { bytes: [number, number]; gc: string };
	return { isReleased: bytes[1] < bytes[0] + 2 ** 24, gc };
}

it("a thread releases what the main thread has allowed it to", async () => {
	expect(await run(true)).toEqual({ isReleased: true, gc: "function" });
});

it("a thread that was not allowed to leaves the flags of the process as they are", async () => {
	expect(await run(false)).toEqual({ isReleased: false, gc: "undefined" });
});
