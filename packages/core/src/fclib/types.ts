/** What an FCLIB file holds besides a problem that can be solved. */
import type { MatrixHeader } from "./matrix.js";

export type FclibKind = "local" | "global" | "rolling";

/** The group of each kind. */
export const GROUPS: Readonly<Record<FclibKind, string>> = {
	local: "/fclib_local",
	global: "/fclib_global",
	rolling: "/fclib_global_rolling",
};

/** A string of the info group. Not always UTF-8: the bytes are what is written back. */
export interface InfoText {
	readonly text: string;
	readonly bytes: Uint8Array;
}

export interface FclibInfo {
	readonly title?: InfoText;
	readonly description?: InfoText;
	readonly mathInfo?: InfoText;
}

/** A solution or guess as files hold it: u and r always, v (global velocity) and l (multipliers of equality rows) where there are any. */
export interface FclibSolution {
	readonly u: Float64Array;
	readonly r: Float64Array;
	readonly v?: Float64Array;
	readonly l?: Float64Array;
}

/** All of a file that its headers tell. */
export interface FclibDescription {
	readonly file: string;
	readonly kind: FclibKind;
	/** Components per contact: 3; 2 in the plane; 5 with rolling. */
	readonly dimension: number;
	readonly contacts: number;
	/** Equality rows: columns of V or G. */
	readonly equalityRows: number;
	/** Rows of M; none in a local file. */
	readonly degreesOfFreedom?: number;
	readonly matrices: Readonly<Record<string, MatrixHeader>>;
	readonly frictionMin: number;
	readonly frictionMax: number;
	/** mu_r of a rolling problem, a length. */
	readonly rollingFrictionMin?: number;
	readonly rollingFrictionMax?: number;
	/** Contacts of each law, where the file names laws. */
	readonly laws?: Readonly<Record<string, number>>;
	readonly guesses: number;
	readonly solution: boolean;
	/** Datasets of /geometry. */
	readonly geometry: readonly string[];
	readonly info: FclibInfo;
	/** Why no method here takes the file; undefined when it can be solved. */
	readonly refusal?: string;
}
