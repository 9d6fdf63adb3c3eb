/** A pool: a thousand small problems on two ranks, against one thread. */
import type { Transport } from "@stickslip/cluster-runner";
import type { Bench } from "../bench.js";
import { recordCsv } from "../record.js";
import { poolRun } from "./pool.js";

const PROBLEMS = 1000;
const ROUNDS = 10;
const SPEEDUP_MIN = 1.9;
const OVERHEAD_MAX = 0.05;

export const pool: Bench = {
	name: "pool",
	what: "1,000 problems of 100 contacts on two ranks of a session, against one thread   [spheres|planks] [threads|zeromq] [--problems N] [--rounds N]",
	async run(args) {
		const number = (name: string, otherwise: number) => {
			const at = args.indexOf(name);
			return at < 0 ? otherwise : Number(args[at + 1]);
		};
		const named = <Name extends string>(names: readonly Name[]) => {
			const asked = names.filter((name) => args.includes(name));
			return asked.length > 0 ? asked : names;
		};
		const rows: Record<string, string | number>[] = [];
		for (const kind of named(["spheres", "planks"])) {
			for (const transport of named<Transport>(["threads", "zeromq"])) {
				const run = await poolRun(kind, transport, number("--problems", PROBLEMS), number("--rounds", ROUNDS));
				const [least, median, most] = run.speedups.map((each) => each.toFixed(2));
				// Processor time of other processes is not this one's.
				const overhead = transport === "threads" ? run.overhead : undefined;
				const percent = (part: number) => `${(100 * part).toFixed(1)} %`;
				const isHeld = run.one / run.pool >= SPEEDUP_MIN && (overhead ?? 0) <= OVERHEAD_MAX;
				const row = {
					kind,
					transport,
					problems: run.problems,
					one: run.one.toFixed(0),
					two: run.two.toFixed(0),
					pool: run.pool.toFixed(0),
					speedup: (run.one / run.pool).toFixed(2),
					least: least!,
					median: median!,
					most: most!,
					bound: (run.one / run.two).toFixed(2),
					overheadOfTwo: percent(run.overheadOfTwo),
					overhead: overhead === undefined ? "" : percent(overhead),
					held: isHeld ? "yes" : "MISSED",
				};
				rows.push(row);
				console.log(
					`${kind.padEnd(8)} ${transport.padEnd(8)} one thread ${row.one} ms, two ranks ${row.pool} ms: ${row.speedup} times as fast (${least} to ${most}, median ${median}); ` +
						`processor time ${row.overhead || "not measured"} more; two threads that have their problems ${row.bound} and ${row.overheadOfTwo}; ${row.held}`,
				);
			}
		}
		if (rows.length === 4) console.log(`recorded in ${recordCsv("pool", rows)}`);
		return rows.some(({ held }) => held !== "yes") ? 1 : undefined;
	},
};
