/** What a member process is: the program, the Node.js that runs it, and what both are told through the environment. */
import { PROGRAMS, programFile } from "../../own.js";
import type { Gang } from "../gang.js";
import type { Meeting } from "./starter.js";

/** In a package's folder. */
const FILE = `${PROGRAMS}/process.js`;

/** Of this package. */
export const program = programFile("process");

/** Node.js and the program, on a host that may have them elsewhere. */
export function programOf({ node, program: folder }: Pick<Gang, "node" | "program">): readonly [string, string] {
	return [node ?? process.execPath, folder === undefined ? program : `${folder.replace(/\/$/, "")}/${FILE}`];
}

/** Words for the program that is told on standard input, and not through a tunnel: environments are handed on and kept by schedulers. */
export const BOOTSTRAP_ON_STDIN = ["stdin", "direct"] as const;

/** What it is told there. */
export function lineFor(environment: Readonly<Record<string, string>>): string {
	return `${JSON.stringify(environment)}\n`;
}

/** Without the hub's id a member takes its hub for another host's. */
export function environmentOf({ hub, secret }: Meeting, { listen }: Pick<Gang, "listen">): Record<string, string> {
	const asked = listen === undefined ? {} : { STICKSLIP_LISTEN: listen };
	return { STICKSLIP_HUB: hub, STICKSLIP_HUB_PID: "", STICKSLIP_KEY: secret, ...asked };
}
