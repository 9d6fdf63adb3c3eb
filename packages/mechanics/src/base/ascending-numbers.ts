/** 0, 1, 2, ...: the order of what is in order already, in an array that all who ask for it share. Nobody writes to it. */
import { grown } from "./grow.js";
import { KeptView } from "./kept-view.js";

let numbers: Int32Array = new Int32Array(0);
const first = new KeptView<Int32Array>();

export function ascendingNumbers(count: number): Int32Array {
	const known = numbers.length;
	numbers = grown(numbers, count);
	for (let i = known; i < numbers.length; i += 1) numbers[i] = i;
	return first.of(numbers, 0, count);
}
