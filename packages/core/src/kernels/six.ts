/** 6x6 blocks in plain TypeScript: assembly/six.ts says what they are, to the bit. */
import { get, set } from "./memory.js";

/** C <- C - A B. */
export function subtractProduct(a: number, b: number, c: number): void {
	for (let j = 0; j < 36; j += 6) subtractTimes(a, b + j, c + j);
}

/** x <- x - A y. */
export function subtractTimes(a: number, y: number, x: number): void {
	for (let i = 0; i < 6; i += 1) {
		let sum = get(x + i);
		for (let k = 0; k < 6; k += 1) sum -= get(a + 6 * k + i) * get(y + k);
		set(x + i, sum);
	}
}
