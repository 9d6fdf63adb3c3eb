/** What the WebAssembly module exports: every kernel, by the name of the function that holds it. */
export { deposit, dotBins } from "./bins";
export { ldltRows, ldltSolve } from "./block-ldlt";
export { luRows, luSolve } from "./block-lu";
export { contactVelocities, gatherImpulses, setInMotion } from "./bodies";
export { colourByMasks, isSymmetricPattern } from "./colouring";
export { orderByColour } from "./colour-order";
export {
	componentDenominator,
	componentTotals,
	depositMembers,
	groupComponents,
	joinBodies,
	joinComponents,
	joinRows,
	largestSquare,
	tightened,
} from "./components";
export { lawVelocity } from "./contact-law";
export { freeTerms } from "./denominator";
export { energyTerms } from "./energy";
export { lawDiagonalStep, lawLinearise, lawProject, lawVelocities } from "./law-loops";
export { lawEnergyTerms, lawMeritTerms, lawNaturalTerms } from "./law-measures";
export { lawRigidSweep, lawSellSweep } from "./law-sweep";
export { rollingGradient, rollingResidual, rollingSlope } from "./laws/rolling";
export { gatherSingles, rollingTriangle, singleVelocities } from "./laws/rolling-bodies";
export { solveRolling } from "./laws/rolling-local";
export { addCoupling, rollingDiagonalStep, rollingLinearise } from "./laws/rolling-newton";
export { leastSquaresBlocks, transposedProducts } from "./least-squares";
export { meritTerms } from "./merit";
export { naturalTerms } from "./natural";
export { addProjected, blockProduct, diagonalStep, invertDiagonal, linearise, newtonProduct } from "./newton";
export { anchorFree } from "./proximal";
export { rigidSweep, rigidTriangle } from "./rigid";
export { rigidDiagonal, rigidFill, writeLevers } from "./rigid-fill";
export { multiply, scaleBlocks, scaleVelocity, sizes } from "./scaling";
export { sellApply } from "./sell";
export { sellColumns, sellFill } from "./sell-fill";
export { sha256 } from "./hash";
export { sellSweep, sellTriangle } from "./sweep";
export { tinyMeasures, tinySweeps } from "./tiny";
export { tinyBodies, tinyBodySweeps } from "./tiny-bodies";
export { tinySetUp } from "./tiny-setup";
export { addCombination, axpby, clearStrided, copy, differences, fill, subtract } from "./vectors";
export { markBodyWaits, markWaits } from "./waits";
