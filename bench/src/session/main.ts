/** Sessions: what a solve with new values costs beyond its iterations, on one rank and on two. */
import { openSession as openRanks } from "@stickslip/cluster-runner";
import { openSession, type Session } from "@stickslip/core";
import type { Bench } from "../bench.js";
import { recordCsv } from "../record.js";
import { type BeyondIterations, beyondIterations } from "./beyond.js";

const SIZES = [300, 3000];
const SECONDS = 8;
/** Microseconds of one rank: of a solve, and of each contact. */
const SOLVE_MAX = 30;
const CONTACT_MAX = 0.25;

interface SessionCall {
	readonly name: string;
	/** Microseconds that it may take beyond one rank. */
	readonly more: number;
	open(): Promise<Session>;
}

const ways: readonly SessionCall[] = [
	{ name: "one rank", more: 0, open: () => openSession() },
	{ name: "threads, 2 ranks", more: 60, open: () => openRanks({ ranks: 2, transport: "threads" }) },
	{ name: "zeromq, 2 ranks", more: 500, open: () => openRanks({ ranks: 2, transport: "zeromq" }) },
];

function rowOf({ name, more }: SessionCall, { contacts, solves, least, median, ninety, iterations }: BeyondIterations) {
	const target = SOLVE_MAX + CONTACT_MAX * contacts + more;
	return {
		way: name,
		contacts,
		solves,
		target: target.toFixed(0),
		least: least.toFixed(0),
		median: median.toFixed(0),
		ninety: ninety.toFixed(0),
		ratio: (median / target).toFixed(2),
		iterations: iterations.toFixed(0),
		held: median <= target ? "yes" : "MISSED",
	};
}

export const session: Bench = {
	name: "session",
	what: "what a session's solve of new W and q takes beyond its iterations, in microseconds   [one rank|threads|zeromq] [--seconds N]",
	async run(args) {
		const at = args.indexOf("--seconds");
		const seconds = at < 0 ? SECONDS : Number(args[at + 1]);
		const named = ways.filter(({ name }) => args.some((word) => name.startsWith(word)));
		const rows: ReturnType<typeof rowOf>[] = [];
		for (const way of named.length > 0 ? named : ways) {
			const opened = await way.open();
			try {
				for (const size of SIZES) {
					const row = rowOf(way, await beyondIterations(opened, size, seconds));
					rows.push(row);
					const { contacts, least, median, ninety, target, ratio, iterations, held } = row;
					const times = `${median} us beyond ${iterations} of iterations (least ${least}, nine of ten ${ninety})`;
					console.log(
						`${way.name.padEnd(18)}${String(contacts).padStart(5)} contacts: ${times}; at most ${target}: ${ratio} ${held}`,
					);
				}
			} finally {
				await opened.close();
			}
		}
		if (named.length === 0) console.log(`recorded in ${recordCsv("session", rows)}`);
		return rows.some(({ held }) => held !== "yes") ? 1 : undefined;
	},
};
