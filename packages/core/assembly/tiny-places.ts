/**
 * Where everything stands of a problem of a few contacts, in numbers from one base: with fixed places nothing is allocated for it.
 * Integers stand in numbers' room, two in each.
 */

/** The most contacts: their colours and neighbours are bits of one integer. */
export const TINY_CONTACTS: i32 = 32;
/** Numbers of a vector: three per contact. */
export const VECTOR: i32 = 96;
/** The most sweeps that are mixed. */
export const WINDOW: i32 = 5;

// Given, by id: the rows of W, q, friction, and the random order of ids in which colours are given.
export const ROW_START: i32 = 0;
export const COLUMN: i32 = 24;
export const BLOCKS: i32 = 536;
export const FREE: i32 = 9752;
export const FRICTION: i32 = 9848;
export const SEQUENCE: i32 = 9880;

// The layout: ids by place, places by id, colours by id, and what they are found with.
export const ORDER: i32 = 9896;
export const PLACE: i32 = 9912;
export const COLOUR: i32 = 9928;
export const NEIGHBOURS: i32 = 9944;
export const SIZE: i32 = 9960;
export const LIST: i32 = 9976;

// W in SELL-2, and what sweeps need of each contact.
export const PAIR_START: i32 = 9992;
export const FLAGS: i32 = 10008;
export const SLOT_COLUMN: i32 = 10016;
export const SLOT_VALUES: i32 = 10528;
export const SCALE: i32 = 19744;
export const MU: i32 = 19776;
export const W: i32 = 19808;
export const Q: i32 = 20096;
export const U: i32 = 20192;
export const R: i32 = 20288;
export const SWEEP_START: i32 = 20384;

// Anderson's window, in the order in which Anderson has it.
export const RESIDUAL: i32 = 20480;
export const LAST_RESIDUAL: i32 = 20576;
export const LAST_ITERATE: i32 = 20672;
export const RESIDUAL_DIFFERENCES: i32 = 20768;
export const ITERATE_DIFFERENCES: i32 = 21248;
export const GAMMA: i32 = 21728;
export const GRAM: i32 = 21736;
export const RIGHT_HAND_SIDE: i32 = 21768;
export const FACTOR: i32 = 21776;

// Sums and their scratch.
export const SUMS: i32 = 21808;
export const MEASURE_SUMS: i32 = 21872;
export const TERMS: i32 = 21920;
export const SCRATCH: i32 = 22176;

/** What a kernel hands out: see tiny.ts. */
export const RESULT: i32 = 22368;
/** Denominators of the measures, kept between kernels. */
export const ENERGY_FREE: i32 = 22384;
export const MERIT_FREE: i32 = 22385;
export const FREE_NORM: i32 = 22386;

// Of bodies (tiny-bodies.ts), by contact: two bodies each, frames, arms, levers, the reactions to start from and the answer; by body: inverse masses and inertias.
/** The most bodies. */
export const TINY_BODIES: i32 = 64;
export const BODY: i32 = 22392;
export const FRAME: i32 = 22424;
export const ARM: i32 = 22712;
export const LEVER: i32 = 22904;
export const GIVEN: i32 = 23480;
export const MASS: i32 = 23576;
export const INERTIA: i32 = 23640;

export const TINY_NUMBERS: i32 = 24024;
