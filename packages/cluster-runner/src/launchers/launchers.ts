/** All launchers by name. */

import type { Launcher } from "../launch/plan.js";
import type { Where } from "../placement/specs.js";
import { kubernetes } from "./kubernetes/kubernetes.js";
import { local } from "./local/local.js";
import { mpirun } from "./mpirun/mpirun.js";
import { slurm } from "./slurm/slurm.js";
import { ssh } from "./ssh/ssh.js";

export const launchers: Readonly<Record<Where, Launcher>> = { local, ssh, slurm, kubernetes, mpirun };
