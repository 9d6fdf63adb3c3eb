/** @stickslip/mechanics: bodies, contact detection, time stepping and scenes. */
export { type Bodies, KIND } from "./bodies/bodies.js";
export type { ContactLaw, Material, Model } from "./bodies/model.js";
export type { Contacts } from "./contacts/contacts.js";
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
