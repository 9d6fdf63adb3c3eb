/** The kernels as one object of functions, from WebAssembly or from the TypeScript twin; both give the same bits. */
import * as twin from "./generated/index.js";
import { kernelsBase64 } from "./generated/module.js";

export type Kernels = typeof twin;

export const twinKernels: Kernels = twin;

let compiled: WebAssembly.Module | undefined;

function moduleOnce(): WebAssembly.Module {
	if (compiled === undefined) {
		const text = atob(kernelsBase64);
		const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
		compiled = new WebAssembly.Module(bytes);
	}
	return compiled;
}

/** Whether this engine runs the WebAssembly kernels; SIMD is what an old one lacks. */
export function hasWasmKernels(): boolean {
	try {
		moduleOnce();
		return true;
	} catch {
		return false;
	}
}

/** On a WebAssembly.Memory; its type is not named, so that users compile without the types of browsers. */
export function wasmKernels(memory: object): Kernels {
	const env = { memory: memory as WebAssembly.Memory };
	const instance = new WebAssembly.Instance(moduleOnce(), { env });
	return instance.exports as unknown as Kernels;
}
