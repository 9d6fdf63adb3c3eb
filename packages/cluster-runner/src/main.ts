/** The `stickslip` command. */
import { runLine } from "./commands/run-line.js";
import { exitWith } from "./exit.js";

await exitWith((terminal) => runLine(process.argv.slice(2), terminal));
