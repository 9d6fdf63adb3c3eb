/** The failure capsule: written when a solve fails, replayed anywhere. */
export { Attempt, type CapsuleTarget, capsuleTarget, requireFolder, solveInput } from "./attempt.js";
export { isCapsule } from "./read.js";
export { writeCapsule } from "./write.js";
