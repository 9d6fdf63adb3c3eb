/** The cases that predictions are compared with what is measured here, in groups that take less than three minutes each. */

export const CASE_GROUPS = ["small", "large", "crowded", "hosts", "many-hosts"] as const;

export interface Case {
	readonly group: (typeof CASE_GROUPS)[number];
	readonly pile: "spheres" | "planks";
	readonly contacts: number;
	readonly method: string;
	readonly ranks: number;
	/** One of `study predict --transport`. */
	readonly transport: string;
	/** Each way between hosts with a rank each, in milliseconds; undefined on this machine alone. */
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
	/** Solves of one between hosts. */
	readonly repeatApart: number;
	/** Seconds of each measurement of a transport. */
	readonly line: number;
	/** Particles of the drum. */
	readonly particles: number;
	/** Steps by which it settles. */
	readonly steps: number;
}

const METHODS = ["pqn-diagonal", "gauss-seidel", "pqn"] as const;
/** zeromq as it is between hosts. */
const BETWEEN = "zeromq-tcp";
const LINES = ["threads", "zeromq", "openmpi", "mpich"] as const;
const LINKS = [{ delayMs: 0.5 }, { delayMs: 2 }, { gigabits: 0.05 }] as const;
/** Their ranks share the cores here, so that delays are long enough to matter more. */
const MANY_HOSTS = [
	{ ranks: 4, delayMs: 2 },
	{ ranks: 4, delayMs: 5 },
	{ ranks: 8, delayMs: 5 },
] as const;

export function casesOf({ contacts, moreContacts }: ModelEffort, cores: number): Case[] {
	const piles = [
		{ group: "small", pile: "spheres", contacts, isFitted: true },
		{ group: "large", pile: "planks", contacts: moreContacts, isFitted: false },
	] as const;
	const own = piles.flatMap((pile) =>
		METHODS.flatMap((method): Case[] => [
			{ ...pile, method, ranks: 1, transport: "threads" },
			...LINES.map((transport) => ({ ...pile, method, ranks: cores, transport })),
		]),
	);
	const crowded = ["threads", "zeromq"].flatMap((transport) =>
		["pqn-diagonal", "gauss-seidel"].map((method): Case => {
			return { ...piles[0], group: "crowded", method, ranks: 2 * cores, transport, isFitted: false };
		}),
	);
	const hosts = LINKS.flatMap((link) =>
		["pqn-diagonal", "gauss-seidel"].map((method): Case => {
			return { ...piles[1], group: "hosts", method, ranks: 2, transport: BETWEEN, ...link, isFitted: false };
		}),
	);
	const manyHosts = MANY_HOSTS.flatMap((link) =>
		["pqn-diagonal", "gauss-seidel"].map((method): Case => {
			return { ...piles[1], group: "many-hosts", method, transport: BETWEEN, ...link, isFitted: false };
		}),
	);
	return [...own, ...crowded, ...hosts, ...manyHosts];
}
