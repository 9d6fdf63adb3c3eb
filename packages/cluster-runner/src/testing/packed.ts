/** FCLIB files as other writers may store them: chunked and compressed, so that only HDF5 can read them. */
import { Dataset, File, Group, ready } from "h5wasm/node";

/** Copies the numbers of an FCLIB file, without texts; arrays are stored in compressed chunks of this many elements. */
export async function packFile(from: string, to: string, chunk: number): Promise<void> {
	await ready;
	const source = new File(from, "r");
	const target = new File(to, "w");
	try {
		copyGroup(source, target, chunk);
	} finally {
		source.close();
		target.close();
	}
}

function copyGroup(source: Group, target: Group, chunk: number): void {
	for (const name of source.keys()) {
		const entry = source.get(name);
		if (entry instanceof Group) copyGroup(entry, target.create_group(name), chunk);
		else if (entry instanceof Dataset) copyDataset(name, entry, target, chunk);
	}
}

function copyDataset(name: string, { value, shape, dtype }: Dataset, target: Group, chunk: number): void {
	if (typeof value === "string" || Array.isArray(value) || shape === null) return;
	const data = value as Float64Array;
	const isLong = shape.length === 1 && shape[0]! > 1;
	const packing = isLong ? { chunks: [Math.min(chunk, shape[0]!)], compression: "gzip" as const } : {};
	target.create_dataset({ name, data, shape, dtype: dtype as string, ...packing });
}
