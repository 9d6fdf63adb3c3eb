/** `npm run bench -- NAME [arguments]`. A new bench is one file that exports a Bench, and one line here. */
import { type Bench, dispatch } from "./bench.js";
import { defaults } from "./defaults.js";
import { golden } from "./golden.js";
import { kernels } from "./kernels/main.js";
import { memory } from "./memory.js";
import { siconos } from "./siconos/main.js";
import { sweeps } from "./sweeps.js";

const benches: readonly Bench[] = [defaults, golden, kernels, memory, siconos, sweeps];

process.exitCode = await dispatch(benches, process.argv.slice(2), console.log);
