/** What the WebAssembly module exports: every kernel, by the name of the function that holds it. */
export { bodyVelocities, contactVelocities } from "./bodies";
export { energyLeaves } from "./energy";
export { meritLeaves } from "./merit";
export { naturalLeaves } from "./natural";
export { addProjected, blockProduct, diagonalStep, invertDiagonal, linearise, newtonProduct } from "./newton";
export { treeSum } from "./reduce";
export { rigidSweep, rigidTriangle } from "./rigid";
export { sellApply } from "./sell";
export { sellSweep, sellTriangle } from "./sweep";
export { addCombination, axpby, copy, dotLeaves, fill, subtract } from "./vectors";
