/**
 * Runs that something happens to: of each kind so many rounds, each from its own seed. A run either ends within 10 s with a line that says who was
 * lost, and is gone on with by `resume`; or it goes on by itself, with restarts. Either way the answer is the undisturbed one, and nothing is left.
 */
import { parseArgs } from "node:util";
import {
	Bed,
	Cluster,
	type Launched,
	type LogLine,
	noWay,
	openSmallDisk,
	pause,
	type SmallDisk,
	until,
	type Way,
} from "@stickslip/cluster-runner/testing";
import { Random } from "@stickslip/core";
import type { Bench } from "../bench.js";
import { recordCsv } from "../record.js";
import { KINDS, type Kind, strike, waysOf } from "./fault-kinds.js";
import { type FaultRow, lineOf, tallyOf } from "./fault-row.js";
import { type Answer, answerOf, type Subject, subjectIn } from "./subject.js";

const NODES = 2;
const ROUNDS = 50;
const ITERATIONS = 6_000;
const LATEST_SECONDS = 0.9;
const NAMED_SECONDS = 10;
const READY_SECONDS = 30;
/** A run that nothing happens to takes some seconds; one that is disturbed may do its work twice. */
const RUN_SECONDS = 120;
const CHECKPOINT_SECONDS = 0.15;
const LEFT_SECONDS = 5;
const DISK_BYTES = 24 * 2 ** 20;
const usage = `npm run bench -- faults [--kind ${KINDS.join("|")}] [--rounds N] [--seed N] [--way WAY]`;

export const faults: Bench = {
	name: "faults",
	what: "runs with a lost rank, node, link, disk, hub or allocation, and SIGTERM: named or gone on with, the same hash",
	async run(args) {
		const plan = planIn(args);
		if (plan === undefined) {
			console.log(usage);
			return 2;
		}
		const rows: FaultRow[] = [];
		const bed = new Bed();
		try {
			const subject = faultSubject(bed.folder, ITERATIONS);
			for (const kind of plan.kinds) {
				const own: FaultRow[] = [];
				// A run that had ended before anything happened to it is no round, and another seed is taken.
				for (let tried = 0; own.length < plan.rounds && tried < 2 * plan.rounds; tried += 1) {
					const row = await faultRound(subject, kind, plan.seed + tried, plan.way);
					if (row === undefined) continue;
					console.log(lineOf(row));
					if (row.outcome !== "too late" || row.held === "NO") own.push(row);
				}
				rows.push(...own);
				console.log(tallyOf(kind, own));
			}
		} finally {
			await bed.close();
		}
		if (args.length === 0)
			console.log(
				`recorded in ${recordCsv(
					"faults",
					rows.map((row) => ({ ...row })),
				)}`,
			);
		return rows.every(({ held }) => held === "yes") ? 0 : 1;
	},
};

/** Some seconds of work on two ranks, so that something can happen to it. */
export function faultSubject(folder: string, iterations: number): Subject {
	const options = ["--method", "pqn-diagonal", "--tolerance", "1e-300", "--max-iterations", String(iterations)];
	return subjectIn(folder, "planks", 2000, options);
}

/** One round, with a cluster of its own; undefined where this machine has not what it takes. */
export async function faultRound(
	subject: Subject,
	kind: Kind,
	seed: number,
	wanted?: Way,
	latest = LATEST_SECONDS,
): Promise<FaultRow | undefined> {
	const random = new Random(seed, KINDS.indexOf(kind));
	const ways = waysOf[kind];
	const way = wanted ?? ways[random.below(ways.length)]!;
	const lack = noWay(way);
	if (lack !== undefined) {
		console.log(`skipped: ${kind}, ${way}: ${lack}`);
		return undefined;
	}
	const cluster = new Cluster(NODES);
	try {
		const disk = openSmallDisk(cluster.bed, DISK_BYTES);
		return await new Round(cluster, subject, disk, { kind, seed, way, random, latest }).run();
	} finally {
		await cluster.close();
	}
}

/** What is known of a round so far. */
type Told = { -readonly [Name in "at" | "hit" | "outcome" | "seconds"]: FaultRow[Name] };

interface Circumstances {
	readonly kind: Kind;
	readonly seed: number;
	readonly way: Way;
	readonly random: Random;
	/** Seconds after all ranks were ready. */
	readonly latest: number;
}

class Round {
	readonly #cluster: Cluster;
	readonly #subject: Subject;
	readonly #disk: SmallDisk;
	readonly #of: Circumstances;
	readonly #wrong: string[] = [];

	constructor(cluster: Cluster, subject: Subject, disk: SmallDisk, of: Circumstances) {
		this.#cluster = cluster;
		this.#subject = subject;
		this.#disk = disk;
		this.#of = of;
	}

	async run(): Promise<FaultRow> {
		const { kind, seed, way, random } = this.#of;
		const restarts = random.below(2) === 0 ? 0 : 3;
		const words = ["--restarts", String(restarts), "--checkpoint", String(CHECKPOINT_SECONDS)];
		const how = { nodes: NODES, ranksPerNode: 1, words };
		const launched = await this.#cluster.launch(way, this.#subject.line, how, this.#disk.folder);
		const told: Told = { at: "", hit: "", outcome: "too late", seconds: "" };
		try {
			await this.#play(launched, restarts, told);
		} catch (error) {
			const last = launched
				.log()
				.slice(-3)
				.map((line) => JSON.stringify(line));
			this.#wrong.push(
				`${error instanceof Error ? error.message : String(error)}: ${launched.err()} ${last.join(" ")}`,
			);
		}
		const held = this.#wrong.length === 0 ? "yes" : "NO";
		return { kind, seed, launcher: way, restarts, ...told, held, why: this.#wrong.join("; ") };
	}

	async #play(launched: Launched, restarts: number, told: Told): Promise<void> {
		const { kind, random, latest } = this.#of;
		let isOver = false;
		void launched.ended.finally(() => {
			isOver = true;
		});
		const isReady = () => isOver || launched.log().some(({ event }) => event === "ready");
		await until("all ranks are ready", isReady, { seconds: READY_SECONDS });
		const at = random.between(0, latest);
		await pause(at);
		told.at = at.toFixed(2);
		const isInTime = !isOver;
		const struck = performance.now();
		const struckAt = Date.now();
		const nodes = this.#cluster.nodes;
		const victim = { cluster: this.#cluster, launched, nodes, disk: this.#disk, random };
		told.hit = isInTime ? await strike(kind, victim) : "nobody";
		const ended = await within(launched.ended, RUN_SECONDS, "the run ends");
		const seconds = (performance.now() - struck) / 1000;
		told.seconds = seconds.toFixed(2);
		if (told.hit !== "nobody") told.outcome = "survived";
		const kept = keptBefore(launched.log(), struckAt);
		if (ended.code === 3 || ended.code === 75) {
			told.outcome = "ended";
			this.#checkEnd(ended.code, restarts, seconds, ended.err);
			await this.#resume(launched.folder());
		} else this.#checkAnswer(answerOf(ended), ended.err);
		if (told.outcome === "survived" && launched.log().some(({ event }) => event === "restart"))
			told.outcome = "restarted";
		if (told.outcome === "ended" || told.outcome === "restarted") this.#checkWork(launched.log(), struckAt, kept);
		await this.#checkNobody();
	}

	/** Ended is right for SIGTERM, and for a loss without restarts; then in time and in words. */
	#checkEnd(code: number, restarts: number, seconds: number, err: string): void {
		const { kind } = this.#of;
		if (kind === "term") {
			if (code !== 75) this.#wrong.push(`SIGTERM gave exit code ${code}`);
		} else if (code !== 3) this.#wrong.push(`exit code ${code}`);
		else if (restarts > 0) this.#wrong.push(`ended with restarts left: ${lastLine(err)}`);
		else if (!isNamed(err)) this.#wrong.push(`nobody is named: ${err.trim()}`);
		// A link that is down for 3 s may be noticed late in it.
		if (seconds > NAMED_SECONDS) this.#wrong.push(`ended after ${seconds.toFixed(1)} s`);
	}

	/** Nothing is lost but the work since the checkpoint: whoever goes on does so from there, or from a later one. */
	#checkWork(log: readonly LogLine[], struckAt: number, kept: number): void {
		if (kept === 0) return;
		const resumed = log.filter(({ event, time }) => event === "resumed" && Date.parse(time) >= struckAt);
		const from = Math.max(0, ...resumed.map(({ iteration }) => Number(iteration)));
		if (from < kept) this.#wrong.push(`went on from iteration ${from}, and iteration ${kept} was kept`);
	}

	#checkAnswer(answer: Answer, err: string): void {
		const wanted = this.#subject.answer;
		const isSame =
			answer.hash === wanted.hash && answer.code === wanted.code && answer.iterations === wanted.iterations;
		if (!isSame) {
			const { code, status, hash } = answer;
			this.#wrong.push(`exit code ${code}, ${status}, hash ${hash.slice(0, 8)}: ${err.trim()}`);
		}
	}

	async #resume(folder: string | undefined): Promise<void> {
		if (folder === undefined) {
			this.#wrong.push("there is no run to resume");
			return;
		}
		const ended = await within((await this.#cluster.type(["resume", folder])).ended, RUN_SECONDS, "resume ends");
		this.#checkAnswer(answerOf(ended), ended.err);
	}

	async #checkNobody(): Promise<void> {
		const isAlone = () => this.#cluster.leftovers().length === 0;
		await until("nobody is left", isAlone, { seconds: LEFT_SECONDS }).catch(() => {
			this.#wrong.push(`left: ${this.#cluster.leftovers().join(", ")}`);
		});
	}
}

/** The iteration of the newest checkpoint that was whole by then; 0 where there was none. */
function keptBefore(log: readonly LogLine[], time: number): number {
	const kept = log.filter(({ event, time: at }) => event === "checkpoint" && Date.parse(at) <= time);
	return Math.max(0, ...kept.map(({ iteration }) => Number(iteration)));
}

async function within<Value>(promise: Promise<Value>, seconds: number, what: string): Promise<Value> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<never>((_, reject) => {
		timer = setTimeout(() => reject(new Error(`not within ${seconds} s: ${what}`)), 1000 * seconds);
	});
	return await Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Some line says who was lost, a rank or the line itself. */
function isNamed(err: string): boolean {
	return /^stickslip: (rank \d+|the run's process|n\d|host) .*\b(lost|failed|gone|ended|killed)\b/m.test(err);
}

function lastLine(text: string): string {
	return text.trim().split("\n").at(-1) ?? "";
}

function planIn(args: readonly string[]) {
	try {
		const { values } = parseArgs({
			args: [...args],
			options: {
				kind: { type: "string" },
				way: { type: "string" },
				rounds: { type: "string", default: String(ROUNDS) },
				seed: { type: "string", default: "1" },
			},
		});
		const kinds = KINDS.filter((kind) => values.kind === undefined || values.kind === kind);
		const way = (Object.values(waysOf).flat() as Way[]).find((each) => each === values.way);
		const [rounds, seed] = [Number(values.rounds), Number(values.seed)];
		const isWrong = kinds.length === 0 || !(rounds >= 1) || !(seed >= 0) || way !== values.way;
		return isWrong ? undefined : { kinds, rounds, seed, way };
	} catch {
		return undefined;
	}
}
