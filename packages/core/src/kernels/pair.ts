/** Two contacts that do not couple, by the scalar code: assembly/pair.ts does the same with a contact per SIMD lane, to the bit. */
import { visit } from "./generated/sweep.js";

export function visitPair(a: number, alpha: number, q: number, w: number, mu: number, r: number, u: number): void {
	visit(a, a + 2, 1, alpha, 0, q, w, mu, r, u, u + 6);
	visit(a + 1, a + 2, 1, alpha, 0, q, w, mu, r, u + 3, u + 6);
}
