/** What a law does to one contact, whose numbers stand at p, mu first. */

/** Numbers of a contact. */
export const PARAMETERS: i32 = 8;

/** The law of two blocks, which has loops of its own (rolling-ranges.ts). */
export const ROLLING: i32 = 8;

/** y <- proj_K(z) */
export type Project = (p: i32, z0: f64, z1: f64, z2: f64, y: i32) => void;
/** f <- F(u); f may be u. */
export type Velocity = (p: i32, u: i32, f: i32) => void;
/** R at r, where the last one stands, for U = W_aa R + b; there is scratch for 16 numbers. */
export type Solve = (w: i32, p: i32, b0: f64, b1: f64, b2: f64, r: i32, scratch: i32) => void;
/** C, X and Y as contactResidual of smoothing.ts. */
export type Residual = (p: i32, omega: f64, r: i32, u: i32, c: i32, x: i32, y: i32) => void;
