/** `launch ssh`: one process on each host, by ssh. */

import type { Launcher } from "../../processes/launcher.js";
import { sshStarter } from "./starter.js";

export const ssh = {
	summary: `one process per host. The hosts need Node.js only; the program is copied to hosts
that do not have it`,
	example: "ssh --host node1,node2 --restarts 3 -- solve pile.hdf5",
	tool: "ssh",
	takes: ["pass", "host", "hosts"],
	options: [
		{ name: "remote-node", value: "PATH", what: "ssh: path of Node.js on the hosts (default node)" },
		{
			name: "program",
			value: "DIR",
			what: "ssh: folder of the installed package on the hosts (default: the program is copied there once)",
		},
	],
	starter: sshStarter,
	load: async () => (await import("./launch.js")).launchSsh,
} satisfies Launcher;
