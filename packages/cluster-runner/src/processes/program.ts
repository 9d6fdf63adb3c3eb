/** How a member process is run: its program, the Node.js that runs it, and its environment. */
import { BUNDLE_FOLDER, programFile } from "../base/own.js";
import type { Placement } from "../placement/placement.js";
import type { HubContact } from "./starter.js";

/** In a package's folder. */
const FILE = `${BUNDLE_FOLDER}/process.js`;

/** Of this package. */
export const processProgram = programFile("process");

/** Node.js and the program, on a host that may have them elsewhere. */
export function programOf({ node, program: folder }: Pick<Placement, "node" | "program">): readonly [string, string] {
	return [node ?? process.execPath, folder === undefined ? processProgram : `${folder.replace(/\/$/, "")}/${FILE}`];
}

/** Arguments of the program if it gets its bootstrap on standard input and not through a tunnel: schedulers store and pass on environments. */
export const BOOTSTRAP_ON_STDIN = ["stdin", "direct"] as const;

/** Its bootstrap, as one line. */
export function lineFor(environment: Readonly<Record<string, string>>): string {
	return `${JSON.stringify(environment)}\n`;
}

/** Without the hub's process id a member assumes that the hub is on another host. */
export function environmentOf(
	{ hub, secret }: HubContact,
	{ listen }: Pick<Placement, "listen">,
): Record<string, string> {
	const extra = listen === undefined ? {} : { STICKSLIP_LISTEN: listen };
	return { STICKSLIP_HUB: hub, STICKSLIP_HUB_PID: "", STICKSLIP_KEY: secret, ...extra };
}
