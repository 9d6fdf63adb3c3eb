/** Totals of binned sums without leaving WebAssembly: what src/sums/reducer.ts makes of them on one rank. */
import { LAST_BIN } from "./bins";
import { get, set } from "./memory";

const FIRST_TOP: f64 = 2;

/** The total, and the sum is made ready for the next one: its top bin is what that one tries first (src/sums/sums.ts). */
export function total(sum: i32): f64 {
	const top: f64 = get(sum);
	const whole: f64 = get(sum + 2) + get(sum + 3) + (get(sum + 4) + get(sum + 5) + (get(sum + 6) + get(sum + 7)));
	const isFinite: boolean = top <= (LAST_BIN as f64);
	set(sum, FIRST_TOP);
	set(sum + 1, isFinite && top >= FIRST_TOP ? top : FIRST_TOP);
	for (let i: i32 = 2; i < 8; i += 1) set(sum + i, 0);
	return isFinite ? whole : NaN;
}
