#!/usr/bin/env node
/** Starts the command line. Old Node versions and a missing build are told here, before anything is loaded that they break. */

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
	console.error(`stickslip: Node 20.19 or later is needed and this is ${process.versions.node}; update Node`);
	process.exitCode = 2;
} else {
	import("../dist/programs/main.js").catch((error) => {
		if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
		console.error(
			`stickslip: the program is not built or not installed whole; run \`npm run build\` (${error.message})`,
		);
		process.exitCode = 2;
	});
}
