/** `npm run bench -- NAME [arguments]`: one measurement of bench/; `--help` lists them. */
import { main, run, setup } from "./lib/setup.mjs";

main((args) => {
	setup();
	return run(process.execPath, ["bench/dist/main.js", ...args]);
});
