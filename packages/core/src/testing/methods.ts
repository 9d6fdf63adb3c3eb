/** Names of methods by what they ask of a system, for tests that go through all of them. */
export const SWEEPS = ["gauss-seidel", "sor", "proximal-gauss-seidel"];
/** Products and projections alone; U is fresh after each iteration. */
export const FIRST_ORDER = ["jacobi", "fixed-point", "extragradient", "apgd", "spg", "admm"];
/** For problems of bounds alone, such as those without friction. */
export const BOUNDS = ["mprgp", "gpminres"];
/** Factors of Newton's kind that take problems whose W is singular. */
export const FACTORS = ["proximal-newton", "interior-point"];
export const METHODS = ["auto", "pqn", "pqn-diagonal", ...SWEEPS, ...FIRST_ORDER];
