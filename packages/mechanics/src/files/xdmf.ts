/**
 * The XDMF file beside the parts of a run, which ParaView opens: at each stored step the surfaces of bodies, their centres, and contacts with their forces.
 * It holds no numbers: each array is a range of rows of a dataset, or what VTK makes of some.
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
const MOMENT: Attribute = ["moment", "/contacts/moment", 3, "Float"];
const KINDS: Readonly<Record<number, string>> = { 1: "Scalar", 3: "Vector", 9: "Tensor" };

/** What of a step is in the file of a part. */
export interface PartOfStep {
	readonly rank: number;
	/** As seen from the XDMF file. */
	readonly file: string;
	readonly rows: StepRows["rows"];
	readonly cells: number;
	/** Of all shapes. */
	readonly corners: number;
	/** Whether contacts have moments there. */
	readonly hasMoments: boolean;
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
			const { rows, cells, corners } = part.steps.get(step)!;
			const hasMoments = part.has(MOMENT[1]);
			return { rank: part.rank, file: nameOf(part), rows, cells, corners, hasMoments };
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

const INT = 'NumberType="Int"';
const SINGLE = 'NumberType="Float" Precision="4"';
const DOUBLE = 'NumberType="Float" Precision="8"';

/** x = centre + map X, number by number. VTK takes at most 512 characters with names of 24 in place of each $, and reads "+1" as a number. */
const PLACED = "$0[$1] + $2[$1 * 3] * $3[$4] + $2[$1 * 3 + 1] * $3[$4 + 1] + $2[$1 * 3 + 2] * $3[$4 + 2]";

function surfaces(of: NamedPart): string {
	const { cells, rows, corners } = of;
	if (cells === 0) return "";
	const [, count] = rows.surface;
	const nodes = slab(of, "/cells/nodes", 1, rows.cells, INT);
	const place = slab(of, "/surface/place", 3, rows.surface, INT);
	const centre = slab(of, "/bodies/position", 3, rows.bodies, DOUBLE);
	const map = slab(of, "/bodies/map", 9, rows.bodies, DOUBLE);
	const corner = slab(of, "/surface/corner", 3, [0, corners], SINGLE);
	const source = slab(of, "/surface/source", 3, rows.surface, INT);
	const points = computed(PLACED, `${count} 3`, DOUBLE, [centre, place, map, corner, source]);
	const velocity = computed("$0[$1 + 0]", `${count} 3`, DOUBLE, [
		slab(of, "/bodies/velocity", 3, rows.bodies, DOUBLE),
		place,
	]);
	// VTK makes a number of an array with one element.
	const ids = computed(rows.bodies[1] === 1 ? "$1 * 0 + $0" : "$0[$1 / 3]", `${count}`, INT, [
		slab(of, "/bodies/id", 1, rows.bodies, INT),
		slab(of, "/surface/place", 3, rows.surface, INT, 1),
	]);
	return `<Grid Name="surfaces${of.suffix}">
<Topology TopologyType="Mixed" NumberOfElements="${cells}">
${nodes}
</Topology>
<Geometry GeometryType="XYZ">
${points}
</Geometry>
<Attribute Name="velocity" AttributeType="Vector" Center="Node">
${velocity}
</Attribute>
<Attribute Name="id" AttributeType="Scalar" Center="Node">
${ids}
</Attribute>
</Grid>`;
}

function centres(of: NamedPart): string {
	return points(of, `centres${of.suffix}`, "/bodies/position", of.rows.bodies, CENTRES);
}

function contacts(of: NamedPart): string {
	const fields = of.hasMoments ? [...CONTACTS, MOMENT] : CONTACTS;
	return points(of, `contacts${of.suffix}`, "/contacts/point", of.rows.contacts, fields);
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
		const number = type === "Int" ? INT : DOUBLE;
		return `<Attribute Name="${called}" AttributeType="${KINDS[width]}" Center="Node">
${slab(of, path, width, range, number)}
</Attribute>`;
	});
	return `<Grid Name="${name}">
<Topology TopologyType="Polyvertex" NumberOfElements="${count}" NodesPerElement="1"/>
<Geometry GeometryType="XYZ">
${slab(of, place, 3, range, DOUBLE)}
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
	columns = width,
): string {
	const total = first + count;
	const [start, stride, size, whole] =
		width === 1
			? [`${first}`, "1", `${count}`, `${total}`]
			: [`${first} 0`, "1 1", `${count} ${columns}`, `${total} ${width}`];
	const axes = width === 1 ? 1 : 2;
	return `<DataItem ItemType="HyperSlab" Dimensions="${size}" ${number}><DataItem Dimensions="3 ${axes}" Format="XML">${start} ${stride} ${size}</DataItem><DataItem Dimensions="${whole}" Format="HDF" ${number}>${file}:${path}</DataItem></DataItem>`;
}

/** What VTK's own language makes of some arrays. */
function computed(text: string, size: string, number: string, arrays: readonly string[]): string {
	return `<DataItem ItemType="Function" Dimensions="${size}" ${number} Function="${text}">${arrays.join("")}</DataItem>`;
}

function escaped(text: string): string {
	const named: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
	return text.replaceAll(/[&<>"]/g, (character) => named[character] ?? "");
}
