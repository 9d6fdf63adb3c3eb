/** Problems and values to be sent to a rank: only what a solve reads, without unused memory. */
import { type BlockMatrix, type CsrMatrix, InputError, type NewValues, type Problem } from "@stickslip/core";

/** Codes of laws are bytes. */
type Numbers = Float64Array | Int32Array | Uint8Array;

/** A view of a larger buffer would be sent with all of it; shared memory is not moved. */
function own<Values extends Numbers>(values: Values): Values {
	const isPart = values.buffer instanceof ArrayBuffer && values.byteLength < values.buffer.byteLength;
	return isPart ? (values.slice() as Values) : values;
}

/** Anything else is refused when the problem is checked. */
function isNumbers(value: unknown): value is Numbers {
	return value instanceof Float64Array || value instanceof Int32Array || value instanceof Uint8Array;
}

/** The same fields, where none of them has to be copied. */
export function plain<Fields extends object>(fields: Fields): Fields {
	let copy: Fields | undefined;
	for (const name in fields) {
		const value = fields[name];
		if (!isNumbers(value)) continue;
		const numbers = own(value);
		if (numbers === value) continue;
		copy ??= { ...fields };
		copy[name] = numbers;
	}
	return copy ?? fields;
}

function plainMatrix<Matrix extends BlockMatrix | CsrMatrix>(matrix: Matrix): Matrix {
	if (typeof matrix !== "object" || matrix === null) return matrix;
	if (Object.getPrototypeOf(matrix) === Object.prototype) return plain(matrix);
	// Values may be formed when they are asked for.
	const { rowStart, column, values } = matrix;
	return plain({ ...matrix, rowStart, column, values });
}

export function plainProblem(problem: Problem): Problem {
	return requirePlain("problem", plainCopy(problem));
}

function plainCopy(problem: Problem): Problem {
	const { name, contacts, q, mu, laws, W, rigid, global, equalities, geometry, guesses } = problem;
	return plain({
		name,
		contacts,
		q,
		mu,
		...(laws && { laws: plain(laws) }),
		...(W && { W: plainMatrix(W) }),
		...(rigid && { rigid: plain(rigid) }),
		...(global && {
			global: plain({
				...global,
				M: plainMatrix(global.M),
				H: plainMatrix(global.H),
				...(global.G && { G: plainMatrix(global.G) }),
			}),
		}),
		...(equalities && {
			equalities: plain({ ...equalities, V: plainMatrix(equalities.V), R: plainMatrix(equalities.R) }),
		}),
		...(geometry?.point && { geometry: { point: own(geometry.point) } }),
		...(Array.isArray(guesses) && { guesses: guesses.slice(0, 1).map(plain) }),
	});
}

/**
 * Throws an InputError for values that cannot be sent to a rank: arrays of other types, functions. The content of plain data is checked where it is used.
 */
export function requirePlain<Value>(source: string, value: Value, path = ""): Value {
	const refuse = (problem: string, remedy: string): never => {
		throw new InputError(source, path === "" ? source : path, problem, remedy);
	};
	if (typeof value === "function" || typeof value === "symbol" || typeof value === "bigint") {
		refuse(`is a ${typeof value}`, "give plain data");
	}
	if (typeof value !== "object" || value === null || isNumbers(value) || Array.isArray(value)) return value;
	if (ArrayBuffer.isView(value))
		refuse(`is a ${value.constructor.name}`, "give a Float64Array; of indices an Int32Array");
	for (const [name, each] of Object.entries(value)) requirePlain(source, each, path === "" ? name : `${path}.${name}`);
	return value;
}

export function plainValues(values: NewValues): NewValues {
	return requirePlain("values", plainShallow(values));
}

function plainShallow(values: NewValues): NewValues {
	return plain({ ...values, ...(values.rigid && { rigid: plain(values.rigid) }) });
}
