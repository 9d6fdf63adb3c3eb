/** Predictions of solves on machines that are not here: constants of this one, predicted beside measured, and then what was asked. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cores } from "@stickslip/comm";
import type { Bench } from "../bench.js";
import { program } from "../launch/subject.js";
import { mergeCsv, readCsv } from "../record.js";
import { CASE_GROUPS, type Case, casesOf, type ModelEffort } from "./cases.js";
import { outputOf } from "./command.js";
import { drumFile, type SettledDrum } from "./drum-file.js";
import { errorsOf, type JudgedCase, pageOf } from "./page.js";
import { PREDICTED_STUDIES, predictions } from "./predictions.js";
import { VALIDATION_KEY, validate } from "./validate.js";

const full: ModelEffort = {
	contacts: 3000,
	moreContacts: 20_000,
	iterations: 30,
	rounds: 1,
	repeat: 5,
	seconds: 1.2,
	repeatApart: 3,
	line: 0.15,
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
	repeatApart: 2,
	line: 0.01,
	particles: 200,
	steps: 2,
};

const PARTS = ["calibrate", "validate", "predict", "page"] as const;
const CALIBRATED = ["threads", "zeromq", "zeromq-tcp", "openmpi", "mpich", "work"] as const;
/** Parts of parts: each by itself takes less than three minutes, and adds to what there is. */
const SOME = [...CALIBRATED, ...CASE_GROUPS, ...PREDICTED_STUDIES] as const;
/** Of the predictions, as in their tables. */
const METHODS = "--methods=";
/** Predictions need no quiet machine: what was measured beside them stays. */
const PREDICTED = "--predicted";
const usage = `npm run bench -- model [${PARTS.join("|")}] [--tiny] [${SOME.map((name) => `--${name}`).join("] [")}] [${METHODS}LIST] [${PREDICTED}]; without a part all of them`;
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
		const some = SOME.filter((name) => args.includes(`--${name}`));
		const chosen = <Name extends string>(names: readonly Name[]): readonly Name[] => {
			const own = names.filter((name) => (some as readonly string[]).includes(name));
			return own.length > 0 ? own : names;
		};
		const methods = args
			.find((arg) => arg.startsWith(METHODS))
			?.slice(METHODS.length)
			.split(",");
		const isPart = (arg: string) => arg !== "--tiny" && arg !== PREDICTED && !arg.startsWith(METHODS);
		const parts = args.filter((arg) => isPart(arg) && !SOME.some((name) => arg === `--${name}`));
		if (parts.some((part) => !(PARTS as readonly string[]).includes(part))) {
			console.log(usage);
			return 2;
		}
		const wants = (part: (typeof PARTS)[number]) => parts.length === 0 || parts.includes(part);
		const effort = isTiny ? tiny : full;
		const folder = isTiny ? join(tmpdir(), `stickslip-model-${process.pid}`) : out;
		mkdirSync(folder, { recursive: true });
		const machine = join(folder, "machine.json");
		if (wants("calibrate")) await calibrate(machine, effort, chosen(CALIBRATED));
		let code = 0;
		if (wants("validate")) {
			const groups = chosen(CASE_GROUPS);
			const cases = casesOf(effort, cores().length).filter(({ group }) => groups.includes(group));
			const rows = await validate(cases, {
				effort,
				machine,
				fileOf: (pile, contacts) => pileFile(folder, pile, contacts),
				cores: cores().length,
				calibrate: (transport) => calibrate(machine, effort, [transport as (typeof CALIBRATED)[number]]),
				print: console.log,
				keep: (row) => {
					if (!isTiny) mergeCsv("model-validation", VALIDATION_KEY, [row]);
				},
			});
			const { own, crowded, median, failed } = errorsOf(
				isTiny ? rows : recordedRows<keyof JudgedCase>("model-validation"),
			);
			const isHeld = own <= TARGETS.own && crowded <= TARGETS.crowded && median <= TARGETS.median && failed === 0;
			console.log(
				`largest error with a core per rank ${own.toFixed(1)} % of ${TARGETS.own}, crowded ${crowded.toFixed(1)} % of ${TARGETS.crowded}, median ${median.toFixed(1)} % of ${TARGETS.median}, ${failed} failed: ${isHeld ? "held" : "MISSED"}`,
			);
			code = isHeld ? 0 : 1;
		}
		if (wants("predict")) {
			const { particles, steps } = effort;
			const drumOf = (kind: SettledDrum["kind"]) => drumFile({ particles, kind, steps }, console.log, folder);
			const what = {
				machine,
				drumOf,
				isTiny,
				studies: chosen(PREDICTED_STUDIES),
				methods,
				measures: !args.includes(PREDICTED),
			};
			await predictions({ ...what, print: console.log }, (rows) => {
				if (!isTiny && rows.length > 0) mergeCsv("model-predictions", KEY, rows);
			});
		}
		if (wants("page") && !isTiny) {
			writeFileSync(page, pageOf(recordedRows("model-validation"), recordedRows("model-predictions")));
			console.log("written: docs/predictions.md");
		}
		return code;
	},
};

/** Rows of a file that may not be there yet. */
export function recordedRows<Column extends string>(name: string): Record<Column, string>[] {
	return existsSync(join(results, `${name}.csv`)) ? readCsv<Column>(name) : [];
}

/** One by one: an interrupted calibration keeps what it has. */
async function calibrate(
	machine: string,
	{ line, repeat }: ModelEffort,
	what: readonly (typeof CALIBRATED)[number][],
): Promise<void> {
	const effort = ["--time-limit", String(line), "--repeat", String(repeat)];
	const words = ["study", "calibrate", "--output", machine, "--add", ...effort];
	const contacts = line < 0.1 ? ["--contacts", "1000"] : [];
	for (const name of what) {
		const only = name === "work" ? ["--transports", "none"] : ["--transports", name, "--methods", "none"];
		console.log(await outputOf({ words: [...words, ...contacts, ...only], seconds: CALIBRATE_SECONDS }));
	}
}

function pileFile(folder: string, pile: Case["pile"], contacts: number): string {
	const file = join(folder, `${pile}-${contacts}.hdf5`);
	const size = ["--contacts", String(contacts), "--seed", "1"];
	execFileSync(process.execPath, [program, "generate", pile, ...size, "--output", file]);
	return file;
}
