/** What the model says of machines that are not here, and beside it what this one takes for the same. */
import { jsonOf, type PredictedRow } from "./command.js";
import type { SettledDrum } from "./drum-file.js";

export type PredictionRow = Readonly<
	Record<"study" | "method" | "network" | "source", string> &
		Record<
			| "ranks"
			| "contacts"
			| "contactsMean"
			| "iterations"
			| "seconds"
			| "parallel"
			| "loadBalance"
			| "serialisation"
			| "transfer"
			| "overOne"
			| "neighbours"
			| "ghosts"
			| "messages"
			| "bytes",
			number
		>
>;

export const PREDICTED_STUDIES = ["drum", "report", "report-pseudo-rigid", "weak"] as const;
export type StudyName = (typeof PREDICTED_STUDIES)[number];
const SECONDS = 1800;
const NETWORK = "omnipath-2017";
/** Of the audit of a program in C on hosts of 36 cores. */
const AUDITED = [36, 180, 360, 540, 720];
/** Of the report's table without numbers. */
const REPORTED = [24, 48, 96, 192, 384];
const WEAK = [1, 8, 64, 512, 1024];
/** Iterations at most: one is like another, and those of PQN are ten products each. */
const DRUM_ITERATIONS = 20;
const REPORT_ITERATIONS = 6;
const TINY_ITERATIONS = 5;
/** Solves that are measured, of which the fastest counts. */
const MEASURED = 3;
/** A thousand million on all ranks. */
const WEAK_CONTACTS = 976_563;

export interface PredictionEffort {
	readonly machine: string;
	/** The file of a drum with such particles. */
	readonly drumOf: (kind: SettledDrum["kind"]) => Promise<string>;
	readonly isTiny: boolean;
	readonly studies: readonly StudyName[];
	/** Those of the studies' methods that are wanted; all where undefined. */
	readonly methods: readonly string[] | undefined;
	/** Whether to measure one rank and two beside what is predicted, which needs a quiet machine. */
	readonly measures: boolean;
	readonly print: (line: string) => void;
}

interface Study {
	readonly name: StudyName;
	/** What is solved: the particles of a drum, or a graph of tiles. */
	readonly of: SettledDrum["kind"] | "tiles";
	readonly iterations: number;
	readonly methods: readonly string[];
	readonly ranks: readonly number[];
}

function studiesOf({ isTiny }: PredictionEffort): Study[] {
	const some = (ranks: readonly number[]) => (isTiny ? [1, 4] : [1, ...ranks]);
	const audited = {
		methods: [
			"pqn-diagonal:tile=1:measureEvery=4",
			"pqn-diagonal:tile=16:measureEvery=4",
			"pqn-diagonal:tile=1",
			"gauss-seidel:tile=1",
			"gauss-seidel:tile=16",
			"auto:tile=1",
		],
		ranks: some(AUDITED),
	};
	const reported = { methods: ["pqn:tile=16", "gauss-seidel:tile=1"], ranks: some(REPORTED) };
	const weak = { methods: ["pqn-diagonal", "gauss-seidel"], ranks: isTiny ? [1, 8] : WEAK };
	return [
		{ name: "drum", of: "rigid", iterations: DRUM_ITERATIONS, ...audited },
		{ name: "report", of: "rigid", iterations: REPORT_ITERATIONS, ...reported },
		{ name: "report-pseudo-rigid", of: "pseudo-rigid", iterations: REPORT_ITERATIONS, ...reported },
		{ name: "weak", of: "tiles", iterations: 0, ...weak },
	];
}

/** What is solved, and for how long: words for `study predict` and `solve`. */
async function wordsOf({ of, iterations }: Study, { drumOf, isTiny }: PredictionEffort): Promise<string[]> {
	if (of === "tiles") return ["--tiles", String(isTiny ? 10_000 : WEAK_CONTACTS)];
	return [await drumOf(of), "--max-iterations", String(isTiny ? TINY_ITERATIONS : iterations)];
}

/** `record` takes the rows of each method as soon as they are there. */
export async function predictions(
	effort: PredictionEffort,
	record: (rows: readonly PredictionRow[]) => void,
): Promise<void> {
	const common = ["--machine", effort.machine, "--network", NETWORK, "--repeat", "2", "--json"];
	for (const study of studiesOf(effort)) {
		const { name, methods, ranks } = study;
		if (!effort.studies.includes(name)) continue;
		const words = await wordsOf(study, effort);
		for (const method of methods.filter((each) => effort.methods?.includes(each) ?? true)) {
			const line = ["study", "predict", ...words, ...common, "--methods", method, "--ranks", ranks.join(",")];
			const found = await jsonOf<PredictedRow>({ words: line, seconds: SECONDS });
			const rows = found.map((row) => rowOf(name, row, "predicted"));
			for (const row of rows) effort.print(lineOf(row));
			record(rows);
			if (name !== "weak" && effort.measures) record(await measured(name, method, words, effort));
		}
	}
}

function rowOf(study: string, row: PredictedRow, source: PredictionRow["source"]): PredictionRow {
	return {
		...{ study, method: row.method, source, ranks: row.ranks, network: row.network },
		contacts: row.contacts,
		contactsMean: row.contactsMean,
		iterations: row.iterations,
		seconds: row.seconds,
		parallel: row.parallel,
		loadBalance: row.loadBalance,
		serialisation: row.serialisation,
		transfer: row.transfer,
		overOne: row.overOne,
		neighbours: row.neighboursMean,
		ghosts: row.ghostsMean,
		messages: row.messages,
		bytes: row.bytes,
	};
}

interface SolveReport {
	readonly contacts: number;
	readonly iterations: number;
	readonly seconds: number;
	readonly efficiency: Readonly<Record<"parallel" | "loadBalance" | "serialisation" | "transfer", number>>;
	readonly perRank: readonly { readonly messages: number; readonly bytes: number }[];
}

/** The same solves on one rank and on two of this machine. */
async function measured(
	study: string,
	method: string,
	words: readonly string[],
	{ print }: PredictionEffort,
): Promise<PredictionRow[]> {
	const [name = "", ...settings] = method.split(":");
	const set = settings.flatMap((setting) => ["--set", setting]);
	const rows: PredictionRow[] = [];
	for (const ranks of [1, 2]) {
		const line = ["solve", ...words, "--method", name, ...set, "--ranks", String(ranks)];
		line.push("--repeat", String(MEASURED), "--json");
		const [report] = await jsonOf<SolveReport>({ words: line, seconds: SECONDS });
		if (report === undefined) continue;
		const { contacts, iterations, seconds, efficiency, perRank } = report;
		const sum = (part: "messages" | "bytes") => perRank.reduce((total, each) => total + each[part], 0);
		const one = rows[0]?.seconds ?? seconds;
		rows.push({
			...{ study, method, source: "measured", ranks, network: "this machine", contacts },
			contactsMean: contacts / ranks,
			iterations,
			seconds,
			parallel: efficiency.parallel,
			loadBalance: efficiency.loadBalance,
			serialisation: efficiency.serialisation,
			transfer: efficiency.transfer,
			overOne: one / ranks / seconds,
			...{ neighbours: ranks - 1, ghosts: 0, messages: sum("messages"), bytes: sum("bytes") },
		});
		print(lineOf(rows.at(-1)!));
	}
	return rows;
}

function lineOf({ study, method, ranks, seconds, iterations, parallel, loadBalance, source }: PredictionRow): string {
	const each = ((1e6 * seconds) / iterations).toFixed(1);
	return `${study}, ${method}, ${ranks} ranks, ${source}: ${each} us an iteration, efficiency ${parallel.toFixed(3)}, balance ${loadBalance.toFixed(3)}`;
}
