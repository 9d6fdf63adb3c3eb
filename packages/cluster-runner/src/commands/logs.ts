/** `stickslip logs`: the logs of a run and its ranks, merged by time. */
import { setTimeout as pause } from "node:timers/promises";
import { oneLine, three } from "../base/format.js";
import type { Command } from "../cli/command.js";
import { runNote, runsOption } from "../cli/common-options.js";
import { readRun } from "../records/facts.js";
import { type LogLine, LogReader } from "../records/follow.js";
import type { LogFields } from "../records/log.js";
import { hasEnded, readRunStatus } from "../runs/run-status.js";
import { runOf } from "./status.js";

const FOLLOW_MS = 250;
const RANK_MAX = 999_999;

export const logs: Command = {
	name: "logs",
	usage: "[RUN] [-f] [--rank N] [--json]",
	what: "prints the log of a run, merged over its ranks",
	options: [
		{ name: "follow", short: "f", what: "print new lines as they are added, until the run ends" },
		{ name: "rank", value: "N", what: "print the log of this rank only" },
		{ name: "json", what: "print lines as JSON objects, with their source" },
		runsOption,
	],
	notes: `
${runNote}
Times are in UTC. Each log file keeps its last 2 to 4 MiB; older lines are deleted.
`,
	async run(args, terminal) {
		const folder = runOf(args);
		const facts = readRun(folder);
		const rank = args.integer("rank", 0, RANK_MAX, 0);
		const reader = new LogReader(folder, rank);
		if (rank !== undefined && !args.flag("follow") && !reader.sources().includes(rank)) {
			const ranks = reader.sources().filter((source) => source !== "run");
			const remedy = ranks.length === 0 ? "no rank has" : `choose among ${ranks.join(", ")}`;
			args.refuse("--rank", `rank ${rank} has written nothing`, remedy);
		}
		const isSimulation = facts.line[0] === "simulate";
		const print = args.flag("json") ? asJson : (line: LogLine) => asText(line, isSimulation);
		for (;;) {
			// First its status, then its log: so nothing is missed.
			const isLast = !args.flag("follow") || hasEnded(readRunStatus(folder).status);
			for (const line of reader.read()) terminal.out(print(line));
			if (isLast || terminal.closed) break;
			await pause(FOLLOW_MS);
		}
		if (reader.damaged > 0) terminal.err(`stickslip: ${reader.damaged} lines of the log are damaged and left out`);
		return 0;
	},
};

function asJson({ source, time, level, event, facts }: LogLine): string {
	return JSON.stringify({ time, source, level, event, ...facts });
}

/** Events in words, where the names in the files differ; --json prints those. */
const EVENTS: Readonly<Record<string, string>> = {
	line: "command",
	"line ended": "command ended",
	"asked to stop": "stop requested",
	"time is over": "time limit reached",
	"left out": "hosts left out",
};
/** Fields in words, likewise. */
const FIELDS: Readonly<Record<string, string>> = { attempt: "try", input: "file" };
const STEP_FIELDS: Readonly<Record<string, string>> = { ...FIELDS, iteration: "step", iterations: "steps" };

/** 2026-11-18 14:57:03.123  rank 3  saved  iteration 120, bytes 4,096 */
function asText({ time, source, level, event, facts }: LogLine, isSimulation: boolean): string {
	const moment = new Date(time).toISOString().replace("T", " ").replace("Z", "");
	const who = (source === "run" ? "run" : `rank ${source}`).padEnd(8);
	const mark = level === "info" ? "" : `${level}: `;
	const names = isSimulation ? STEP_FIELDS : FIELDS;
	const { attempt, ...others } = facts;
	const isTry = event === "attempt ended";
	const what = isTry ? `try ${attempt} ended` : (EVENTS[event] ?? event);
	return oneLine(`${moment}  ${who}  ${mark}${what}  ${factsText(isTry ? others : facts, names)}`).trimEnd();
}

function factsText(facts: LogFields, names: Readonly<Record<string, string>>): string {
	const parts = Object.entries(facts).map(([name, value]) => {
		// People count files from 1.
		const shown = name === "input" && typeof value === "number" ? value + 1 : value;
		return `${names[name] ?? name} ${typeof shown === "number" && !Number.isInteger(shown) ? three(shown) : shown}`;
	});
	return parts.join(", ");
}
