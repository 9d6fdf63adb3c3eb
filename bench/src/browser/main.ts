/**
 * Sessions in Chromium against sessions in Node.js, in the same run and in turn: the same problems, one rank and two, the same hashes. `--screenshot`
 * takes a picture of the example page instead.
 */
import type { Bench } from "../bench.js";
import { recordCsv } from "../record.js";
import type { BrowserRow } from "./compare.js";

const ROUNDS = 9;
const CONTACTS = 2000;

function lineOf(row: BrowserRow): string {
	const times = (least: string, median: string) => `${least} (median ${median}) ms`;
	const solve = `solve: Node.js ${times(row.node, row.nodeMedian)}, Chromium ${times(row.chromium, row.chromiumMedian)}, ratio ${row.ratio}`;
	const call = `with set-up and messages: ${row.nodeCall} and ${row.chromiumCall} ms, ratio ${row.callRatio}`;
	return `${row.problem.padEnd(28)}${String(row.ranks).padEnd(3)}${solve}; ${call}; hash ${row.hash}; ${row.held}`;
}

export const browser: Bench = {
	name: "browser",
	what: "sessions in Chromium against Node.js: ten problems on one rank and two, hashes and times   [--rounds N] [--contacts N] [--screenshot FILE.png]",
	async run(args) {
		const after = (name: string) => {
			const at = args.indexOf(name);
			return at < 0 ? undefined : args[at + 1];
		};
		// Loaded here: a driver of browsers takes longer to load than other benches run.
		const { findChromium } = await import("./pages.js");
		if (findChromium() === undefined) {
			console.log("there is no Chromium here (Debian: apt install chromium); STICKSLIP_CHROMIUM names one");
			return 2;
		}
		const screenshot = after("--screenshot");
		if (screenshot !== undefined) {
			const { takeScreenshot } = await import("./screenshot.js");
			console.log(`${screenshot}: ${await takeScreenshot(screenshot)} bytes`);
			return undefined;
		}
		const { compare } = await import("./compare.js");
		const options = { rounds: Number(after("--rounds") ?? ROUNDS), contacts: Number(after("--contacts") ?? CONTACTS) };
		const rows = await compare(options, (row) => console.log(lineOf(row)));
		if (args.length === 0) console.log(`recorded in ${recordCsv("browser", rows)}`);
		return rows.some(({ held }) => held !== "yes") ? 1 : undefined;
	},
};
