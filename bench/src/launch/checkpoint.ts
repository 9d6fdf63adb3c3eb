/** The cost of checkpoints: the same solve with regular checkpoints and without any, in turn. */
import { join } from "node:path";
import type { Bench } from "../bench.js";
import { recordCsv } from "../record.js";
import { Bed, logIn } from "../testing.js";
import { effortOf } from "./effort.js";
import { type Answer, answerOf, program, type Subject, subjectIn } from "./subject.js";

const PERCENT_MAX = 3;
const usage =
	"npm run bench -- checkpoint [--contacts N] [--iterations N] [--every SECONDS] [--rounds N] [--ranks N] [--tiny]";

interface Effort {
	readonly contacts: number;
	readonly iterations: number;
	readonly every: number;
	readonly rounds: number;
	readonly ranks: number;
}

const full: Effort = { contacts: 100_000, iterations: 9500, every: 30, rounds: 3, ranks: 2 };
const tiny: Effort = { contacts: 500, iterations: 40, every: 0.1, rounds: 1, ranks: 2 };

export const checkpoint: Bench = {
	name: "checkpoint",
	what: "100,000 contacts with a checkpoint every 30 s against none: at most 3 percent",
	async run(args) {
		const effort = effortOf(args, full, tiny);
		if (effort === undefined) {
			console.log(usage);
			return 2;
		}
		const bed = new Bed();
		try {
			// Mixed sweeps have the largest state: thirteen vectors.
			const options = [
				"--method",
				"gauss-seidel",
				"--tolerance",
				"1e-300",
				"--max-iterations",
				String(effort.iterations),
			];
			const subject = subjectIn(bed.folder, "spheres", effort.contacts, options, false);
			const rows = await compared(bed, subject, effort);
			const ratios = rows.map(({ ratio }) => ratio).sort((a, b) => a - b);
			const percent = 100 * (ratios[ratios.length >> 1]! - 1);
			const isSame = rows.every(({ same }) => same === "yes");
			const kept = percent < PERCENT_MAX && isSame;
			const told = `${effort.contacts} contacts, a checkpoint every ${effort.every} s: ${percent.toFixed(2)} percent more`;
			console.log(
				`${told}, of ${PERCENT_MAX}: ${kept ? "held" : "MISSED"}; ${isSame ? "the same hash" : "ANOTHER HASH"}`,
			);
			if (args.includes("--tiny")) return isSame ? 0 : 1;
			if (args.length === 0) console.log(`recorded in ${recordCsv("checkpoint", rows)}`);
			return kept ? 0 : 1;
		} finally {
			await bed.close();
		}
	},
};

type Row = Readonly<Record<"contacts" | "ranks" | "every" | "without" | "with" | "ratio" | "checkpoints", number>> & {
	readonly same: string;
};

async function compared(bed: Bed, { line }: Subject, effort: Effort): Promise<Row[]> {
	const rows: Row[] = [];
	const solve = async (words: readonly string[]): Promise<Answer> => {
		const all = [program, ...line, "--ranks", String(effort.ranks), ...words];
		return answerOf(await bed.start(process.execPath, all, { seconds: 3600 }).ended);
	};
	for (let round = 0; round < effort.rounds; round += 1) {
		const runs = join(bed.folder, `runs-${round}`);
		const without = await solve([]);
		const having = await solve(["--checkpoint", String(effort.every), "--runs", runs]);
		const ratio = having.seconds / without.seconds;
		const same = having.hash !== "" && having.hash === without.hash ? "yes" : "NO";
		if (same === "NO") console.log(`without: ${without.status}; with: ${having.status}`);
		const checkpoints = logIn(runs).filter(({ event }) => event === "checkpoint").length;
		const times = `without ${without.seconds.toFixed(2)} s, with ${checkpoints} checkpoints ${having.seconds.toFixed(2)} s`;
		console.log(`${times}: ${ratio.toFixed(4)}`);
		const { contacts, ranks, every } = effort;
		rows.push({ contacts, ranks, every, checkpoints, without: without.seconds, with: having.seconds, ratio, same });
	}
	return rows;
}
