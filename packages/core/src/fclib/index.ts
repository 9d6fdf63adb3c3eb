/** FCLIB files (HDF5) in and out: `@stickslip/core/fclib`. h5wasm is handed in, so the same code runs in Node.js and in browsers. */
export { describeFclib } from "./describe.js";
export {
	type FclibFile,
	readInfo,
	readSolution,
	refusalOf,
	requireThreeDimensional,
	withFclib,
	withPlainFclib,
	withSamePlainFclib,
} from "./fclib-file.js";
export { Hdf5File } from "./hdf5-file.js";
export { Hdf5Library } from "./hdf5-library.js";
export type { PlainSource } from "./hdf5-plain.js";
export type { MatrixHeader, Storage } from "./matrix.js";
export { calling, cause, type Hdf5Module, isDamaged } from "./module.js";
export { readProblem, readUnread, readValuesOfW } from "./read.js";
export { readRows } from "./rows.js";
export { estimateMemory, type MemoryEstimate } from "./sizes.js";
export { fclibSolution } from "./solution.js";
export type { FclibDescription, FclibInfo, FclibKind, FclibSolution, InfoText } from "./types.js";
export { infoText, type WriteOptions, writeFclib, writeFclibSteps } from "./write.js";
