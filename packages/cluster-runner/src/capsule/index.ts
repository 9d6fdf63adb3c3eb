/** The failure capsule: written where a solve ends badly, replayed anywhere. */
export { Attempt, type CapsuleTarget, capsuleTarget, requireFolder, solveInput } from "./attempt.js";
export { isCapsule } from "./read.js";
export { writeCapsule } from "./write.js";
