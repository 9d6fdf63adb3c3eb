/**
 * Two hosts with one core each, joined by a line that takes half a millisecond each way, against one of them alone. The relay that makes the delay
 * shares the two cores: its part of them is told.
 */
import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Bench } from "../bench.js";
import { recordCsv } from "../record.js";
import { Bed, type Host, type HowOnHost, noRelay, openNetwork, openRelay, type Relay, stickslip } from "../testing.js";
import { effortOf } from "./effort.js";
import { type Answer, answerOf, type Subject, subjectIn } from "./subject.js";

const RATIO_MIN = 1.3;
const PORT = 7117;
const usage =
	"npm run bench -- link [--contacts N] [--iterations N] [--delay MS] [--rounds N] [--method NAME] [--tiny]";

export interface LinkEffort {
	readonly contacts: number;
	readonly iterations: number;
	readonly method: string;
	/** Each way. */
	readonly delay: number;
	readonly rounds: number;
}

type LinkRow = Readonly<Record<"contacts" | "iterations" | "delayMs" | "one" | "two" | "ratio", number>> &
	Readonly<Record<"roundTripMs" | "relayCores" | "packets" | "lost", number>> & {
		readonly method: string;
		readonly same: string;
	};

const full: LinkEffort = { contacts: 100_000, iterations: 300, method: "pqn-diagonal", delay: 0.5, rounds: 5 };
const tiny: LinkEffort = { contacts: 500, iterations: 20, method: "pqn-diagonal", delay: 0.5, rounds: 1 };

export const link: Bench = {
	name: "link",
	what: "two hosts over a line of 0.5 ms each way against one: 100,000 contacts, at least 1.3 times faster",
	async run(args) {
		const effort = effortOf(args, full, tiny);
		const lack = noRelay();
		if (effort === undefined || lack !== undefined) {
			console.log(lack === undefined ? usage : `skipped: ${lack}`);
			return lack === undefined ? 2 : 0;
		}
		const rows = await linkRows(effort);
		for (const row of rows) console.log(lineOf(row));
		const [one, two] = (["one", "two"] as const).map((of) => Math.min(...rows.map((row) => row[of])));
		const ratio = (one ?? 0) / (two ?? 1);
		const isSame = rows.every(({ same }) => same === "yes");
		const kept = ratio >= RATIO_MIN && isSame;
		const told = `two hosts are ${ratio.toFixed(2)} times as fast as one, of ${RATIO_MIN}: ${kept ? "held" : "MISSED"}`;
		console.log(`${told}; ${isSame ? "the same hash" : "ANOTHER HASH"}`);
		if (args.includes("--tiny")) return isSame ? 0 : 1;
		if (args.length === 0) console.log(`recorded in ${recordCsv("link", rows)}`);
		return kept ? 0 : 1;
	},
};

export async function linkRows(effort: LinkEffort): Promise<LinkRow[]> {
	const { contacts, iterations, method, delay, rounds } = effort;
	const bed = new Bed();
	try {
		const [left, right] = openNetwork(bed, ["left", "right"]).hosts;
		if (left === undefined || right === undefined) throw new Error("no hosts");
		const relay = await openRelay(bed, [left, right], { delayMs: delay });
		const options = ["--method", method, "--tolerance", "1e-300", "--max-iterations", String(iterations)];
		const { line } = subjectIn(bed.folder, "spheres", contacts, options, false);
		const rows: LinkRow[] = [];
		for (let round = 0; round < rounds; round += 1) {
			const alone = answerOf(await stickslip(left, [...line, "--ranks", "1"], { core: 0, seconds: 3600 }).ended);
			const before = await relay.count();
			const begun = performance.now();
			const together = await onBoth(bed, [left, right], relay, line, round);
			const seconds = (performance.now() - begun) / 1000;
			const after = await relay.count();
			if (together.hash === "") console.log(`on two hosts: ${together.status}`);
			rows.push({
				contacts,
				method,
				iterations,
				delayMs: delay,
				one: alone.seconds,
				two: together.seconds,
				ratio: alone.seconds / together.seconds,
				roundTripMs: after.roundTripMs,
				relayCores: (after.cpuSeconds - before.cpuSeconds) / seconds,
				packets: after.packets - before.packets,
				lost: after.lost - before.lost,
				same: alone.hash !== "" && alone.hash === together.hash ? "yes" : "NO",
			});
		}
		return rows;
	} finally {
		await bed.close();
	}
}

/** One node on each host, found by the environment as in a job of pods; the first is the hub as well. */
async function onBoth(
	bed: Bed,
	hosts: readonly Host[],
	relay: Relay,
	line: Subject["line"],
	round: number,
): Promise<Answer> {
	const runs = join(bed.folder, `runs-${round}`);
	mkdirSync(runs);
	const key = randomBytes(32).toString("hex");
	const nodes = hosts.map((host, index) => {
		const how: HowOnHost = {
			core: index,
			seconds: 3600,
			env: {
				STICKSLIP_RUNS: join(runs, host.name),
				STICKSLIP_NODE: String(index),
				STICKSLIP_NODES: String(hosts.length),
				STICKSLIP_RENDEZVOUS: `${relay.addresses[0]}:${PORT + round}`,
				STICKSLIP_LISTEN: relay.addresses[index],
				STICKSLIP_KEY: key,
			},
		};
		return stickslip(host, ["node", "--", ...line], how);
	});
	const [first] = await Promise.all(nodes.map(({ ended }) => ended));
	if (first === undefined) throw new Error("no node ran");
	return answerOf(first);
}

function lineOf({ one, two, ratio, roundTripMs, relayCores, packets }: LinkRow): string {
	const relay = `round trip ${roundTripMs.toFixed(2)} ms, ${packets} packets, the relay took ${relayCores.toFixed(3)} of a core`;
	return `one ${one.toFixed(2)} s, two ${two.toFixed(2)} s: ${ratio.toFixed(2)}; ${relay}`;
}
