/** The failure capsule: written where a solve ends badly, replayed anywhere. */
export { Attempt, keepingOf, requireFolder, sourceOf } from "./keep.js";
export { isCapsule } from "./read.js";
