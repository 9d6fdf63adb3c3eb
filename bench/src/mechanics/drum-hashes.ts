/**
 * One hash of the drum for every number of ranks and every transport, after regions were cut again and again, and of runs that another number of ranks goes
 * on with from the middle.
 */
import { parseArgs } from "node:util";
import { type SimulatedScene, type SimulateOptions, simulateScene } from "@stickslip/cluster-runner";
import { describeScene, type GivenOptions, type SceneDescription } from "@stickslip/mechanics";
import type { Bench } from "../bench.js";
import { type RankPlacement, rankPlacements, withLibrary } from "../ranks/hashes.js";
import { recordCsv } from "../record.js";

type HashRow = {
	readonly scene: string;
	readonly bodies: number;
	readonly way: string;
	readonly ranks: number;
	readonly steps: number;
	/** Of another number of ranks, from the middle on. */
	readonly resumed: string;
	readonly recuts: number;
	readonly contacts: number;
	readonly failed: number;
	readonly hash: string;
	readonly same: string;
};

/** Each table of tiles is a cut, and each cut another one: eleven in 500 steps, and more than five in 50. */
const DOMAIN = { recutsAlways: true, epoch: 8 } as const;

interface Plan {
	/** Of the drum. */
	readonly options: GivenOptions;
	/** Steps by number of ranks. */
	readonly steps: ReadonlyMap<number, number>;
	readonly placements: readonly RankPlacement[];
}

/** Collects rows; the first of a scene and a number of steps says what the others have to be. */
export class Hashes {
	readonly rows: HashRow[] = [];
	readonly #wanted = new Map<string, string>();
	readonly #print: (line: string) => void;

	constructor(print: (line: string) => void) {
		this.#print = print;
	}

	add(
		name: string,
		description: SceneDescription,
		way: string,
		ranks: number,
		result: SimulatedScene,
		resumed = "",
	): void {
		const { hash, steps, recuts, failedSteps, last } = result;
		const key = `${name} ${steps}`;
		const wanted = this.#wanted.get(key) ?? hash;
		this.#wanted.set(key, wanted);
		const bodies = result.ranks.reduce((sum, each) => sum + each.bodies, 0);
		const contacts = last?.contacts ?? 0;
		const row = { scene: description.name, bodies, way, ranks, steps, resumed, recuts, contacts, failed: failedSteps };
		this.rows.push({ ...row, hash, same: hash === wanted ? "yes" : "NO" });
		this.#print(line(this.rows.at(-1)!));
	}

	get wrong(): number {
		return this.rows.filter(({ same }) => same === "NO").length;
	}
}

function line({ scene, bodies, way, ranks, steps, resumed, recuts, contacts, hash, same }: HashRow): string {
	const parts = [`${scene} ${bodies}`.padEnd(12), way.padEnd(20), `ranks ${ranks}`, `${steps} steps`.padEnd(10)];
	const facts = `${recuts} cuts, ${contacts} contacts${resumed && `, ${resumed}`}`;
	return `${parts.join(" ")} ${hash.slice(0, 16)} ${facts}: ${same === "yes" ? "the same" : "DIFFERENT"}`;
}

/** All ranks of a plan, and runs of which others do the second half. */
export async function drumHashes(plan: Plan, hashes: Hashes): Promise<void> {
	const description = describeScene("drum", plan.options);
	const name = `drum ${plan.options.bodies}`;
	const run = (options: SimulateOptions) => simulateScene(description, { domain: DOMAIN, ...options });
	for (const steps of new Set(plan.steps.values())) {
		hashes.add(name, description, "one rank", 1, await run({ ranks: 1, steps }));
	}
	for (const { name: way, transport, library } of plan.placements) {
		for (const [ranks, steps] of plan.steps) {
			if (ranks === 1) continue;
			const result = await withLibrary(library, () => run({ ranks, transport, steps }));
			hashes.add(name, description, way, ranks, result);
		}
	}
	const last = Math.max(...plan.steps.values());
	for (const [first, second] of [
		[2, 3],
		[3, 1],
		[1, 2],
	] as const) {
		const half = await run({ ranks: first, steps: Math.floor(last / 2), keepsState: true });
		const rest = await run({ ranks: second, steps: last, from: half.state! });
		hashes.add(name, description, "threads", second, rest, `from step ${half.steps} of ${first} ranks`);
	}
}

const STEPS = 500;
const FEW_STEPS = 50;

async function run(args: readonly string[]): Promise<number> {
	const options = { bodies: { type: "string" }, steps: { type: "string" } } as const;
	const { values } = parseArgs({ args: [...args], options });
	const sizes = values.bodies === undefined ? [100, 5000] : [Number(values.bodies)];
	const steps = Number(values.steps ?? STEPS);
	const few = Math.min(steps, FEW_STEPS);
	const byRanks = new Map([1, 2, 3, 5, 8].map((ranks) => [ranks, ranks <= 3 ? steps : few]));
	const all = rankPlacements(console.log).filter(({ processes }) => processes === undefined);
	const hashes = new Hashes(console.log);
	for (const bodies of sizes) await drumHashes({ options: { bodies }, steps: byRanks, placements: all }, hashes);
	console.log(`${hashes.rows.length - hashes.wrong} of ${hashes.rows.length} lines with the hash of one rank`);
	console.log(`recorded in ${recordCsv("drum-hashes", hashes.rows)}`);
	return hashes.wrong === 0 ? 0 : 1;
}

export const drumHashesBench: Bench = {
	name: "drum-hashes",
	what: "one hash of the drum on any ranks and transports, however regions are cut, and gone on with by others",
	run,
};
