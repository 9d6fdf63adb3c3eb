/**
 * Many ranks: the same hash and the same counters for every number of ranks and every transport, under delays too; two ranks against one, an
 * iteration of pqn-diagonal and whole solves of auto; and 64 ranks on however few cores there are.
 */
import { solveRanks } from "@stickslip/cluster-runner";
import { generate } from "@stickslip/core";
import type { Bench } from "../bench.js";
import { recordCsv } from "../record.js";
import { auto, autoGoals } from "./auto.js";
import { delayedHashes, hashesOf, type RankPlacement, type Row, rankPlacements } from "./hashes.js";
import { subjects } from "./problems.js";
import { type Effort, type SpeedRow, speedOf } from "./speed.js";

const SEEDS = 100;
const CROWD = 64;

interface Goal {
	readonly contacts: number;
	readonly effort: Effort;
	readonly targets: Readonly<Record<string, number>>;
}

const goals: readonly Goal[] = [
	{
		contacts: 10_000,
		effort: { rounds: 7, iterations: 100, repeat: 10 },
		targets: { threads: 1.8, openmpi: 1.6, mpich: 1.6, zeromq: 1.1 },
	},
	{
		contacts: 100_000,
		effort: { rounds: 5, iterations: 20, repeat: 8 },
		targets: { threads: 1.85, openmpi: 1.8, mpich: 1.8, zeromq: 1.7 },
	},
];

async function hashes(all: readonly RankPlacement[]): Promise<boolean> {
	const rows: Row[] = [];
	const those = await subjects();
	for (const subject of those) {
		for (const way of all) {
			const lines = await hashesOf(subject, way);
			for (const row of lines) console.log(line(row));
			rows.push(...lines);
		}
	}
	const seeds = Array.from({ length: SEEDS }, (_, seed) => seed);
	for (const subject of those.slice(0, 2)) {
		const row = await delayedHashes(subject, seeds);
		console.log(line(row));
		rows.push(row);
	}
	const wrong = rows.filter(({ same }) => same === "NO").length;
	console.log(`${rows.length - wrong} of ${rows.length} lines with one hash and the same counters on every rank`);
	console.log(`recorded in ${recordCsv("ranks-hashes", rows)}`);
	return wrong === 0;
}

function line({ problem, method, way, ranks, hash, exchanges, reductions, same }: Row): string {
	const parts = [problem.padEnd(34), method.padEnd(22), way.padEnd(20), `ranks ${ranks}`.padEnd(17), hash];
	return `${parts.join(" ")} ${exchanges} exchanges, ${reductions} reductions: ${same === "yes" ? "the same" : "DIFFERENT"}`;
}

async function speed(all: readonly RankPlacement[]): Promise<boolean> {
	const rows: SpeedRow[] = [];
	for (const { contacts, effort, targets } of goals) {
		for (const way of all) {
			const target = targets[way.name];
			if (target === undefined) continue;
			const row = await speedOf(contacts, way, target, effort);
			rows.push(row);
			console.log(speedLine(row));
		}
	}
	const flat = rows.map((row) => ({ ...row, ...rounded(row) }));
	console.log(`recorded in ${recordCsv("ranks-speed", flat)}`);
	return rows.every(({ speedup, target }) => speedup >= target);
}

function rounded(row: SpeedRow): Record<string, number> {
	const numbers = Object.entries(row).filter((entry): entry is [string, number] => typeof entry[1] === "number");
	return Object.fromEntries(numbers.map(([key, value]) => [key, Number(value.toPrecision(4))]));
}

function speedLine(row: SpeedRow): string {
	const { contacts, way, one, two, speedup, speedupLow, speedupHigh, target } = row;
	const parts = [
		`${contacts} contacts, ${way}:`.padEnd(26),
		`${one.toFixed(0)} us an iteration on one rank, ${two.toFixed(0)} on two:`,
		`${speedup.toFixed(2)} (${speedupLow.toFixed(2)} to ${speedupHigh.toFixed(2)})`,
		`of ${target}: ${speedup >= target ? "held" : "MISSED"};`,
		`balance ${row.loadBalance.toFixed(3)}, serialisation ${row.serialisation.toFixed(3)}, transfer ${row.transfer.toFixed(3)}`,
	];
	return parts.join(" ");
}

/** Many more ranks than cores: slow, but it ends, and with the same answer. */
async function crowd(): Promise<boolean> {
	const problem = generate("spheres", { contacts: 10_000, seed: 1 });
	const options = { tolerance: 5e-3 } as const;
	const { report: one } = await solveRanks(problem, { ...options, ranks: 1 });
	const { report } = await solveRanks(problem, { ...options, ranks: CROWD, transport: "threads", patience: 300 });
	const same = report.hash === one.hash;
	const facts = `${report.status} in ${report.seconds.toFixed(1)} s, ${report.iterations} iterations, one rank ${one.seconds.toFixed(2)} s`;
	console.log(`${CROWD} ranks, ${problem.contacts} contacts: ${facts}; ${same ? "the same hash" : "ANOTHER HASH"}`);
	return same && report.status === one.status;
}

const PARTS = ["hashes", "speed", "auto", "crowd"] as const;

export const ranks: Bench = {
	name: "ranks",
	what: "one hash for all ranks and transports; two ranks against one; 64 ranks (hashes | speed | auto | crowd)",
	async run(args) {
		const named = args.filter((word) => autoGoals([word]).length > 0);
		const parts = args.filter((word) => !named.includes(word));
		const isPart = (part: string) => (PARTS as readonly string[]).includes(part);
		if (!parts.every(isPart) || (named.length > 0 && !parts.includes("auto"))) {
			console.log(
				"npm run bench -- ranks [hashes] [speed] [crowd] [auto [planks-3000] [spheres-10000] [drum-30000] ...]",
			);
			return 2;
		}
		const wanted = parts.length === 0 ? PARTS : parts;
		const all = rankPlacements(console.log);
		let held = true;
		if (wanted.includes("speed")) held = (await speed(all)) && held;
		if (wanted.includes("auto")) held = (await auto(named)) && held;
		if (wanted.includes("crowd")) held = (await crowd()) && held;
		if (wanted.includes("hashes")) held = (await hashes(all)) && held;
		return held ? 0 : 1;
	},
};
