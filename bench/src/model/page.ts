/** The page of predictions, of what was recorded. */

type Row = Readonly<Record<string, string>>;

export interface Errors {
	/** Largest errors in percent: with a core per rank, and with several ranks on a core; the median of the first; and how many cases failed. */
	readonly own: number;
	readonly crowded: number;
	readonly median: number;
	readonly failed: number;
}

export interface JudgedCase {
	readonly errorPercent: number | string;
	readonly crowded: string;
	readonly reason: string;
}

export function errorsOf(rows: readonly JudgedCase[]): Errors {
	const there = rows.filter(({ reason }) => reason === "");
	const sizes = (list: readonly JudgedCase[]) =>
		list.map(({ errorPercent }) => Math.abs(Number(errorPercent))).sort((one, other) => one - other);
	const own = sizes(there.filter(({ crowded }) => crowded === "no"));
	const crowded = sizes(there.filter((row) => row.crowded === "yes"));
	return {
		own: own.at(-1) ?? 0,
		crowded: crowded.at(-1) ?? 0,
		median: own[own.length >> 1] ?? 0,
		failed: rows.length - there.length,
	};
}

/** Efficiencies that an audit found for a program in C, on a scene of finite elements. */
const AUDIT: Readonly<Record<string, string>> = { "36": ".81", "180": ".60", "360": ".53", "540": ".45", "720": ".41" };

export function pageOf(validation: readonly Row[], predictions: readonly Row[]): string {
	const of = (study: string) => predictions.filter((row) => row.study === study);
	return [
		HEAD,
		"## What the model is worth",
		"",
		...validationLines(validation),
		"",
		"## The drum of 100,000 particles",
		"",
		DRUM,
		"",
		drumTable(of("drum"), true),
		"",
		"## Weak scaling",
		"",
		WEAK,
		"",
		drumTable(of("weak"), false),
		"",
		"## The table without numbers",
		"",
		REPORT,
		"",
		"Rigid spheres:",
		"",
		drumTable(of("report"), false),
		"",
		"Pseudo-rigid spheres, for which W is formed (the rigid ones are solved without it where a method can):",
		"",
		of("report-pseudo-rigid").length > 0 ? drumTable(of("report-pseudo-rigid"), false) : NO_PSEUDO_RIGID,
		"",
		"## The network",
		"",
		"What `omnipath-2017` is made of. None of it was measured here; what MPI costs a core in JavaScript is, and is added.",
		"",
		table(["constant", "value", "where it comes from"], NETWORK),
		"",
		"## Beside what others have published",
		"",
		"None of these is like for like; they say where a method of this kind stands.",
		"",
		table(["who", "what", "caveat"], FIELD),
		"",
	].join("\n");
}

/** Without results it says so: on a busy machine there are none that could be compared. */
function validationLines(validation: readonly Row[]): string[] {
	if (validation.length === 0) {
		return [
			"Nothing is recorded yet: `npm run bench -- model calibrate validate` compares what is predicted with what is measured, on a quiet machine. The tables below are of a busy one: kernels are minima and hardly suffer, but MPI took about twice as long as in [latency.csv](../bench/results/latency.csv), and what one rank takes for all contacts, and so `over one rank`, is too long.",
		];
	}
	const errors = errorsOf(
		validation.map(({ errorPercent = "", crowded = "", reason = "" }) => ({ errorPercent, crowded, reason })),
	);
	return [
		`Predicted beside measured on this machine: with a core per rank the median error is ${errors.median.toFixed(1)} % and the largest ${errors.own.toFixed(1)} %, with several ranks on a core the largest ${errors.crowded.toFixed(1)} %; ${errors.failed} of ${validation.length} cases failed. Asked for were 4, 10 and 25 %. \`fitted\` says whether constants were measured on such a pile and such ranks. The host of this virtual machine moves its cores: \`cores ns\` is how long a word took from one to the other and back before the case. Constants of a transport were measured anew before its cases, on another pile, and wherever that had changed by half.`,
		"",
		table(
			["case", "ranks", "fitted", "cores ns", "measured ms", "predicted ms", "error %"],
			validation.map((row) => [
				`${row.method}, ${row.pile} ${row.contacts}, ${row.transport}${lineOf(row)}`,
				row.ranks!,
				row.fitted!,
				row.coresNs ?? "",
				...(row.reason === ""
					? [digits(row.measuredMs), digits(row.predictedMs), Number(row.errorPercent).toFixed(1)]
					: ["-", "-", row.reason!]),
			]),
		),
	];
}

function lineOf({ delayMs, gigabits }: Row): string {
	if (Number(gigabits) > 0) return `, hosts with ${gigabits} Gbit/s between them`;
	return Number(delayMs) > 0 ? `, hosts ${delayMs} ms apart` : "";
}

function drumTable(rows: readonly Row[], isAudited: boolean): string {
	const audit = isAudited ? ["audit"] : [];
	return table(
		[
			...["method", "ranks", "contacts a rank", "iterations", "ms a solve", "us an iteration", "efficiency", ...audit],
			...["balance", "serialisation", "transfer", "over one rank", "neighbours", ""],
		],
		rows.map((row) => [
			row.method!,
			row.ranks!,
			String(Math.round(Number(row.contactsMean))),
			row.iterations!,
			digits(1000 * Number(row.seconds)),
			digits((1e6 * Number(row.seconds)) / Number(row.iterations)),
			share(row.parallel),
			...(isAudited ? [AUDIT[row.ranks!] ?? ""] : []),
			share(row.loadBalance),
			share(row.serialisation),
			share(row.transfer),
			share(row.overOne),
			Number(row.neighbours).toFixed(1),
			row.source!,
		]),
	);
}

/** What was not worth recording is empty. */
const share = (value: string | undefined): string => (value === "" ? "" : Number(value).toFixed(2));
const digits = (value: number | string | undefined): string => String(Number(Number(value).toPrecision(4)));

/** Cells are padded, as the formatter wants it. */
function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
	const widths = titles.map((title, i) => Math.max(3, title.length, ...rows.map((cells) => cells[i]!.length)));
	const line = (cells: readonly string[]) => `| ${cells.map((cell, i) => cell.padEnd(widths[i]!)).join(" | ")} |`;
	return [line(titles), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}

const HEAD = `# Predictions

Solves on ranks that nobody had here, by \`npm run bench -- model\`, which writes this page of [what it records](../bench/results/model-predictions.csv). How it is done and what it leaves out: [decision 0045](decisions/0045-predicted-ranks.md). Computing is that of this machine's cores; the network \`omnipath-2017\` is a published one, and what MPI
costs in JavaScript is measured here. Efficiency is load balance times serialisation times transfer (POP); \`over one rank\` compares with one rank that has everything, caches included.
`;

const DRUM = `A step of the drum of Koziara 2017 with 100,000 spheres, settled for 26 long steps from a lattice, on hosts of 36 ranks; 20 iterations of a solve. \`audit\` is the global efficiency that an audit found for the program in C on so many cores of a cluster with Omni-Path, on a scene of finite elements: more work for each contact, another
scene and other cores, so **not like for like**. Tiles are what ranks own: with those by size (256 contacts) ranks of 380 contacts have one or two, and balance is what is lost. With \`tile=1\` cuts are exact to a contact, and a rank has 276 ghosts of 12 neighbours at 720 ranks, in place of 368 of 14 with \`tile=16\`; the bits are the same on any number of ranks,
and others than those of larger tiles. \`over one rank\` is empty where one rank was timed on a busy machine only. \`measureEvery=4\` measures the error, and reduces over all ranks, in every fourth iteration only; it is no default, since a run then ends at a multiple of four.`;

const WEAK = `A generated graph: a lattice of ranks, each with a cube of tiles of 512 contacts in eight colours, coupled with the 26 around it; 976,563 contacts a rank, 1e9 on 1,024. Work is by the constants of this machine for a share beyond its caches. A graph of this kind has perfect balance: what is predicted is communication.`;

const REPORT = `Koziara 2017 leaves the table of section 8.1.4 empty: N = 100,000 on 24 to 384 ranks. Here a solve of one step of the settled drum, 6 iterations of it, beside one rank and two as they were measured. A simulation of 10 s in steps of 1e-4 s has 100,000 solves, of some 10 iterations with PQN and some 100 with Gauss-Seidel. Particles are spheres of the report's mean radius instead of its
ellipsoids, and settled by fewer and longer steps.`;

const NO_PSEUDO_RIGID =
	"Nothing is recorded yet: `npm run bench -- model predict page --report-pseudo-rigid` predicts them, on a quiet machine.";

/** As cluster-runner's networks.ts has them. */
const NETWORK = [
	[
		"latency of an empty message",
		"1.5 us",
		"set here, above published values near 1 us: those are of two neighbouring hosts alone, without a job's switches and other traffic",
	],
	[
		"bandwidth of a host",
		"12.38 GB/s",
		"osu_mbw_mr 5.3 with Open MPI 1.10 at LANL, 2 x 18 cores, one pair of ranks (gist of hppritcha, 2016)",
	],
	[
		"a core's part of a message, at either end",
		"0.34 us",
		"2.9 to 3.3 million messages a second of one pair of ranks, same source: all of the time is given to the sender, and as much to the receiver",
	],
	[
		"between two messages of a host",
		"6.25 ns",
		"160 million messages a second of a host (Dell HPC Omni-Path Fabric: Supported Architecture and Application Study, 2016)",
	],
	["cores of a host", "36", "2 x Xeon E5-2695 v4, those of the measured bandwidth; the audit counts in as many"],
	[
		"inside a host; packing; calls into MPI",
		"measured",
		"`study calibrate`, between two ranks of this machine with Open MPI: memory that 36 cores share is not in it",
	],
];

const FIELD = [
	[
		"GRSF",
		"a million spheres on 384 cores in 12 h, steps of 2e-4 s, 1,000 iterations a step",
		"Moreau's scheme with Coulomb's law over MPI, so the same mechanics; how many steps and contacts, and to which residual, is not told",
	],
	[
		"Contact dynamics, 2012",
		"full efficiency up to 256 processors",
		"older cores beside a network of their age; sizes per processor are not told",
	],
	["pe", "1e10 bodies on 458,752 cores", "another machine and another method, and no longer part of the program"],
	[
		"audit of the program in C, 36 to 720 cores",
		"efficiency .81 to .41, balance .89 to .65, reductions of 8 bytes 9 to 21 % of the time",
		"finite elements",
	],
];
