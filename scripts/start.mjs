/** `npm start`: the main job on problems made from a seed, for a person who has just cloned the repo. */

import { join } from "node:path";
import { main, root, run, setup } from "./lib/setup.mjs";

const stickslip = join(root, "packages", "cluster-runner", "bin", "stickslip.mjs");

main(() => {
	setup();
	return run(process.execPath, [stickslip, "--help"]);
});
