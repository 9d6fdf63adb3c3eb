#!/usr/bin/env node
/** Starts the command line. Old Node versions and a missing build are told here, before anything is loaded that they break. */

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
	console.error(`stickslip: Node 20.19 or later is needed and this is ${process.versions.node}; update Node`);
	process.exitCode = 2;
} else {
	import("../dist/bundled/main.js").catch((error) => {
		const isMissing = error.code === "ERR_MODULE_NOT_FOUND";
		const problem = isMissing ? "is not built or not installed whole; run `npm run build`" : "cannot be loaded";
		console.error(`stickslip: the program ${problem} (${String(error.message).split("\n", 1)[0]})`);
		process.exitCode = isMissing ? 2 : 3;
	});
}
