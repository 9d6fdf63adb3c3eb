/** @stickslip/mechanics: bodies, contact detection, time stepping and scenes. */

export { type Bodies, FIELDS, KIND, STATE_FIELDS } from "./bodies/bodies.js";
export { haveMoments } from "./bodies/contact-parameters.js";
export type { Impulses, InverseMasses, Velocities } from "./bodies/generalized.js";
export { pairLaws } from "./bodies/laws.js";
export { type BodyDescription, makeBodies } from "./bodies/make.js";
export type { ContactLaw, Material, Model } from "./bodies/model.js";
export { type Motion, type MotionPiece, makeMotion } from "./bodies/motion.js";
export { addOwnBodies, selectBodies } from "./bodies/select.js";
export { PairSearch } from "./broad/pairs.js";
export { ContactList } from "./contacts/contact-list.js";
export type { Contacts } from "./contacts/contacts.js";
export { ContactDetector } from "./contacts/detect.js";
export { ProblemMaker } from "./contacts/problem.js";
export { addImpulses, relativeVelocity } from "./contacts/velocity.js";
export type { AppendModule } from "./files/module.js";
export { type PictureOptions, picture } from "./files/picture.js";
export { RUN_FORMAT } from "./files/run-layout.js";
export { RunPart, RunReader, type StoredBodies, type StoredContacts } from "./files/run-reader.js";
export { type RunFileOptions, RunWriter, type StoredStep } from "./files/run-writer.js";
export { type ImportedScene, importSiconos, type SiconosOptions } from "./files/siconos.js";
export { STATISTICS_COLUMNS, statisticsRow } from "./files/statistics-row.js";
export { closedSuperblock, SUPERBLOCK_BYTES } from "./files/superblock.js";
export {
	type PartOfStep,
	XDMF_SERIES,
	XDMF_SERIES_TAIL,
	type XdmfGrids,
	type XdmfSeries,
	xdmf,
	xdmfSeriesHead,
	xdmfStep,
	xdmfText,
} from "./files/xdmf.js";
export {
	MANIFOLD_POINTS,
	type Manifold,
	makeManifold,
	type PairFunction,
	type PlacedPiece,
} from "./narrow/manifold.js";
export { touch } from "./narrow/touch.js";
export type { ContactSolver, SolverOptions, StepProblem, StepSolution } from "./ranks/contact-solver.js";
export type { DomainOptions } from "./ranks/domain.js";
export { TileSolver } from "./ranks/tile-solver.js";
export { describeScene, makeScene, sceneEntryOf, sceneNames } from "./scenes/catalogue.js";
export { pathOfBody } from "./scenes/checks.js";
export type {
	SceneBody,
	SceneDescription,
	SceneEventDescription,
	SceneObstacle,
	SceneSolver,
} from "./scenes/description.js";
export { type Mistake, mistakeLine, SceneError } from "./scenes/mistakes.js";
export { type GivenOptions, type OptionTable, resolveSceneOptions, type SceneOption } from "./scenes/options.js";
export { runWarnings } from "./scenes/run-warnings.js";
export { buildScene, type Scene, stepsOf } from "./scenes/scene.js";
export { locating, parseScene, readScene, writeScene } from "./scenes/scene-file.js";
export { sceneSchema } from "./scenes/schema.js";
export { SceneWatch } from "./scenes/watch.js";
export { compileShape } from "./shapes/compile.js";
export type { CompiledShape, Convex, ConvexKind, Faces, MassProperties } from "./shapes/convex.js";
export type { ConvexShape, Quaternion, Shape, Union, Vector } from "./shapes/shape.js";
export type { SimulationEvent } from "./simulation/events.js";
export type { Extreme, RunExtremes } from "./simulation/extremes.js";
export { type SolveAttempt, StepFailure } from "./simulation/retrying-solver.js";
export { Simulation, type SimulationOptions, type SimulationSetup } from "./simulation/simulation.js";
export { dealState } from "./simulation/state.js";
export type { PhaseSeconds, StepStatistics } from "./simulation/statistics.js";
export { addAngularMomentum, elasticEnergy, kineticEnergy, potentialEnergy } from "./time/energy.js";
export type { Rotation } from "./time/rotation.js";
export { SCHEME_NAMES, type Scheme, type SchemeOptions } from "./time/scheme.js";
export { makeScheme } from "./time/theta.js";
