/** All launchers by name, in the order of the help. A new one is one folder, and one line here. */

import type { Launcher } from "../processes/launcher.js";
import { kubernetes } from "./kubernetes/kubernetes.js";
import { local } from "./local/local.js";
import { mpirun } from "./mpirun/mpirun.js";
import { slurm } from "./slurm/slurm.js";
import { ssh } from "./ssh/ssh.js";

export const launchers = { local, ssh, slurm, kubernetes, mpirun } satisfies Readonly<Record<string, Launcher>>;

/** Undefined where there is none of this name. */
export function launcherNamed(name: string): Launcher | undefined {
	return Object.hasOwn(launchers, name) ? launchers[name as keyof typeof launchers] : undefined;
}
