/** What holds in all directions, as a ball joint does: K is the whole space, F = U, so that U = 0 is wanted. */
import { solveFree } from "../local";
import { get, set } from "../memory";

export function project(_p: i32, z0: f64, z1: f64, z2: f64, y: i32): void {
	set(y, z0);
	set(y + 1, z1);
	set(y + 2, z2);
}

export function velocity(_p: i32, u: i32, f: i32): void {
	for (let i: i32 = 0; i < 3; i += 1) set(f + i, get(u + i));
}

export function solve(w: i32, _p: i32, b0: f64, b1: f64, b2: f64, r: i32, _scratch: i32): void {
	solveFree(w, b0, b1, b2, r);
}

export function residual(_p: i32, _omega: f64, _r: i32, u: i32, c: i32, x: i32, y: i32): void {
	for (let i: i32 = 0; i < 3; i += 1) set(c + i, get(u + i));
	if (x < 0) return;
	for (let k: i32 = 0; k < 9; k += 1) {
		set(x + k, k % 4 == 0 ? 1 : 0);
		set(y + k, 0);
	}
}
