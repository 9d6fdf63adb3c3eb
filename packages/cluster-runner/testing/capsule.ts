/** The fields in the JSON of a capsule. */
export const goodCapsule = {
	stickslip: "capsule",
	format: 1,
	version: "0.1.0",
	file: "pile.hdf5",
	options: {
		method: "pqn",
		tolerance: 1e-8,
		measure: "energy",
		start: "zero",
		maxIterations: 5,
		timeLimit: 3,
		set: { m: 5 },
	},
	status: "stalled",
	reason: "nothing left to try",
	hash: "0".repeat(64),
	history: { of: 0, measured: true, points: [] },
};
