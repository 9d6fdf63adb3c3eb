/**
 * `/geometry`, ours, beside the FCLIB groups: contact points and bodies, and for problems made of rigid bodies all that the
 * product without W needs. The rigid description is believed only when it gives the same W as the problem does.
 */
import { multiplyBlocks } from "../problem/blocks.js";
import { multiplyCsr, multiplyTransposedCsr } from "../problem/csr.js";
import type { BlockMatrix, Geometry, GlobalForm, RigidContacts } from "../problem/problem.js";
import { multiplyRigid } from "../problem/rigid.js";
import type { SparseLu } from "../problem/sparse-lu.js";
import type { FclibFile } from "./fclib-file.js";

export const GEOMETRY = "/geometry";
export const RIGID_NAMES = ["frame", "arm", "inverse_mass", "inverse_inertia"] as const;
const NAMES = ["point", "body", ...RIGID_NAMES] as const;
/** Relative difference that rounding explains, also where M was inverted twice. */
const SAME = 1e-6;

/** Which of our datasets there are. Asked one by one: to list a group, HDF5 walks a tree that a hostile file can make endless. */
export function geometryNames({ hdf5 }: FclibFile): string[] {
	return hdf5.kind(GEOMETRY) === "group" ? NAMES.filter((name) => hdf5.has(`${GEOMETRY}/${name}`)) : [];
}

/** Points and bodies alone. */
export function readPoints({ hdf5, contacts }: FclibFile): Geometry {
	if (hdf5.kind(GEOMETRY) !== "group") return {};
	const path = (name: string): string => `${GEOMETRY}/${name}`;
	const bodies = (): Int32Array => {
		hdf5.requireLength(path("body"), 2 * contacts);
		return hdf5.integers(path("body"));
	};
	const body = hdf5.has(path("body")) ? bodies() : undefined;
	const point = hdf5.has(path("point")) ? hdf5.reals(path("point"), 3 * contacts) : undefined;
	const wrong = body?.findIndex((id) => id < -1) ?? -1;
	if (wrong >= 0)
		hdf5.fail(`${path("body")}[${wrong}]`, `is ${body?.[wrong]}`, "bodies count from 0; -1 is an obstacle");
	return { ...(point && { point }), ...(body && { body }) };
}

export function readGeometry(file: FclibFile): { geometry?: Geometry; rigid?: RigidContacts } {
	const { hdf5, contacts } = file;
	if (hdf5.kind(GEOMETRY) !== "group") return {};
	const path = (name: string): string => `${GEOMETRY}/${name}`;
	const reals = (name: string, each: number, count = contacts): Float64Array => hdf5.reals(path(name), each * count);
	const geometry = readPoints(file);
	const { body } = geometry;
	const there = RIGID_NAMES.filter((name) => hdf5.has(path(name)));
	if (there.length === 0) return { geometry };
	const missing = RIGID_NAMES.find((name) => !there.includes(name)) ?? (body === undefined ? "body" : undefined);
	if (missing !== undefined || body === undefined) {
		return hdf5.fail(
			path(missing ?? "body"),
			`is missing, although ${there.join(", ")} are given`,
			"write all of the rigid bodies or none",
		);
	}
	const inverseMass = hdf5.reals(path("inverse_mass"));
	const rigid = {
		body,
		frame: reals("frame", 9),
		arm: reals("arm", 6),
		inverseMass,
		inverseInertia: reals("inverse_inertia", 6, inverseMass.length),
	};
	const outside = body.findIndex((id) => id >= inverseMass.length);
	if (outside >= 0) {
		const what = `is ${body[outside]}, out of range`;
		hdf5.fail(`${path("body")}[${outside}]`, what, `there are ${inverseMass.length} bodies, counted from 0`);
	}
	return { geometry, rigid };
}

/** Throws when W of the bodies is not the problem's W, tried on one vector without symmetry. */
export function requireSameW(
	file: FclibFile,
	rigid: RigidContacts,
	other: { readonly W: BlockMatrix } | { readonly global: GlobalForm; readonly lu: SparseLu },
): void {
	const length = 3 * file.contacts;
	const x = Float64Array.from({ length }, (_, i) => 1 + ((i * 7919) % 104729) / 104729);
	const ours = new Float64Array(length);
	const theirs = new Float64Array(length);
	multiplyRigid(rigid, x, ours);
	if ("W" in other) multiplyBlocks(other.W, x, theirs);
	else {
		const momentum = new Float64Array(other.lu.size);
		multiplyCsr(other.global.H, x, momentum);
		other.lu.solve(momentum);
		multiplyTransposedCsr(other.global.H, momentum, theirs);
	}
	let difference = 0;
	let size = 0;
	for (let i = 0; i < length; i += 1) {
		difference = Math.max(difference, Math.abs(ours[i]! - theirs[i]!));
		size = Math.max(size, Math.abs(theirs[i]!));
	}
	if (difference <= SAME * size) return;
	const what = `describes other bodies than the problem (W differs by ${(difference / size).toExponential(1)})`;
	file.hdf5.fail(GEOMETRY, what, `leave ${RIGID_NAMES.join(", ")} out, or make them agree`);
}
