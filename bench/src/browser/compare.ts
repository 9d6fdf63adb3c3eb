/** Times of the same solves in Node.js and in Chromium, round by round: first one, then the other. */
import { openSession } from "@stickslip/cluster-runner";
import type { Session } from "@stickslip/core";
import { call, launchChromium, type ProblemSpec, problemOf, servePages, TEN_PROBLEMS } from "./pages.js";

/** What Chromium may take of Node's time. */
const RATIO_MAX = 1.3;
const TOLERANCE = 1e-5;

export type BrowserRow = {
	readonly problem: string;
	readonly contacts: number;
	readonly ranks: number;
	readonly rounds: number;
	/** Milliseconds of the solve: the least, and the median. */
	readonly node: string;
	readonly nodeMedian: string;
	readonly chromium: string;
	readonly chromiumMedian: string;
	/** Of the least. */
	readonly ratio: string;
	/** Milliseconds of the whole call, the least. */
	readonly nodeCall: string;
	readonly chromiumCall: string;
	readonly callRatio: string;
	readonly hash: string;
	readonly held: string;
};

interface Times {
	readonly solve: number[];
	readonly call: number[];
	readonly hashes: Set<string>;
}

const noTimes = (): Times => ({ solve: [], call: [], hashes: new Set() });

function add({ solve, call: calls, hashes }: Times, seconds: number, callSeconds: number, hash: string): void {
	solve.push(1000 * seconds);
	calls.push(1000 * callSeconds);
	hashes.add(hash);
}

export interface CompareOptions {
	readonly rounds: number;
	/** Of each problem. */
	readonly contacts: number;
}

/** A row for each problem and number of ranks, told as soon as it is there. */
export async function compare(
	{ rounds, contacts }: CompareOptions,
	tell: (row: BrowserRow) => void,
): Promise<BrowserRow[]> {
	const chromium = await launchChromium();
	const served = await servePages(true);
	const rows: BrowserRow[] = [];
	try {
		const page = await chromium.newPage();
		await page.goto(served.url);
		for (const ranks of [1, 2]) {
			const node = await openSession({ ranks, ...(ranks > 1 && { transport: "threads", cutFrom: 0 }) });
			try {
				await call(page, "open", { ranks, cutFrom: 0 });
				for (const small of TEN_PROBLEMS) {
					// Two of them differ in size only.
					const spec = { ...small, contacts: small.contacts < 1000 ? contacts / 2 : contacts };
					const inChromium = (options: object) => call(page, "solveOnce", spec, options);
					const row = await compareOne({ spec, ranks, rounds, node, inChromium });
					tell(row);
					rows.push(row);
				}
			} finally {
				await node.close();
			}
		}
	} finally {
		await chromium.close();
		await served.close();
	}
	return rows;
}

async function compareOne(of: {
	readonly spec: ProblemSpec;
	readonly ranks: number;
	readonly rounds: number;
	readonly node: Session;
	readonly inChromium: (options: object) => Promise<{ seconds: number; callSeconds: number; hash: string }>;
}): Promise<BrowserRow> {
	const { spec, ranks, rounds, node, inChromium } = of;
	const problem = problemOf(spec);
	const options = { tolerance: TOLERANCE };
	const [here, there] = [noTimes(), noTimes()];
	// The first round warms both up.
	for (let round = 0; round <= rounds; round += 1) {
		const started = performance.now();
		const { report } = await node.solve(problem, options);
		const callSeconds = (performance.now() - started) / 1000;
		const other = await inChromium(options);
		if (round === 0) continue;
		add(here, report.seconds, callSeconds, report.hash);
		add(there, other.seconds, other.callSeconds, other.hash);
	}
	return rowOf(spec, ranks, here, there);
}

const least = (times: readonly number[]): number => Math.min(...times);
const median = (times: readonly number[]): number => [...times].sort((one, other) => one - other)[times.length >> 1]!;

function rowOf({ kind, form, contacts }: ProblemSpec, ranks: number, here: Times, there: Times): BrowserRow {
	const ratio = least(there.solve) / least(here.solve);
	const isSame = new Set([...here.hashes, ...there.hashes]).size === 1;
	const text = (milliseconds: number) => milliseconds.toFixed(2);
	return {
		problem: `${kind}, ${form}, ${contacts}`,
		contacts,
		ranks,
		rounds: here.solve.length,
		node: text(least(here.solve)),
		nodeMedian: text(median(here.solve)),
		chromium: text(least(there.solve)),
		chromiumMedian: text(median(there.solve)),
		ratio: ratio.toFixed(2),
		nodeCall: text(least(here.call)),
		chromiumCall: text(least(there.call)),
		callRatio: (least(there.call) / least(here.call)).toFixed(2),
		hash: isSame ? "same" : "OTHER",
		held: isSame && ratio <= RATIO_MAX ? "yes" : "MISSED",
	};
}
