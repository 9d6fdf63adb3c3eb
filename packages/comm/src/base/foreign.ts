/** Loads koffi when the first C function is called: most solves call none, and loading takes milliseconds. */
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

export function foreign(): typeof import("koffi") {
	return require("koffi");
}
