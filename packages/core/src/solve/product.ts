/**
 * W as a function of its own: for callers that need U = W R + q without a solve, and for measuring products. Input and output
 * are the arrays the kernel itself works on, in storage order: nothing is copied, and `order` says which contact is where.
 */
import type { Problem } from "../problem/problem.js";
import { validateProblem } from "../problem/validate.js";
import { type SystemOptions, systemDefaults, systemOf } from "../system/system.js";

export interface ProductOptions {
	/** auto (default), assembled, matrix-free or global. */
	readonly operator?: SystemOptions["operator"];
	/** The storage order: coloured (default), shuffled or file. */
	readonly order?: SystemOptions["order"];
	/** wasm (default), or its TypeScript twin. */
	readonly engine?: SystemOptions["engine"];
}

export interface Product {
	readonly kind: "assembled" | "matrix-free" | "global";
	/** Bytes of the operator, beyond the problem it was made of. */
	readonly bytes: number;
	/** Three numbers per block, padded with zeros that have to stay zeros. */
	readonly input: Float64Array;
	readonly output: Float64Array;
	/** The contact at each storage place. */
	readonly order: Int32Array;
	/** output = W input. */
	multiply(): void;
}

/** The product with the problem's W, in the problem's own units. */
export function makeProduct(problem: Problem, options: ProductOptions = {}): Product {
	validateProblem(problem);
	const system = systemOf(problem, { ...systemDefaults, ...options, scaling: 1 });
	const { operator, share } = system;
	const [x, y] = [system.operand(), system.vector()];
	return {
		kind: operator.kind,
		bytes: operator.bytes,
		input: x.values,
		output: y.values,
		order: share.ids,
		multiply: () => operator.apply(x, y),
	};
}
