/** `npm run bench -- NAME [arguments]`. A new bench is one file that exports a Bench, and one line here. */
import { type Bench, dispatch } from "./bench.js";
import { siconos } from "./siconos/main.js";
import { kernels } from "./kernels/main.js";

const benches: readonly Bench[] = [kernels, siconos];

process.exitCode = await dispatch(benches, process.argv.slice(2), console.log);
