/** How large a file's problem is, from the headers of its datasets alone: no values are read but single ones, so it is quick for the largest file. */
import { type FclibFile, refusalOf } from "./fclib-file.js";
import { geometryNames, RIGID_NAMES } from "./geometry.js";
import { type MatrixHeader, matrixHeader } from "./matrix.js";

export interface FclibSizes {
	readonly contacts: number;
	/** Equality rows: columns of V or G. */
	readonly equalityRows: number;
	/** Rows of M; none in a local file. */
	readonly degreesOfFreedom?: number;
	readonly matrices: Readonly<Record<string, MatrixHeader>>;
	/** Whether the file has the rigid bodies, with which W need not be formed. */
	readonly hasBodies: boolean;
}

export function fclibSizes(file: FclibFile): FclibSizes {
	const { hdf5, group, kind, dimension, contacts } = file;
	const size = dimension * contacts;
	const vectorLength = (of: string): number => hdf5.length(`${group}/vectors/${of}`);
	const matrices: Record<string, MatrixHeader> = {};
	const add = (matrix: string, rows: number, columns: number): void => {
		matrices[matrix] = matrixHeader(hdf5, `${group}/${matrix}`, rows, columns);
	};
	const mixed = hdf5.has(`${group}/${kind === "local" ? "V" : "G"}`);
	const equalityRows = mixed ? vectorLength(kind === "local" ? "s" : "b") : 0;
	const degrees = kind === "local" ? 0 : vectorLength("f");
	if (kind === "local") add("W", size, size);
	else {
		add("M", degrees, degrees);
		add("H", degrees, size);
	}
	if (mixed && kind === "local") {
		add("V", size, equalityRows);
		add("R", equalityRows, equalityRows);
	} else if (mixed) add("G", degrees, equalityRows);
	const names = geometryNames(file);
	return {
		contacts,
		equalityRows,
		...(kind !== "local" && { degreesOfFreedom: degrees }),
		matrices,
		hasBodies: RIGID_NAMES.every((name) => names.includes(name)),
	};
}

/** Bytes; what is common to all problems is not in them. */
export interface MemoryEstimate {
	/** Without which no solve goes: the matrices as they are read, and the vectors that every method works on. */
	readonly least: number;
	/** Of those, what lies in the memory of ranks, which is limited. */
	readonly leastInRanks: number;
	/** To be expected at the most demanding moment, as measured of generated problems. */
	readonly about: number;
}

/** Index and value of an entry, and what is held of it for a moment while it is put in order. */
const ENTRY_LEAST = 12;
const ENTRY_ABOUT = 14;
/** An entry of W: as blocks, with its index while it is read, and again in the memory of the kernels. */
const ENTRY_OF_W_ABOUT = 21;
const ENTRY_OF_W_IN_RANKS = 8;
/** Per contact: q, R, U, the best R, diagonal blocks, mu and scale; with the vectors of the methods. */
const SYSTEM = 184;
const METHOD = 850;
/** Per contact: a product with the bodies, or W where it has to be formed of M and H, with some ten blocks a row, and while it is. */
const BODIES = 166;
const FORMED = 1600;

/** Undefined for a problem that no method takes. */
export function estimateMemory(file: FclibFile): MemoryEstimate | undefined {
	if (refusalOf(file) !== undefined) return undefined;
	const { contacts, matrices, hasBodies } = fclibSizes(file);
	const { W, ...others } = matrices;
	const rest = Object.values(others).reduce((sum, { entries }) => sum + entries, 0);
	const ofW = W?.entries ?? 0;
	const operator = W !== undefined ? 0 : hasBodies ? BODIES : FORMED;
	return {
		least: ENTRY_LEAST * (ofW + rest) + SYSTEM * contacts,
		leastInRanks: ENTRY_OF_W_IN_RANKS * ofW + SYSTEM * contacts,
		about: ENTRY_OF_W_ABOUT * ofW + ENTRY_ABOUT * rest + (METHOD + operator) * contacts,
	};
}
