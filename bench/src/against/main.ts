/** `npm run bench -- --against REV [NAME...]`: this revision and an earlier one in turns, case by case, as ratios. */
import { parseArgs } from "node:util";
import { InputError } from "@stickslip/core";
import type { Bench } from "../bench.js";
import { circumstances } from "../record.js";
import { cases } from "./cases.js";
import { builtCheckout, type Checkout, checkout, root } from "./checkout.js";
import { type ComparisonEffort, compare, FULL_EFFORT, type Revision, type Row } from "./compare.js";
import { recordHistory } from "./history.js";

const usage =
	"npm run bench -- --against REV [NAME...] [--rounds N] [--no-record]   (or --built FOLDER instead of REV)";

export const against: Bench = {
	name: "against",
	what: "this revision against REV, interleaved: kernels, latencies, set-up, solves, scenes, start-up, memory; fails on a loss above 10 %",
	async run(args) {
		let before: Checkout | undefined;
		try {
			const { revision, built, names, effort, isRecorded } = planned(args);
			before = built === undefined ? checkout(revision) : builtCheckout(built);
			for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
			process.once("exit", before.dispose);
			const { name } = before;
			let recorded: string | undefined;
			const { failed } = await compareAll(names, before, effort, console.log, (row) => {
				if (isRecorded) recorded = recordHistory([row], name);
			});
			if (recorded !== undefined) console.log(`recorded in ${recorded}; npm run bench -- history draws it`);
			return failed ? 1 : 0;
		} catch (error) {
			if (!(error instanceof InputError)) throw error;
			console.log(`${error.message}\n${usage}`);
			return 2;
		} finally {
			if (before !== undefined) process.off("exit", before.dispose);
			before?.dispose();
		}
	},
};

/** A case that one of them cannot do is told and not counted; a loss fails. `take` gets each row as soon as it is there. */
export async function compareAll(
	names: readonly string[],
	before: Revision,
	effort: ComparisonEffort,
	print: (line: string) => void,
	take: (row: Row) => void = () => {},
): Promise<{ readonly rows: readonly Row[]; readonly failed: boolean }> {
	const now = { name: circumstances().revision, root };
	print(`${now.name} against ${before.name}; ratios above 1 are slower, or more memory`);
	const rows: Row[] = [];
	for (const each of cases.filter(({ name }) => names.includes(name))) {
		try {
			const row = await compare(each, [before, now], effort);
			rows.push(row);
			print(lineOf(row));
			take(row);
		} catch (error) {
			print(`${each.name.padEnd(22)}not compared: ${error instanceof Error ? error.message : String(error)}`);
		}
	}
	const count = (verdict: string) => rows.filter((row) => row.verdict === verdict).length;
	const limit = `${Math.round(100 * (effort.limit - 1))} %`;
	print(`${count("loss")} of ${rows.length} lost more than ${limit}, ${count("undecided")} undecided`);
	return { rows, failed: count("loss") > 0 || rows.length === 0 };
}

function lineOf({ name, unit, before, now, spread, ratio, rounds, verdict, hashBefore, hash }: Row): string {
	const numbers = `${before.toPrecision(4)} to ${now.toPrecision(4)} ${unit}`;
	const range = `${ratio.median.toFixed(3)} (${ratio.low.toFixed(3)} to ${ratio.high.toFixed(3)})`;
	const answer = hash === undefined ? "" : hash === hashBefore ? `  ${hash.slice(0, 8)}` : "  ANOTHER ANSWER";
	const told = verdict === "loss" ? "LOSS" : verdict;
	return `${name.padEnd(22)}${numbers.padEnd(26)}${range.padEnd(26)}spread ${(100 * spread).toFixed(0)} %, ${rounds} rounds: ${told}${answer}`;
}

function planned(args: readonly string[]) {
	const options = {
		rounds: { type: "string" },
		built: { type: "string" },
		"no-record": { type: "boolean", default: false },
	} as const;
	let parsed: ReturnType<typeof parseArgs<{ options: typeof options; allowPositionals: true }>>;
	try {
		parsed = parseArgs({ args: [...args], options, allowPositionals: true });
	} catch (error) {
		throw new InputError("bench", "--against", error instanceof Error ? error.message : String(error), "see below");
	}
	const { built, rounds = String(FULL_EFFORT.rounds) } = parsed.values;
	const [revision = "", ...rest] = built === undefined ? parsed.positionals : ["", ...parsed.positionals];
	if (built === undefined && revision === "")
		throw new InputError("bench", "--against", "REV is missing", "name a commit");
	const known = cases.map(({ name }) => name);
	const unknown = rest.find((name) => !known.includes(name));
	if (unknown !== undefined) throw new InputError("bench", unknown, "unknown case", `choose among ${known.join(", ")}`);
	const count = Number(rounds);
	if (!Number.isInteger(count) || count < FULL_EFFORT.rounds)
		throw new InputError(
			"bench",
			"--rounds",
			`${rounds} is not an integer from ${FULL_EFFORT.rounds}`,
			"fewer decide nothing",
		);
	const effort = { ...FULL_EFFORT, rounds: count, roundsMax: Math.max(count, FULL_EFFORT.roundsMax) };
	return { revision, built, names: rest.length > 0 ? rest : known, effort, isRecorded: !parsed.values["no-record"] };
}
