/** `npm test -- --thorough` takes what `npm test` leaves out to stay quick. */
export const isThorough = process.env.STICKSLIP_THOROUGH === "1";
