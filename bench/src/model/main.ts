/** Predictions of solves on machines that are not here: constants of this one, predicted beside measured, and then what was asked. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cores } from "@stickslip/comm";
import type { Bench } from "../bench.js";
import { program } from "../launch/subject.js";
import { mergeCsv, readCsv, recordCsv } from "../record.js";
import { type Case, casesOf, type ModelEffort } from "./cases.js";
import { outputOf } from "./command.js";
import { drumFile } from "./drum-file.js";
import { errorsOf, pageOf } from "./page.js";
import { predictions, STUDIES } from "./predictions.js";
import { validate } from "./validate.js";

const full: ModelEffort = {
	contacts: 3000,
	moreContacts: 20_000,
	iterations: 30,
	rounds: 2,
	repeat: 5,
	seconds: 1.5,
	line: 0.4,
	particles: 100_000,
	steps: 26,
};
export const tiny: ModelEffort = {
	contacts: 300,
	moreContacts: 500,
	iterations: 5,
	rounds: 1,
	repeat: 1,
	seconds: 0.01,
	line: 0.01,
	particles: 200,
	steps: 2,
};

const PARTS = ["calibrate", "validate", "predict", "page"] as const;
const usage = `npm run bench -- model [${PARTS.join("|")}] [--drum] [--report] [--weak] [--tiny]; without a part all of them`;
/** What tells one row of the predictions from another. */
const KEY = ["study", "method", "source", "ranks"];
const TARGETS = { own: 10, crowded: 25, median: 4 } as const;
const CALIBRATE_SECONDS = 600;
const out = fileURLToPath(new URL("../../../out/model/", import.meta.url));
const results = fileURLToPath(new URL("../../results/", import.meta.url));
export const page = join(results, "../../docs/predictions.md");

export const model: Bench = {
	name: "model",
	what: "solves predicted: within 10 % of what is measured here (median 4 %, crowded 25 %), then 24 to 1,024 ranks; docs/predictions.md",
	async run(args) {
		const isTiny = args.includes("--tiny");
		const studies = STUDIES.filter((name) => args.includes(`--${name}`));
		const parts = args.filter((arg) => arg !== "--tiny" && !STUDIES.some((name) => arg === `--${name}`));
		if (parts.some((part) => !(PARTS as readonly string[]).includes(part))) {
			console.log(usage);
			return 2;
		}
		const wants = (part: (typeof PARTS)[number]) => parts.length === 0 || parts.includes(part);
		const effort = isTiny ? tiny : full;
		const folder = isTiny ? join(tmpdir(), `stickslip-model-${process.pid}`) : out;
		mkdirSync(folder, { recursive: true });
		const machine = join(folder, "machine.json");
		if (wants("calibrate")) await calibrate(machine, effort);
		let code = 0;
		if (wants("validate")) {
			const rows = await validate(casesOf(effort, cores().length), {
				effort,
				machine,
				fileOf: (pile, contacts) => pileFile(folder, pile, contacts),
				cores: cores().length,
				print: console.log,
				keep: (all) => {
					if (!isTiny) recordCsv("model-validation", all);
				},
			});
			const { own, crowded, median, failed } = errorsOf(rows);
			const isHeld = own <= TARGETS.own && crowded <= TARGETS.crowded && median <= TARGETS.median && failed === 0;
			console.log(
				`largest error with a core per rank ${own.toFixed(1)} % of ${TARGETS.own}, crowded ${crowded.toFixed(1)} % of ${TARGETS.crowded}, median ${median.toFixed(1)} % of ${TARGETS.median}, ${failed} failed: ${isHeld ? "held" : "MISSED"}`,
			);
			code = isHeld ? 0 : 1;
		}
		if (wants("predict")) {
			const drum = await drumFile(effort.particles, effort.steps, console.log, folder);
			await predictions({ machine, drum, isTiny, studies, print: console.log }, (rows) => {
				if (!isTiny && rows.length > 0) mergeCsv("model-predictions", KEY, rows);
			});
		}
		if (wants("page") && !isTiny) {
			writeFileSync(page, pageOf(recorded("model-validation"), recorded("model-predictions")));
			console.log("written: docs/predictions.md");
		}
		return code;
	},
};

/** Rows of a file that may not be there yet. */
export function recorded(name: string): Record<string, string>[] {
	return existsSync(join(results, `${name}.csv`)) ? readCsv(name) : [];
}

async function calibrate(machine: string, { line, repeat }: ModelEffort): Promise<void> {
	const words = ["study", "calibrate", "--output", machine, "--time-limit", String(line), "--repeat", String(repeat)];
	const contacts = line < 0.1 ? ["--contacts", "1000"] : [];
	console.log(await outputOf({ words: [...words, ...contacts], seconds: CALIBRATE_SECONDS }));
}

function pileFile(folder: string, pile: Case["pile"], contacts: number): string {
	const file = join(folder, `${pile}-${contacts}.hdf5`);
	const size = ["--contacts", String(contacts), "--seed", "1"];
	execFileSync(process.execPath, [program, "generate", pile, ...size, "--output", file]);
	return file;
}
