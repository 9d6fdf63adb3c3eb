/** @stickslip/cluster-runner: FCLIB files by name, for programs on Node.js that embed the solver; the command is in main.ts. */
export { loadHdf5 } from "./hdf5.js";
export { type Described, describe, type Loaded, load } from "./load.js";
export { type Form, save, saveGenerated } from "./save.js";
