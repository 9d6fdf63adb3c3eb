/**
 * The XDMF file beside the parts of a run, which ParaView opens: at each stored step the surfaces of bodies, their centres, and contacts with their forces.
 * It holds no numbers: each array is a range of rows of a dataset.
 */
import type { RunPart, RunReader, StepRows } from "./run-reader.js";

/** Name in ParaView, dataset, numbers per row, and where the numbers belong. */
type Attribute = readonly [string, string, number, "Int" | "Float"];

const CENTRES: readonly Attribute[] = [
	["id", "/bodies/id", 1, "Int"],
	["material", "/bodies/material", 1, "Int"],
	["shape", "/bodies/shape", 1, "Int"],
	["velocity", "/bodies/velocity", 3, "Float"],
	["spin", "/bodies/spin", 3, "Float"],
	["map", "/bodies/map", 9, "Float"],
];
const CONTACTS: readonly Attribute[] = [
	["force", "/contacts/force", 3, "Float"],
	["normal", "/contacts/normal", 3, "Float"],
	["gap", "/contacts/gap", 1, "Float"],
];
const KINDS: Readonly<Record<number, string>> = { 1: "Scalar", 3: "Vector", 9: "Tensor" };

/** `nameOf`: what the file of a part is called, as seen from the XDMF file. */
export function xdmf(run: RunReader, nameOf: (part: RunPart) => string): string {
	const grids = run.steps.map((step) => stepGrid(run, step, nameOf));
	return `<?xml version="1.0" ?>
<Xdmf Version="2.0">
<Domain>
<Grid Name="run" GridType="Collection" CollectionType="Temporal">
${grids.join("\n")}
</Grid>
</Domain>
</Xdmf>
`;
}

function stepGrid(run: RunReader, step: number, nameOf: (part: RunPart) => string): string {
	const parts = run.partsOf(step) ?? [];
	const inner = parts.flatMap((part) => {
		const rows = part.steps.get(step)!;
		const of = { part, rows, file: escaped(nameOf(part)), suffix: parts.length > 1 ? ` ${part.rank}` : "" };
		return [surfaces(of), centres(of), contacts(of)].filter((grid) => grid !== "");
	});
	return `<Grid Name="step ${step}" GridType="Collection" CollectionType="Spatial">
<Time Value="${run.timeOf(step)}"/>
${inner.join("\n")}
</Grid>`;
}

interface PartOfStep {
	readonly part: RunPart;
	readonly rows: StepRows;
	readonly file: string;
	readonly suffix: string;
}

function surfaces(of: PartOfStep): string {
	const { cells, rows } = of.rows;
	if (cells === 0) return "";
	const nodes = slab(of, "/cells/nodes", 1, rows.cells, 'NumberType="Int"');
	const points = slab(of, "/surface/point", 3, rows.surface, 'NumberType="Float" Precision="4"');
	const speed = slab(of, "/surface/velocity", 3, rows.surface, 'NumberType="Float" Precision="4"');
	return `<Grid Name="surfaces${of.suffix}">
<Topology TopologyType="Mixed" NumberOfElements="${cells}">
${nodes}
</Topology>
<Geometry GeometryType="XYZ">
${points}
</Geometry>
<Attribute Name="velocity" AttributeType="Vector" Center="Node">
${speed}
</Attribute>
</Grid>`;
}

function centres(of: PartOfStep): string {
	return points(of, `centres${of.suffix}`, "/bodies/position", of.rows.rows.bodies, CENTRES);
}

function contacts(of: PartOfStep): string {
	return points(of, `contacts${of.suffix}`, "/contacts/point", of.rows.rows.contacts, CONTACTS);
}

function points(
	of: PartOfStep,
	name: string,
	place: string,
	range: readonly [number, number],
	attributes: readonly Attribute[],
): string {
	const [, count] = range;
	if (count === 0) return "";
	const fields = attributes.map(([called, path, width, type]) => {
		const number = type === "Int" ? 'NumberType="Int"' : 'NumberType="Float" Precision="8"';
		return `<Attribute Name="${called}" AttributeType="${KINDS[width]}" Center="Node">
${slab(of, path, width, range, number)}
</Attribute>`;
	});
	return `<Grid Name="${name}">
<Topology TopologyType="Polyvertex" NumberOfElements="${count}" NodesPerElement="1"/>
<Geometry GeometryType="XYZ">
${slab(of, place, 3, range, 'NumberType="Float" Precision="8"')}
</Geometry>
${fields.join("\n")}
</Grid>`;
}

/** A range of rows of a dataset: start, stride and count, then the whole. */
function slab(
	{ part, file }: PartOfStep,
	path: string,
	width: number,
	[first, count]: readonly [number, number],
	number: string,
): string {
	const total = part.length(path);
	const [start, stride, size, whole] =
		width === 1
			? [`${first}`, "1", `${count}`, `${total}`]
			: [`${first} 0`, "1 1", `${count} ${width}`, `${total} ${width}`];
	const axes = width === 1 ? 1 : 2;
	return `<DataItem ItemType="HyperSlab" Dimensions="${size}" ${number}><DataItem Dimensions="3 ${axes}" Format="XML">${start} ${stride} ${size}</DataItem><DataItem Dimensions="${whole}" Format="HDF" ${number}>${file}:${path}</DataItem></DataItem>`;
}

function escaped(text: string): string {
	const named: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
	return text.replaceAll(/[&<>"]/g, (character) => named[character] ?? "");
}
