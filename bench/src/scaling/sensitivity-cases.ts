/** What Koziara 2017 varies in the drum of 100 particles: the choices of its tables 2 to 4, with its numbers, and grids for its figures 2 to 13. */

/** What the report tells of the whole simulation. */
interface Theirs {
	readonly seconds: number;
	readonly share?: number;
	readonly iterations?: number;
	readonly failed?: number;
}

export interface SensitivityCase {
	readonly name: string;
	readonly scene: string;
	/** The method with settings that stay. */
	readonly method: string;
	/** Values by option. */
	readonly vary: Readonly<Record<string, readonly number[]>>;
	readonly theirs?: Theirs;
}

const RIGID = "drum:bodies=100";
const PSEUDO_RIGID = "drum:bodies=100:kind=pseudo-rigid";
/** As the report's program: GMRES goes on from its last increment, and has time until it pays. */
const METHOD = "pqn:increment=last:patience=20";
/** The published form with its units: its program has forces where we have impulses, so that its W is ours times the step of 1 ms. */
const ABSOLUTE = "pqn:scaling=0.001";

type Unit = "none" | "min" | "mean" | "max";

/** `relativeTo` is the unit of delta. */
const methodWith = (relativeTo: Unit) => `${relativeTo === "none" ? ABSOLUTE : METHOD}:deltaRelativeTo=${relativeTo}`;

function chosen(
	name: string,
	scene: string,
	relativeTo: Unit,
	triple: readonly number[],
	theirs: Theirs,
): SensitivityCase {
	const [delta = 0, epsilon = 0, m = 0] = triple;
	return {
		name,
		scene,
		method: methodWith(relativeTo),
		vary: { delta: [delta], epsilon: [epsilon], m: [m] },
		theirs,
	};
}

function sweeps(name: string, scene: string, theirs: Theirs): SensitivityCase {
	return { name, scene, method: "gauss-seidel", vary: {}, theirs };
}

const rigid = "Tables 2 to 4, rigid ellipsoids";
const pseudoRigid = "Tables 2 to 4, pseudo-rigid ellipsoids";
/** Choices that the report tabulates. */
const tabulated: readonly SensitivityCase[] = [
	chosen(rigid, RIGID, "none", [1e-4, 0.25, 15], { seconds: 525, share: 0.78, iterations: 10, failed: 0 }),
	chosen(rigid, RIGID, "min", [0.025, 0.25, 15], { seconds: 495 }),
	chosen(rigid, RIGID, "mean", [0.01, 0.25, 10], { seconds: 467, share: 0.77, iterations: 9, failed: 0 }),
	chosen(rigid, RIGID, "max", [0.01, 0.25, 20], { seconds: 525 }),
	sweeps(rigid, RIGID, { seconds: 495, share: 0.85, iterations: 112, failed: 20 }),
	chosen(pseudoRigid, PSEUDO_RIGID, "none", [1e-13, 0.25, 20], { seconds: 356, share: 0.64, iterations: 5, failed: 0 }),
	chosen(pseudoRigid, PSEUDO_RIGID, "min", [0.1, 0.1, 20], { seconds: 378 }),
	chosen(pseudoRigid, PSEUDO_RIGID, "mean", [0.01, 0.01, 5], { seconds: 352, share: 0.65, iterations: 5, failed: 0 }),
	chosen(pseudoRigid, PSEUDO_RIGID, "max", [0.01, 0.05, 10], { seconds: 385 }),
	sweeps(pseudoRigid, PSEUDO_RIGID, { seconds: 482, share: 0.45, iterations: 18, failed: 0 }),
];

const FULL = {
	delta: [0.001, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5],
	epsilon: [1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 0.25],
	m: [3, 5, 10, 15, 20, 25, 30, 40, 50, 70, 100],
	density: [1, 10, 100, 1000, 10000],
};
const COARSE = { delta: [0.001, 0.01, 0.1], epsilon: [0.001, 0.25], m: [5, 20], density: [10, 100, 1000] };

type Grid = typeof FULL;

/** Figures by what delta is relative to, of rigid and of pseudo-rigid particles. */
const FIGURES: readonly (readonly [Unit, rigid: string, pseudoRigid: string])[] = [
	["none", "Figures 2 and 4", "Figures 3 and 5"],
	["min", "Figure 6", "Figure 9"],
	["mean", "Figure 7", "Figure 10"],
	["max", "Figure 8", "Figure 11"],
];

/** Three cases of a figure: by epsilon with many inner iterations, by these at one epsilon, and by both. */
function figure(name: string, kind: string, scene: string, relativeTo: Unit, grid: Grid): SensitivityCase[] {
	const { delta, epsilon, m } = grid;
	const method = methodWith(relativeTo);
	const grids = { a: { delta, epsilon, m: [1000] }, b: { delta, epsilon: [0.001], m }, c: { delta, epsilon, m } };
	return Object.entries(grids).map(([letter, vary]) => ({
		name: `${name}, case ${letter}, ${kind}`,
		scene,
		method,
		vary,
	}));
}

/** Densities beside delta relative to the mean, at the report's epsilon and m. */
function densities({ delta, density }: Grid): SensitivityCase[] {
	const method = methodWith("mean");
	return density.flatMap((value) => [
		{
			name: `Figures 12 and 13, case a, rigid, ${value} kg/m3`,
			scene: `${RIGID}:density=${value}`,
			...{ method, vary: { delta, epsilon: [0.25], m: [20] } },
		},
		{
			name: `Figures 12 and 13, case b, pseudo-rigid, ${value} kg/m3`,
			scene: `${PSEUDO_RIGID}:density=${value}`,
			...{ method, vary: { delta, epsilon: [0.025], m: [10] } },
		},
	]);
}

function drawn(grid: Grid): SensitivityCase[] {
	const figures = FIGURES.flatMap(([relativeTo, rigidName, pseudoRigidName]) => [
		...figure(rigidName, "rigid", RIGID, relativeTo, grid),
		...figure(pseudoRigidName, "pseudo-rigid", PSEUDO_RIGID, relativeTo, grid),
	]);
	return [...figures, ...densities(grid)];
}

export function sensitivityCases(grid: "tables" | "coarse" | "full"): SensitivityCase[] {
	if (grid === "tables") return [...tabulated];
	return [...tabulated, ...drawn(grid === "full" ? FULL : COARSE)];
}
