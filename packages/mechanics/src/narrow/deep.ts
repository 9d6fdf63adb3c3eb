/** The signed distance of pieces that overlap by more than their curvature: f has several maxima then, and the climb starts from many directions. */
import { climb } from "./climb.js";
import { evaluate, type Separation } from "./separation.js";

/** The directions of whole numbers from -2 to 2 without common divisor: 98, close to evenly spread. */
const directions = latticeDirections();
const STARTS = 8;

function latticeDirections(): Float64Array {
	const list: number[] = [];
	for (let x = -2; x <= 2; x++) {
		for (let y = -2; y <= 2; y++) {
			for (let z = -2; z <= 2; z++) {
				if (x % 2 === 0 && y % 2 === 0 && z % 2 === 0) continue;
				const length = Math.sqrt(x * x + y * y + z * z);
				list.push(x / length, y / length, z / length);
			}
		}
	}
	return Float64Array.from(list);
}

const values = new Float64Array(STARTS);
const starts = new Float64Array(3 * STARTS);
const best = new Float64Array(3);

/** Climbs from `n` and from the best of many directions; `n` ends where f is highest. */
export function deepest(p: Separation): number {
	let count = 0;
	const keep = (x: number, y: number, z: number) => {
		p.n[0] = x;
		p.n[1] = y;
		p.n[2] = z;
		const value = evaluate(p);
		if (count === STARTS && value <= values[count - 1]!) return;
		if (count < STARTS) count++;
		let k = count - 1;
		for (; k > 0 && values[k - 1]! < value; k--) {
			values[k] = values[k - 1]!;
			starts.copyWithin(3 * k, 3 * k - 3, 3 * k);
		}
		values[k] = value;
		starts.set(p.n, 3 * k);
	};
	keep(p.n[0]!, p.n[1]!, p.n[2]!);
	for (let k = 0; k < directions.length; k += 3) keep(directions[k]!, directions[k + 1]!, directions[k + 2]!);
	let highest = Number.NEGATIVE_INFINITY;
	for (let k = 0; k < count; k++) {
		p.n.set(starts.subarray(3 * k, 3 * k + 3));
		const value = climb(p, Number.POSITIVE_INFINITY);
		if (value <= highest) continue;
		highest = value;
		best.set(p.n);
	}
	p.n.set(best);
	return climb(p, Number.POSITIVE_INFINITY);
}
