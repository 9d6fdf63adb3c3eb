/** Loads koffi when the first C function is called: most solves call none, and loading takes milliseconds. */
import { createRequire } from "node:module";
import { platform } from "node:os";
import type { LibraryHandle } from "koffi";

const require = createRequire(import.meta.url);

export function foreign(): typeof import("koffi") {
	return require("koffi");
}

/** Functions of Linux' C library in this process, declared when they are first asked for; undefined on other systems, and where there is no FFI or no such function. */
export function linuxCalls<Calls>(declare: (library: LibraryHandle) => Calls): () => Calls | undefined {
	let found: Calls | undefined | "not yet" = "not yet";
	return () => {
		if (found !== "not yet") return found;
		found = undefined;
		try {
			if (platform() === "linux") found = declare(foreign().load(null));
		} catch {
			// Whoever asks does without them.
		}
		return found;
	};
}
