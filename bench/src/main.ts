/** `npm run bench -- NAME [arguments]`. A new bench is one file that exports a Bench, and one line here. */
import { type Bench, dispatch } from "./bench.js";

const benches: readonly Bench[] = [];

process.exitCode = await dispatch(benches, process.argv.slice(2), console.log);
