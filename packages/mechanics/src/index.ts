/** @stickslip/mechanics: bodies, contact detection, time stepping and scenes. */
export { type Bodies, KIND } from "./bodies/bodies.js";
export type { Impulses, InverseMasses, Velocities } from "./bodies/generalized.js";
export type { ContactLaw, Material, Model } from "./bodies/model.js";
export { ContactList } from "./contacts/contact-list.js";
export type { Contacts } from "./contacts/contacts.js";
export { ContactDetector } from "./contacts/detect.js";
export { RigidProblem } from "./contacts/rigid-problem.js";
export { addImpulses, relativeVelocity } from "./contacts/velocity.js";
export {
	MANIFOLD_POINTS,
	type Manifold,
	makeManifold,
	type PairFunction,
	type PlacedPiece,
} from "./narrow/manifold.js";
export { touch } from "./narrow/touch.js";
export type { CompiledShape, Convex, ConvexKind, Faces, MassProperties } from "./shapes/convex.js";
export type { ConvexShape, Quaternion, Shape, Union, Vector } from "./shapes/shape.js";
