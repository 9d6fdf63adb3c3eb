/** The cases that predictions are compared with what is measured here. */

export interface Case {
	readonly pile: "spheres" | "planks";
	readonly contacts: number;
	readonly method: string;
	readonly ranks: number;
	/** One of `study predict --transport`. */
	readonly transport: string;
	/** Each way between two hosts of one core, in milliseconds; undefined on this machine alone. */
	readonly delayMs?: number;
	/** Gigabits a second between two hosts of one core. */
	readonly gigabits?: number;
	/** Whether constants were measured on such ranks: not on other delays, more ranks than cores but for reductions, or another pile. */
	readonly isFitted: boolean;
}

export interface ModelEffort {
	readonly contacts: number;
	readonly moreContacts: number;
	/** Iterations of a solve. */
	readonly iterations: number;
	/** Solves and predictions of a case, in turns; the least of each counts. */
	readonly rounds: number;
	/** Repetitions of what is timed to calibrate, and seconds of solves that a measurement has. */
	readonly repeat: number;
	readonly seconds: number;
	/** Seconds of each measurement of a transport. */
	readonly line: number;
	/** Particles of the drum. */
	readonly particles: number;
	/** Steps by which it settles. */
	readonly steps: number;
}

const METHODS = ["pqn-diagonal", "gauss-seidel", "pqn"] as const;
const LINES = ["threads", "zeromq", "openmpi", "mpich"] as const;
const LINKS = [{ delayMs: 0.5 }, { delayMs: 2 }, { gigabits: 0.05 }] as const;

export function casesOf({ contacts, moreContacts }: ModelEffort, cores: number): Case[] {
	const piles = [
		{ pile: "spheres", contacts, isFitted: true },
		{ pile: "planks", contacts: moreContacts, isFitted: false },
	] as const;
	const own = piles.flatMap((pile) =>
		METHODS.flatMap((method): Case[] => [
			{ ...pile, method, ranks: 1, transport: "threads" },
			...LINES.map((transport) => ({ ...pile, method, ranks: cores, transport })),
		]),
	);
	const crowded = ["threads", "zeromq"].flatMap((transport) =>
		["pqn-diagonal", "gauss-seidel"].map(
			(method): Case => ({ ...piles[0], method, ranks: 2 * cores, transport, isFitted: false }),
		),
	);
	const hosts = LINKS.flatMap((link) =>
		["pqn-diagonal", "gauss-seidel"].map(
			(method): Case => ({ ...piles[1], method, ranks: 2, transport: "zeromq", ...link, isFitted: false }),
		),
	);
	return [...own, ...crowded, ...hosts];
}
