import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { InputError, Random } from "@stickslip/core";
import { describe, expect, it } from "vitest";
import { report } from "../../testing/report.js";
import { testFolder } from "../../testing/run-cli.js";
import { createRun } from "./folder.js";
import { LogReader } from "./follow.js";
import { RunLog } from "./log.js";
import { metricsText } from "./metrics.js";
import { addReport } from "./reports.js";
import { changeState } from "./state.js";
import { stopRequest } from "./stop.js";
import { viewAsJson, viewAsText } from "./summary.js";
import { viewOf } from "./view.js";

const rounds = 400;
const files = [
	"run.json",
	"state.json",
	"progress.json",
	"report.jsonl",
	"gang.json",
	"logs/run.jsonl",
	"stop",
] as const;

/** What may stand in place of a value: of every kind, and some that programs stumble over. */
const values = [
	...[
		"null",
		"true",
		"-1",
		"1e999",
		"0.5",
		'""',
		'"\\u0000\\u001b[31m"',
		"[]",
		"{}",
		"[[[[[[[]]]]]]]",
		'{"__proto__":1}',
	],
	...['"2026-13-45"', "9007199254740993", '"last"', '"running"'],
];

async function whole(): Promise<string> {
	const line = ["solve", "pile.hdf5"];
	const { folder } = createRun(testFolder(), { line, where: "slurm", restarts: 1, checkpoint: 30, capsule: true });
	changeState(folder, { status: "running", attempt: 2, job: { scheduler: "slurm", id: "77" } });
	const progress = {
		...{ problem: "pile.hdf5", measure: "energy", tolerance: 1e-6, first: 1, best: 1e-3, iterations: 12, products: 13 },
		...{
			error: 1e-3,
			exact: true,
			seconds: 1,
			method: "pqn",
			rate: 10,
			decades: 0.5,
			input: 1,
			inputs: 2,
			contacts: 7,
		},
		updated: new Date().toISOString(),
	};
	const gang = { where: "slurm", nodes: 2, ranksPerNode: 2, between: "zeromq", waitSeconds: 60 };
	writeFileSync(join(folder, "progress.json"), JSON.stringify(progress, undefined, "\t"));
	writeFileSync(join(folder, "gang.json"), JSON.stringify(gang, undefined, "\t"));
	writeFileSync(join(folder, "stop"), JSON.stringify({ time: progress.updated, now: false }));
	addReport(folder, { input: 0, report });
	const log = new RunLog(folder);
	log.write("run", "info", "ready", { ranks: 4, seconds: 0.5 });
	await log.flush();
	return folder;
}

/** A value replaced, bytes flipped, a piece cut out or put in, all of it gone. */
function damaged(text: string, random: Random): string {
	const at = () => random.below(text.length + 1);
	const kind = random.below(5);
	if (kind === 0) {
		const found = [...text.matchAll(/: ?("[^"]*"|[-\w.]+)/g)];
		const chosen = found[random.below(found.length)];
		const value = values[random.below(values.length)] ?? "null";
		if (chosen === undefined) return value;
		const start = chosen.index + 1;
		return text.slice(0, start) + value + text.slice(chosen.index + chosen[0].length);
	}
	if (kind === 1) {
		const place = at();
		return text.slice(0, place) + String.fromCharCode(random.below(256)) + text.slice(place + 1);
	}
	const [from = 0, to = 0] = [at(), at()].sort((one, other) => one - other);
	if (kind === 2) return text.slice(0, from);
	if (kind === 3) return text.slice(0, from) + text.slice(to);
	return text.slice(0, to) + text.slice(from);
}

describe("a run's files that somebody damaged", () => {
	it(`are read or refused in one line, ${rounds} seeded times`, async () => {
		const folder = await whole();
		const sound = files.map((name) => readFileSync(join(folder, name), "utf8"));
		const counts = { read: 0, refused: 0 };
		for (let seed = 0; seed < rounds; seed += 1) {
			const random = new Random(seed);
			const chosen = random.below(files.length);
			const text = sound[chosen] ?? "";
			const [path, damage] = [join(folder, files[chosen] ?? ""), damaged(text, random)];
			if (random.below(20) === 0) rmSync(path);
			else writeFileSync(path, damage, "latin1");
			try {
				const view = viewOf(folder);
				const texts = [metricsText([view]), viewAsText(view).join("\n"), JSON.stringify(viewAsJson(view))];
				for (const told of texts) expect(told, `seed ${seed}`).not.toContain("\u001b");
				stopRequest(folder);
				for (const { event } of new LogReader(folder).read()) expect(typeof event).toBe("string");
				counts.read += 1;
			} catch (error) {
				if (!(error instanceof InputError))
					throw new Error(`seed ${seed}: ${files[chosen]}: ${damage}`, { cause: error });
				counts.refused += 1;
			}
			writeFileSync(path, text);
		}
		// Both happen often: damage is not all noticed at once, nor all harmless.
		expect(Math.min(counts.read, counts.refused)).toBeGreaterThan(rounds / 10);
	});
});
