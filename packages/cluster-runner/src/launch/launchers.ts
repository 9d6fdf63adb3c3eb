/** All launchers by name. */
import { kubernetes } from "./kubernetes/kubernetes.js";
import { local } from "./local.js";
import { mpirun } from "./mpirun.js";
import type { Launcher } from "./plan.js";
import { slurm } from "./slurm/slurm.js";
import type { Where } from "./specs.js";
import { ssh } from "./ssh/ssh.js";

export const launchers: Readonly<Record<Where, Launcher>> = { local, ssh, slurm, kubernetes, mpirun };
