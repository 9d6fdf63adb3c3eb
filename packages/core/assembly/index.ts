/** What the WebAssembly module exports: every kernel, by the name of the function that holds it. */
export { deposit, dotBins } from "./bins";
export { contactVelocities, gatherImpulses, setInMotion } from "./bodies";
export { colourByMasks, isSymmetricPattern } from "./colouring";
export { freeTerms } from "./denominator";
export { energyTerms } from "./energy";
export { meritTerms } from "./merit";
export { naturalTerms } from "./natural";
export { addProjected, blockProduct, diagonalStep, invertDiagonal, linearise, newtonProduct } from "./newton";
export { anchorFree } from "./proximal";
export { rigidSweep, rigidTriangle } from "./rigid";
export { rigidDiagonal, rigidFill, writeLevers } from "./rigid-fill";
export { multiply, scaleBlocks, scaleVelocity } from "./scaling";
export { sellApply } from "./sell";
export { sellColumns, sellFill } from "./sell-fill";
export { sellSweep, sellTriangle } from "./sweep";
export { tinyMeasures, tinySweeps } from "./tiny";
export { tinySetUp } from "./tiny-setup";
export { addCombination, axpby, copy, differences, fill, subtract } from "./vectors";
