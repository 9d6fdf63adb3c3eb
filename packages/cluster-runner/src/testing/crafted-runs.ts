/** Run files whose datasets, types, shapes, numbers and texts were changed from a seed, and written with valid checksums: HDF5 finds nothing wrong. */
import type { Random } from "@stickslip/core";
import { Dataset, File } from "h5wasm/node";

type Numbers = Int32Array | Float32Array | Float64Array | BigInt64Array;

/** A dataset as it is written. */
interface Node {
	readonly path: string;
	values: string | Numbers;
	/** Undefined for a scalar. */
	shape: number[] | undefined;
}

/** All datasets of a file. */
export function readTree(path: string): Node[] {
	const file = new File(path, "r");
	try {
		return file.paths().flatMap((name): Node[] => {
			const dataset = file.get(name);
			if (!(dataset instanceof Dataset)) return [];
			const { value, shape } = dataset;
			if (typeof value === "string") return [{ path: `/${name}`, values: value, shape: undefined }];
			return [{ path: `/${name}`, values: (value as Numbers).slice(), shape: [...(shape ?? [])] }];
		});
	} finally {
		file.close();
	}
}

export function writeTree(path: string, nodes: readonly Node[]): void {
	const file = new File(path, "w");
	try {
		for (const { path: name, values, shape } of nodes) {
			for (let at = name.indexOf("/", 1); at > 0; at = name.indexOf("/", at + 1)) {
				if (file.get(name.slice(0, at)) === null) file.create_group(name.slice(0, at));
			}
			if (typeof values === "string") {
				file.create_dataset({ name, data: values, shape: [], dtype: `S${Math.max(1, values.length)}` });
			} else file.create_dataset({ name, data: values, shape: shape ?? [] });
		}
	} finally {
		file.close();
	}
}

/** One to three changes. */
export function changeTree(nodes: Node[], random: Random): Node[] {
	let changed = nodes.map((node) => ({
		...node,
		values: typeof node.values === "string" ? node.values : node.values.slice(),
	}));
	for (let times = 1 + random.below(3); times > 0; times -= 1) {
		const place = random.below(changed.length);
		const node = changed[place]!;
		const way = random.below(10);
		if (way === 0) changed = changed.filter((each) => each !== node);
		else if (way === 1) retype(node, random);
		else if (way === 2) reshape(node, random);
		else if (typeof node.values === "string") node.values = changeText(node.values, random);
		else changeNumbers(node.values, random);
	}
	return changed;
}

const REALS = [0, -1, 1e308, -1e308, 5e-324, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53] as const;
const INTEGERS = [0, 1, -1, 2 ** 31 - 1, -(2 ** 31), 7, 1000] as const;
const LARGE = [0n, 1n, -1n, 2n ** 31n, 2n ** 53n, 2n ** 63n - 1n, -(2n ** 63n), 7n] as const;

function pick<Value>(values: readonly Value[], random: Random): Value {
	return values[random.below(values.length)]!;
}

function changeNumbers(values: Numbers, random: Random): void {
	if (values.length === 0) return;
	const at = random.below(values.length);
	if (values instanceof Float64Array || values instanceof Float32Array) values[at] = pick(REALS, random);
	else if (values instanceof Int32Array) values[at] = pick(INTEGERS, random);
	else values[at] = pick(LARGE, random);
	if (random.below(4) === 0) values.fill(values[at] as never);
}

function retype(node: Node, random: Random): void {
	const kinds = [Int32Array, Float64Array] as const;
	const length = typeof node.values === "string" ? 1 : node.values.length;
	if (typeof node.values !== "string" && random.below(5) === 0) {
		node.values = "text";
		node.shape = undefined;
		return;
	}
	node.values = new (pick(kinds, random))(length);
	node.shape ??= [1];
}

function reshape(node: Node, random: Random): void {
	if (typeof node.values === "string") {
		node.values = "";
		return;
	}
	const { length } = node.values;
	const shapes = [[length], [1, length], [length, 1], [length, 1, 1], [0], [0, 3], [Math.floor(length / 2)]];
	const shape = pick(shapes, random);
	node.shape = shape;
	node.values = node.values.slice(
		0,
		shape.reduce((product, side) => product * side, 1),
	);
}

/** JSON with one value changed, or text with one letter changed. */
function changeText(text: string, random: Random): string {
	if (text.startsWith("{") || text.startsWith("[")) {
		const value = JSON.parse(text) as unknown;
		if (random.below(5) > 0) return JSON.stringify(changeJson(value, random));
	}
	const at = random.below(text.length + 1);
	return text.slice(0, at) + pick(["", "{", '"', ",", "\u0001", "0"], random) + text.slice(at + random.below(3));
}

function changeJson(value: unknown, random: Random): unknown {
	if (typeof value !== "object" || value === null || random.below(6) === 0) {
		return pick([null, 0, -1, 1e300, "text", "", [], {}, true, [1, 2, 3], { kind: "sphere" }], random);
	}
	const keys = Object.keys(value);
	if (keys.length === 0) return [null];
	const key = pick(keys, random);
	const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...value }) as Record<string, unknown>;
	if (random.below(6) === 0) {
		if (Array.isArray(copy)) copy.splice(Number(key), 1);
		else delete copy[key];
	} else copy[key] = changeJson(copy[key], random);
	return copy;
}
