/** A problem as named arrays and back: the names are the paths of the problem's own fields (docs/protocol.md). */
import {
	type BlockMatrix,
	type ContactLaws,
	type CsrMatrix,
	InputError,
	LAWS,
	type Problem,
	type RigidContacts,
} from "@stickslip/core";
import type { NamedArrays, NumberArray } from "./frames.js";

const RIGID = ["body", "frame", "arm", "inverseMass", "inverseInertia"] as const;

/** The arrays of a problem: what of it the service needs. Names and guesses stay here. */
export function toArrays({
	q,
	mu,
	W,
	rigid,
	global,
	equalities,
	geometry,
	laws,
}: Partial<Problem>): Map<string, NumberArray> {
	const arrays = new Map<string, NumberArray>();
	const put = (name: string, array: NumberArray | undefined) => array && arrays.set(name, array);
	// A matrix may have room for more entries than it has.
	const putMatrix = (name: string, matrix: BlockMatrix | CsrMatrix | undefined, size = 1) => {
		if (matrix === undefined) return;
		const used = matrix.rowStart[matrix.rows] ?? 0;
		put(`${name}.rowStart`, matrix.rowStart.subarray(0, matrix.rows + 1));
		put(`${name}.column`, matrix.column.subarray(0, used));
		put(`${name}.values`, matrix.values.subarray(0, size * used));
	};
	put("q", q);
	put("mu", mu);
	putMatrix("W", W, 9);
	for (const field of RIGID) put(`rigid.${field}`, rigid?.[field]);
	for (const name of ["M", "H", "G"] as const) putMatrix(`global.${name}`, global?.[name]);
	for (const name of ["f", "w", "b"] as const) put(`global.${name}`, global?.[name]);
	putMatrix("equalities.V", equalities?.V);
	putMatrix("equalities.R", equalities?.R);
	put("equalities.s", equalities?.s);
	put("geometry.point", geometry?.point);
	put("laws.law", laws && Int32Array.from(laws.law));
	put("laws.parameters", laws?.parameters);
	return arrays;
}

const INTEGERS = /\.(?:rowStart|column|body)$/;

/** Takes arrays by name, each as the type that it has to be. */
export class ArrayReader {
	readonly #arrays: NamedArrays;
	readonly #taken = new Set<string>();

	constructor(arrays: NamedArrays) {
		this.#arrays = arrays;
	}

	has(prefix: string): boolean {
		return [...this.#arrays.keys()].some((name) => name.startsWith(prefix));
	}

	integers(name: string): Int32Array {
		return this.#take(name, Int32Array, "i32");
	}

	numbers(name: string): Float64Array {
		return this.#take(name, Float64Array, "f64");
	}

	csr(name: string, columns: number): CsrMatrix {
		const { rows, rowStart, column, values } = this.blocks(name);
		return { rows, columns, rowStart, column, values };
	}

	blocks(name: string): BlockMatrix {
		const rowStart = this.integers(`${name}.rowStart`);
		const rows = Math.max(0, rowStart.length - 1);
		return { rows, rowStart, column: this.integers(`${name}.column`), values: this.numbers(`${name}.values`) };
	}

	laws(): ContactLaws {
		const codes = this.integers("laws.law");
		const wrong = codes.findIndex((code) => code < 0 || code >= LAWS.length);
		if (wrong >= 0) {
			const remedy = `use the codes of laws, 0 to ${LAWS.length - 1}`;
			throw new InputError("problem", `laws.law[${wrong}]`, `is ${codes[wrong]}`, remedy);
		}
		return { law: Uint8Array.from(codes), parameters: this.numbers("laws.parameters") };
	}

	/** Refuses arrays that nobody took. */
	end(): void {
		const [unknown] = [...this.#arrays.keys()].filter((name) => !this.#taken.has(name));
		if (unknown !== undefined) throw new InputError("problem", unknown, "is not an array of a problem", "leave it out");
	}

	#take<Kind extends NumberArray>(name: string, type: new () => Kind, typeName: string): Kind {
		const array = this.#arrays.get(name);
		if (array === undefined) throw new InputError("problem", name, "is missing", `send it as ${typeName}`);
		if (!(array instanceof type)) throw new InputError("problem", name, `is not ${typeName}`, `send it as ${typeName}`);
		this.#taken.add(name);
		return array;
	}
}

/** The problem that arrays are of. Throws an InputError that names the array that is missing, of another type, or too much. */
export function fromArrays(name: string, contacts: number, arrays: NamedArrays): Problem {
	const taker = new ArrayReader(arrays);
	const [q, mu] = [taker.numbers("q"), taker.numbers("mu")];
	const problem: { -readonly [Field in keyof Problem]: Problem[Field] } = { name, contacts, q, mu };
	if (taker.has("W.")) problem.W = taker.blocks("W");
	if (taker.has("rigid.")) {
		const rigid: Partial<Record<keyof RigidContacts, NumberArray>> = {};
		for (const field of RIGID) {
			const path = `rigid.${field}`;
			rigid[field] = INTEGERS.test(path) ? taker.integers(path) : taker.numbers(path);
		}
		problem.rigid = rigid as unknown as RigidContacts;
	}
	if (taker.has("global.")) {
		const [f, w] = [taker.numbers("global.f"), taker.numbers("global.w")];
		const b = taker.has("global.G.") ? taker.numbers("global.b") : undefined;
		const [M, H] = [taker.csr("global.M", f.length), taker.csr("global.H", 3 * contacts)];
		problem.global = { M, H, f, w, ...(b && { G: taker.csr("global.G", b.length), b }) };
	}
	if (taker.has("equalities.")) {
		const s = taker.numbers("equalities.s");
		const [V, R] = [taker.csr("equalities.V", s.length), taker.csr("equalities.R", s.length)];
		problem.equalities = { count: s.length, V, R, s };
	}
	if (taker.has("geometry.")) problem.geometry = { point: taker.numbers("geometry.point") };
	if (taker.has("laws.")) problem.laws = taker.laws();
	taker.end();
	return problem;
}
