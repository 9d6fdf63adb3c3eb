/** The product that the solvers use, on their own memory, timed in this process. */
import { makeProduct, type Problem, type ProductOptions } from "@stickslip/core";

export interface Ours {
	/** Of the operator. */
	readonly bytes: number;
	/** Nanoseconds of one of `count` products, after one that is not timed. */
	run(count: number): number;
	/** As Window.sum. */
	sum(): number;
}

export function ours(problem: Problem, x: Float64Array, options: ProductOptions): Ours {
	const product = makeProduct(problem, options);
	const { input, output, order } = product;
	for (let at = 0; at < order.length; at += 1) {
		const from = 3 * (order[at] ?? 0);
		input.set(x.subarray(from, from + 3), 3 * at);
	}
	return {
		bytes: product.bytes,
		run(count) {
			product.multiply();
			const before = performance.now();
			for (let i = 0; i < count; i += 1) product.multiply();
			return (1e6 * (performance.now() - before)) / count;
		},
		sum() {
			let sum = 0;
			for (let at = 0; at < order.length; at += 1) {
				const first = 3 * (order[at] ?? 0);
				for (let i = 0; i < 3; i += 1) sum += (output[3 * at + i] ?? 0) * (1 + ((first + i) % 7));
			}
			return sum;
		},
	};
}
