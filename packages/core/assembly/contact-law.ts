/** F of the law of contact, as -F(R) in the normal cone of K at R: F = [U_N + mu |U_T|, U_T] is Coulomb's. */
import { get, set } from "./memory";

/** f = F(U) of the blocks from..to-1; an equality block has F = U. */
export function lawVelocity(from: i32, to: i32, contacts: i32, mu: i32, u: i32, f: i32): void {
	for (let a: i32 = from; a < to; a += 1) {
		const u0: f64 = get(u + 3 * a);
		const u1: f64 = get(u + 3 * a + 1);
		const u2: f64 = get(u + 3 * a + 2);
		set(f + 3 * a, a < contacts ? u0 + get(mu + a) * Math.sqrt(u1 * u1 + u2 * u2) : u0);
		set(f + 3 * a + 1, u1);
		set(f + 3 * a + 2, u2);
	}
}
