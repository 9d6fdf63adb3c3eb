/** `launch local`: processes on this machine. */

import type { Launcher } from "../../processes/launcher.js";
import { local as localStarter } from "../../processes/starters/local.js";

export const local = {
	summary: "one process per node on this machine",
	example: "local --nodes 2 -- solve pile.hdf5",
	takes: [],
	options: [],
	starter: () => localStarter(),
	load: async () => (await import("./launch.js")).launchLocal,
} satisfies Launcher;
