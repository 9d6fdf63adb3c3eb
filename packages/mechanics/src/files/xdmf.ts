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

/** Series over time, each a collection of its own, so that its block has the same name at all steps. */
export const XDMF_SERIES = ["surfaces", "centres", "contacts"] as const;
export type XdmfSeries = (typeof XDMF_SERIES)[number];
/** Grids of each series, one step after another. */
export type XdmfGrids = Readonly<Record<XdmfSeries, string>>;

/** Text behind the last grid of a series. */
export const XDMF_SERIES_TAIL = "</Grid>\n";

/** Text before the first grid of a series; no other series has it. */
export function xdmfSeriesHead(series: XdmfSeries): string {
	return `<Grid Name="${series}" GridType="Collection" CollectionType="Temporal">\n`;
}

/** The whole file; `room` is the number of blanks behind each series, where grids can be added. */
export function xdmfText(grids: XdmfGrids, room = 0): string {
	const series = XDMF_SERIES.map(
		(name) => `${xdmfSeriesHead(name)}${grids[name]}${XDMF_SERIES_TAIL}${" ".repeat(room)}`,
	);
	return `<?xml version="1.0" ?>\n<Xdmf Version="2.0">\n<Domain>\n${series.join("")}</Domain>\n</Xdmf>\n`;
}

/** Text of all steps; `nameOf` returns the name of the file of a part, as seen from the XDMF file. */
export function xdmf(run: RunReader, nameOf: (part: RunPart) => string): string {
	const steps = run.steps.map((step) => {
		const parts = (run.partsOf(step) ?? []).map((part) => {
			const { rows, cells, corners } = part.steps.get(step)!;
			const hasMoments = part.has(MOMENT[1]);
			return { rank: part.rank, file: nameOf(part), rows, cells, corners, hasMoments };
		});
		return xdmfStep(run.timeOf(step), parts);
	});
	const joined = (series: XdmfSeries) => steps.map((grids) => grids[series]).join("");
	return xdmfText({ surfaces: joined("surfaces"), centres: joined("centres"), contacts: joined("contacts") });
}

/** Grids of one step of all parts; a series without data in this step is empty. */
export function xdmfStep(time: number, parts: readonly PartOfStep[]): XdmfGrids {
	const isOne = parts.length === 1;
	const grids = (series: XdmfSeries, grid: (of: NamedPart) => string) => {
		const inner = parts.map((part) => {
			const name = isOne ? series : `${series} ${part.rank}`;
			return grid({ ...part, file: escaped(part.file), name, time: isOne ? timeOf(time) : "" });
		});
		const all = inner.filter((text) => text !== "").join("");
		if (isOne || all === "") return all;
		return `<Grid Name="${series}" GridType="Collection" CollectionType="Spatial">\n${timeOf(time)}${all}</Grid>\n`;
	};
	return {
		surfaces: grids("surfaces", surfaces),
		centres: grids("centres", centres),
		contacts: grids("contacts", contacts),
	};
}

function timeOf(time: number): string {
	return `<Time Value="${time}"/>\n`;
}

interface NamedPart extends PartOfStep {
	/** Name of its grid. */
	readonly name: string;
	/** The element; empty if a collection around the grid has it. */
	readonly time: string;
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
	return `<Grid Name="${of.name}">
${of.time}<Topology TopologyType="Mixed" NumberOfElements="${cells}">
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
</Grid>
`;
}

function centres(of: NamedPart): string {
	return points(of, "/bodies/position", of.rows.bodies, CENTRES);
}

function contacts(of: NamedPart): string {
	const fields = of.hasMoments ? [...CONTACTS, MOMENT] : CONTACTS;
	return points(of, "/contacts/point", of.rows.contacts, fields);
}

function points(
	of: NamedPart,
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
	return `<Grid Name="${of.name}">
${of.time}<Topology TopologyType="Polyvertex" NumberOfElements="${count}" NodesPerElement="1"/>
<Geometry GeometryType="XYZ">
${slab(of, place, 3, range, DOUBLE)}
</Geometry>
${fields.join("\n")}
</Grid>
`;
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
