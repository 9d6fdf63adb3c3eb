/** @stickslip/core: the problem of frictional contact, its operators and solvers. Runs in Node.js and in browsers. */
export { InputError, MemoryLimitError } from "./base/errors.js";
export { Random } from "./base/random.js";
export { version } from "./base/version.js";
export {
	type BlockFactors,
	type BlockPattern,
	type FactorOptions,
	makeFactors,
	type OrderedFactors,
} from "./factor/make-factors.js";
export {
	type GeneratedProblem,
	type GenerateOptions,
	generate,
	generateNames,
	generateRolling,
} from "./generate/index.js";
export { hasWasmKernels } from "./kernels/kernels.js";
export { DEFAULT_TOLERANCES, errorOf, MEASURES, type MeasureName } from "./measures/measures.js";
export { checkMethod } from "./methods/catalogue.js";
export { countsBroken } from "./methods/counts.js";
export { type ListedMethod, methods } from "./methods/list.js";
export { type Colouring, describeColouring } from "./outline/colours.js";
export { assembleRigid } from "./problem/assemble-rigid.js";
export { blockAsymmetry } from "./problem/blocks.js";
export { condense } from "./problem/condense.js";
export { writeFrame } from "./problem/frame.js";
export {
	type ContactLaws,
	LAW_DOCS,
	LAWS,
	type LawDoc,
	type LawName,
	lawCode,
	lawNames,
	lawOf,
	PARAMETERS,
} from "./problem/laws.js";
export type {
	BlockMatrix,
	CsrMatrix,
	Equalities,
	Geometry,
	GlobalForm,
	Guess,
	Problem,
	RigidContacts,
} from "./problem/problem.js";
export type { PartBodies, PartRows, ProblemPart } from "./problem/problem-part.js";
export { rigidToGlobal } from "./problem/rigid-to-global.js";
export { countContacts, ROLLING } from "./problem/rolling.js";
export { type RollingBodies, rollingBodies } from "./problem/rolling-bodies.js";
export { validateProblem } from "./problem/validate.js";
export { openSession, type SessionOptions } from "./session/open.js";
export type { PartSolution, PartsSolution } from "./session/parts.js";
export type {
	NewValues,
	PartsCollection,
	PartsOptions,
	PreparedPattern,
	Results,
	Session,
	SessionSolveOptions,
	SolutionView,
} from "./session/session.js";
export { checkOptions } from "./solve/check-options.js";
export { describeMemory, type Memory } from "./solve/memory.js";
export type { Keep, Progress, SolveOptions } from "./solve/options.js";
export { describeOrthogonality, type Orthogonality, type OrthogonalityOptions } from "./solve/orthogonality.js";
export { type PreparedSolver, prepareSolver } from "./solve/prepared.js";
export { makeProduct, type Product, type ProductOptions } from "./solve/product.js";
export {
	type RankReport,
	type Report,
	type ReportWarning,
	type Solution,
	STATUSES,
	type Status,
	WARNING_CODES,
	type WarningCode,
} from "./solve/report.js";
export { solve, solveAsync } from "./solve/solve.js";
export { startOf } from "./solve/start.js";
