/**
 * The XDMF file beside the parts of a run, which ParaView opens: at each stored step the surfaces of bodies, their centres, and contacts with their forces.
 * It holds no numbers: each array is a range of rows of a dataset.
 */
import type { StepRows } from "./run-layout.js";
import type { RunPart, RunReader } from "./run-reader.js";

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

/** What of a step is in the file of a part. */
export interface PartOfStep {
	readonly rank: number;
	/** As seen from the XDMF file. */
	readonly file: string;
	readonly rows: StepRows["rows"];
	readonly cells: number;
}

export const XDMF_HEAD = `<?xml version="1.0" ?>
<Xdmf Version="2.0">
<Domain>
<Grid Name="run" GridType="Collection" CollectionType="Temporal">
`;
/** What follows the last step: whoever adds one writes it in place of this. */
export const XDMF_TAIL = `</Grid>
</Domain>
</Xdmf>
`;

/** Of all steps; `nameOf` says what the file of a part is called, as seen from the XDMF file. */
export function xdmf(run: RunReader, nameOf: (part: RunPart) => string): string {
	const grids = run.steps.map((step) => {
		const parts = (run.partsOf(step) ?? []).map((part) => {
			const { rows, cells } = part.steps.get(step)!;
			return { rank: part.rank, file: nameOf(part), rows, cells };
		});
		return xdmfStep(step, run.timeOf(step), parts);
	});
	return `${XDMF_HEAD}${grids.join("")}${XDMF_TAIL}`;
}

/** Of one step, of all parts. */
export function xdmfStep(step: number, time: number, parts: readonly PartOfStep[]): string {
	const inner = parts.flatMap((part) => {
		const of = { ...part, file: escaped(part.file), suffix: parts.length > 1 ? ` ${part.rank}` : "" };
		return [surfaces(of), centres(of), contacts(of)].filter((grid) => grid !== "");
	});
	return `<Grid Name="step ${step}" GridType="Collection" CollectionType="Spatial">
<Time Value="${time}"/>
${inner.join("\n")}
</Grid>
`;
}

interface NamedPart extends PartOfStep {
	readonly suffix: string;
}

function surfaces(of: NamedPart): string {
	const { cells, rows } = of;
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

function centres(of: NamedPart): string {
	return points(of, `centres${of.suffix}`, "/bodies/position", of.rows.bodies, CENTRES);
}

function contacts(of: NamedPart): string {
	return points(of, `contacts${of.suffix}`, "/contacts/point", of.rows.contacts, CONTACTS);
}

function points(
	of: NamedPart,
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

/** A range of rows of a dataset: start, stride and count, then the dataset up to its end. */
function slab(
	{ file }: NamedPart,
	path: string,
	width: number,
	[first, count]: readonly [number, number],
	number: string,
): string {
	const total = first + count;
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
