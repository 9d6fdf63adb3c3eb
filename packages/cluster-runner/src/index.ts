/** @stickslip/cluster-runner: files and many ranks for programs on Node.js that embed the solver; the command is in main.ts. */
export { RankError } from "@stickslip/core/parallel";
export { loadHdf5 } from "./base/hdf5.js";
export { TRANSPORTS, type Transport } from "./base/transports.js";
export { type Described, describe, type Loaded, load } from "./files/load.js";
export { type Form, save, saveGenerated } from "./files/save.js";
export type { OwnAnswer, PartsModule } from "./programs/own-parts.js";
export type { Program } from "./programs/program.js";
export type { RankOptions } from "./ranks/choose.js";
export { openSession, type SessionOptions } from "./session/open-session.js";
export { type ProgramOptions, type ProgramRanks, type ProgramTask, startProgram } from "./session/start-program.js";
export { type SimulatedScene, type SimulateOptions, simulateScene } from "./solve/simulate-scene.js";
export {
	type OwnPartsOptions,
	type OwnPartsSolution,
	PartsGroup,
	type PartsSolveOptions,
	solveOwnParts,
} from "./solve/solve-parts.js";
export { solveRanks } from "./solve/solve-ranks.js";
export { type ProfileCell, profileOf, shareWithin } from "./studies/profile.js";
export { profilePlot } from "./studies/profile-plot.js";
export { linePlot } from "./study/line-plot.js";
export { spreadOf } from "./study/statistics.js";
