/** `npm test -- --thorough` takes every size, seed and late rank; without it a choice that leaves out repetitions, not cases. */
export const isThorough = process.env.STICKSLIP_THOROUGH === "1";
