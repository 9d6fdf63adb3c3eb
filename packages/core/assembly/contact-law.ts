/** F of the law of contact, as -F(R) in the normal cone of K at R: F = [U_N + mu |U_T|, U_T] is Coulomb's. */
import { get, set } from "./memory";

/** f = F(U) of one contact; f may be u. */
export function coulombVelocity(mu: f64, u: i32, f: i32): void {
	const u1: f64 = get(u + 1);
	const u2: f64 = get(u + 2);
	set(f, get(u) + mu * Math.sqrt(u1 * u1 + u2 * u2));
	set(f + 1, u1);
	set(f + 2, u2);
}

/** f = F(U) of the blocks from..to-1; an equality block has F = U. */
export function lawVelocity(from: i32, to: i32, contacts: i32, mu: i32, u: i32, f: i32): void {
	for (let a: i32 = from; a < to; a += 1) {
		const ua: i32 = u + 3 * a;
		const fa: i32 = f + 3 * a;
		if (a < contacts) {
			coulombVelocity(get(mu + a), ua, fa);
			continue;
		}
		for (let i: i32 = 0; i < 3; i += 1) set(fa + i, get(ua + i));
	}
}
