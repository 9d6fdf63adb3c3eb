/** On this machine: one process of Node.js after another. */
import type { Child, End } from "../../ranks/children.js";
import { ended } from "../../ranks/verdict.js";
import { LOOPBACK } from "../rendezvous/addresses.js";
import type { Way } from "./call.js";
import { BOOTSTRAP_ON_STDIN, environmentOf, lineFor, program } from "./program.js";

export function local(): Way {
	return {
		hostOf: undefined,
		door: () => Promise.resolve({ at: { bind: LOOPBACK, told: LOOPBACK } }),
		calls: (meeting) =>
			Array.from({ length: meeting.processes }, (_, number) => ({
				process: number,
				command: process.execPath,
				args: [program, ...BOOTSTRAP_ON_STDIN],
				env: { ...process.env, STICKSLIP_KEY: undefined, STICKSLIP_SOCKETS: meeting.sockets },
				input: () =>
					lineFor({
						...environmentOf(meeting, {}),
						STICKSLIP_HUB_PID: String(process.pid),
						STICKSLIP_PROCESS: String(number),
					}),
			})),
		verdict: ({ process: number = -1, said }: Child, end: End) => ({
			process: number,
			reason: `was lost (${ended(end, said)})`,
		}),
	};
}
