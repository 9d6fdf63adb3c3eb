/** The program of a supervised line: the command line as anybody starts it, which ends when its supervisor has gone. */
import { guardProcess } from "./base/last-resort.js";

guardProcess();
// Leaving in an orderly way takes the ranks along that this process has started.
const leave = () => process.exit(3);
process.on("disconnect", leave);
// The supervisor may have been killed while this file was loaded, and nothing says so again.
if (process.connected === false) leave();
// The channel says that the supervisor lives, and is no reason to stay.
process.channel?.unref();
await import("./main.js");
