import { readFileSync } from "node:fs";
import { platform } from "node:os";
import { expect, it } from "vitest";
import { askForLargePages } from "./large-pages.js";

const MIB = 2 ** 20;

/** Whether the system knows of a mapping of this process, larger than these bytes, that it is to have huge pages (`hg`). */
function isKnown(bytes: number): boolean {
	const mappings = readFileSync("/proc/self/smaps", "utf8").split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m);
	return mappings.some((text) => {
		const kib = Number(/^Size:\s+(\d+) kB/m.exec(text)?.[1]);
		return 1024 * kib >= bytes && / hg( |$)/m.test(/^VmFlags:.*$/m.exec(text)?.[0] ?? "");
	});
}

it.skipIf(platform() !== "linux")(
	"asks for a memory and all that it may grow to, and keeps what stands there (needs Linux)",
	() => {
		const memory = new WebAssembly.Memory({ initial: 256, maximum: 4096, shared: true });
		const before = new Int32Array(memory.buffer);
		for (let i = 0; i < before.length; i += 1000) before[i] = i;
		// A kernel without such pages does not know the call.
		if (!askForLargePages(memory.buffer, 4096 * 65536)) return;
		memory.grow(1024);
		expect(isKnown(64 * MIB)).toBe(true);
		const after = new Int32Array(memory.buffer);
		expect(after.every((value, i) => value === (i % 1000 === 0 && i < before.length ? i : 0))).toBe(true);
	},
);
