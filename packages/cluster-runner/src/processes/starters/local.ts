/** Starts processes of Node.js on this machine. */

import { LOOPBACK } from "../../protocol/listen-address.js";
import type { Child, End } from "../children.js";
import { describeExit } from "../exit-diagnosis.js";
import { BOOTSTRAP_ON_STDIN, environmentOf, lineFor, processProgram } from "../program.js";
import type { CommandStarter } from "../spawn-spec.js";

export function local(): CommandStarter {
	return {
		hostOf: undefined,
		bindAddress: () => Promise.resolve({ at: { bind: LOOPBACK, advertised: LOOPBACK } }),
		spawnSpecs: (contact) =>
			Array.from({ length: contact.processes }, (_, number) => ({
				process: number,
				command: process.execPath,
				args: [processProgram, ...BOOTSTRAP_ON_STDIN],
				env: { ...process.env, STICKSLIP_KEY: undefined, STICKSLIP_SOCKETS: contact.sockets },
				input: () =>
					lineFor({
						...environmentOf(contact, {}),
						STICKSLIP_HUB_PID: String(process.pid),
						STICKSLIP_PROCESS: String(number),
					}),
			})),
		diagnoseExit: ({ process: number = -1, output }: Child, end: End) => ({
			process: number,
			reason: `was lost (${describeExit(end, output)})`,
		}),
	};
}
