/** One round: a launch, the fault, how the run ends, and what is wrong with that. */
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Random } from "@stickslip/core";
import { type Answer, answerOf, recordedAnswer, type Subject } from "../launch/subject.js";
import { Bed, type Ended, type Launched, type LauncherKind, pause, until } from "../testing.js";
import type { Site } from "./hosts.js";
import { type Kept, keptIn, lostOf, unfinishedIn } from "./kept.js";
import { type Act, NOBODY, type Scene, type Victim } from "./kind.js";
import { type Kind, kinds } from "./kinds.js";
import type { FaultRow, RowKind } from "./row.js";

export const NODES = 2;
const NAMED_SECONDS = 10;
const READY_SECONDS = 60;
/** A run that nothing happens to takes some seconds; one that is disturbed may do its work twice. */
const RUN_SECONDS = 150;
const CHECKPOINT_SECONDS = 0.15;
const LEFT_SECONDS = 5;
/** Between the faults of a mixed round. */
const APART_SECONDS = 1;
const LOST = /^stickslip: (rank \d+|the run's process|n\d|host|node) .*\b(lost|failed|gone|ended|killed)\b/m;

export interface Circumstances {
	/** As it is told. */
	readonly kind: RowKind;
	/** What happens. */
	readonly kinds: readonly Kind[];
	readonly seed: number;
	readonly way: LauncherKind;
	readonly random: Random;
	/** Seconds after all ranks were ready. */
	readonly latest: number;
}

/** What is known of a round so far. */
type RoundRecord = { -readonly [Name in "at" | "hit" | "outcome" | "named" | "seconds"]: FaultRow[Name] };

export class Round {
	readonly #site: Site;
	readonly #subject: Subject;
	readonly #of: Circumstances;
	readonly #bed = new Bed();
	readonly #wrong: string[] = [];
	#acts: readonly Act[] = [];

	constructor(site: Site, subject: Subject, of: Circumstances) {
		this.#site = site;
		this.#subject = subject;
		this.#of = of;
	}

	async run(): Promise<FaultRow> {
		const { kind, seed, way, random } = this.#of;
		const record: RoundRecord = { at: "", hit: "", outcome: "too late", named: "", seconds: "" };
		let restarts = 0;
		let launched: Launched | undefined;
		try {
			const scene = this.#scene(random.below(2) === 0 ? 0 : 3);
			const acts: Act[] = [];
			for (const each of this.#of.kinds) acts.push(await kinds[each].open(scene));
			this.#acts = acts;
			restarts = scene.restarts;
			launched = await this.#launch(scene);
			await this.#play({ ...scene, launched }, record);
		} catch (error) {
			const last = launched?.log().slice(-3) ?? [];
			const said = last.map((line) => JSON.stringify(line)).join(" ");
			this.#wrong.push(`${error instanceof Error ? error.message : String(error)}: ${launched?.err()} ${said}`);
		}
		// Leftovers of a round must not disturb the next one.
		for (const act of this.#acts) await act.mend?.();
		for (const disk of Object.values(this.#site.disks)) {
			disk.free();
			for (const name of readdirSync(disk.folder)) rmSync(join(disk.folder, name), { recursive: true, force: true });
		}
		await this.#bed.close();
		const held = this.#wrong.length === 0 ? "yes" : "NO";
		return { kind, seed, launcher: way, restarts, ...record, held, why: this.#wrong.join("; ").replace(/\s+/g, " ") };
	}

	#scene(restarts: number): Scene {
		const { way, random } = this.#of;
		const at = (name: string) => {
			mkdirSync(join(this.#bed.folder, name));
			return join(this.#bed.folder, name);
		};
		const env = { TMPDIR: at("tmp") };
		const words = ["--checkpoint", String(CHECKPOINT_SECONDS)];
		const line = [...this.#subject.line];
		return { ...this.#site, way, random, bed: this.#bed, words, line, env, restarts, runs: at("runs") };
	}

	async #launch({ words, line, env, restarts, runs, stdout }: Scene): Promise<Launched> {
		const how = { env, ...(stdout !== undefined && { stdout }) };
		const options = { nodes: NODES, ranksPerNode: 1, words: [...words, "--restarts", String(restarts)], how };
		return await this.#site.cluster.launch(this.#of.way, line, options, runs);
	}

	async #play(victim: Victim, record: RoundRecord): Promise<void> {
		const { random, latest } = this.#of;
		const { launched } = victim;
		let isOver = false;
		void launched.ended.finally(() => {
			isOver = true;
		});
		const isReady = () => isOver || launched.log().some(({ event }) => event === "ready");
		await until("all ranks are ready", isReady, { seconds: READY_SECONDS });
		const at = random.between(0, latest);
		if (!isOver) await pause(at);
		record.at = at.toFixed(2);
		const isInTime = !isOver;
		const kept = keptIn(launched.folder());
		const struck = performance.now();
		const secondsSince = () => (performance.now() - struck) / 1000;
		const naming = this.#naming(launched, secondsSince, () => isOver);
		const hits = isInTime ? await this.#strike(victim) : [];
		const ended = await within(launched.ended, RUN_SECONDS, "the run ends");
		const seconds = secondsSince();
		record.seconds = seconds.toFixed(2);
		const isHit = hits.some((hit) => hit !== NOBODY);
		record.hit = isInTime ? hits.join(" + ") : NOBODY;
		if (isHit) record.outcome = "survived";
		const named = await naming;
		if (hits.length === 0 && this.#isRefused(ended)) {
			record.outcome = "refused";
			for (const act of this.#acts) await act.mend?.();
		} else await this.#checkFirst(victim, ended, { kept, named, seconds, told: record, isHit });
		await this.#checkNothingLeft();
	}

	/** All begin within a second. */
	async #strike(victim: Victim): Promise<string[]> {
		const { random } = this.#of;
		return await Promise.all(
			this.#acts.map(async (act, index) => {
				// Each draws from its own seed: which one draws first depends on the clock.
				const own = new Random(random.below(2 ** 31), index);
				if (index > 0) await pause(own.between(0, APART_SECONDS));
				return await act.strike({ ...victim, random: own });
			}),
		);
	}

	/** When the first line said who or what it was; undefined where none did before the end. */
	async #naming({ err }: Launched, seconds: () => number, isOver: () => boolean): Promise<number | undefined> {
		const begun = err().length;
		const isNamed = () => {
			const said = err().slice(begun);
			return LOST.test(said) || this.#acts.some(({ named }) => named?.test(said));
		};
		while (!isNamed()) {
			if (isOver()) {
				// What was said last may come after the end.
				await pause(0.05);
				return isNamed() ? seconds() : undefined;
			}
			await pause(0.05);
		}
		return seconds();
	}

	/** 3 is for what failed; another attempt of a line may also find that what it needs is not there, and says what to do. */
	#isEnd(code: number | null): boolean {
		const isKnown = this.#acts.some((act) => act.code === code || (act.mayRefuse === true && code === 2));
		return code === 3 || (code !== null && isKnown);
	}

	#isRefused({ code, err }: Ended): boolean {
		const isAllowed = this.#acts.some(({ mayRefuse }) => mayRefuse === true);
		return isAllowed && code === 2 && this.#acts.some(({ named }) => named?.test(err));
	}

	async #checkFirst(
		victim: Victim,
		ended: Ended,
		{ kept, named, seconds, told: record, isHit }: Readonly<First>,
	): Promise<void> {
		const { launched } = victim;
		const folder = launched.folder();
		const isEnd = this.#isEnd(ended.code);
		const isSolved = folder !== undefined && recordedAnswer(folder) !== undefined;
		if (named !== undefined) record.named = named.toFixed(2);
		const limit = Math.max(...this.#acts.map(({ namedSeconds }) => namedSeconds ?? NAMED_SECONDS));
		const hasToBeNamed = isHit && this.#acts.some(({ isAlwaysNamed }) => isAlwaysNamed === true);
		if (isEnd || hasToBeNamed) this.#checkNamed(named, limit, ended.err);
		if (folder === undefined) this.#wrong.push(`there is no run (exit code ${ended.code}: ${ended.err.trim()})`);
		else this.#wrong.push(...lostOf(kept, folder, !isEnd || isSolved));
		const isHarmless = this.#acts.every((act) => act.isHarmless === true);
		if (isEnd) {
			record.outcome = "ended";
			if (isHarmless) this.#wrong.push(`ended: ${lastLine(ended.err)}`);
			const isLasting = this.#acts.some((act) => act.isLasting === true);
			if (victim.restarts > 0 && !isLasting)
				this.#wrong.push(`ended although restarts were left: ${lastLine(ended.err)}`);
			const endsLate = this.#acts.some((act) => act.endsLate === true);
			if (victim.restarts === 0 && seconds > limit + LEFT_SECONDS && !endsLate)
				this.#wrong.push(`ended after ${seconds.toFixed(1)} s`);
			for (const act of this.#acts) await act.mend?.();
			if (folder !== undefined) await this.#resume(folder, victim.env);
		} else
			await this.#checkAnswer(
				ended,
				folder,
				this.#acts.some(({ isUnread }) => isUnread === true),
			);
		const log = launched.log().slice(kept.lines);
		if (record.outcome === "survived" && log.some(({ event }) => event === "restart")) record.outcome = "restarted";
		if (record.outcome === "restarted" && isHarmless) this.#wrong.push("started again");
		// What had come to its answer only prints it again.
		const isGoneOn = record.outcome === "restarted" || (record.outcome === "ended" && !isSolved);
		if (isGoneOn) this.#checkWork(log, kept.checkpoint);
	}

	#checkNamed(named: number | undefined, limit: number, err: string): void {
		if (named === undefined) this.#wrong.push(`nobody is named: ${err.trim()}`);
		else if (named > limit) this.#wrong.push(`named after ${named.toFixed(1)} s`);
	}

	/** Only the work since the checkpoint is lost: the run continues from there, or from a later one. */
	#checkWork(log: readonly { readonly event: string; readonly iteration?: unknown }[], kept: number): void {
		if (kept === 0) return;
		const resumed = log.filter(({ event }) => event === "resumed");
		const from = Math.max(0, ...resumed.map(({ iteration }) => Number(iteration)));
		if (from < kept) this.#wrong.push(`went on from iteration ${from}, and iteration ${kept} was kept`);
	}

	async #checkAnswer(ended: Ended, folder: string | undefined, isUnread: boolean): Promise<void> {
		const wanted = this.#subject.answer;
		const recorded = folder === undefined ? undefined : recordedAnswer(folder);
		if (recorded?.hash !== wanted.hash)
			this.#wrong.push(`the run recorded ${recorded?.hash.slice(0, 8) ?? "no answer"}`);
		const answer = isUnread && recorded !== undefined ? { ...recorded, code: ended.code } : answerOf(ended);
		if (!isSame(answer, wanted)) {
			const { code, status, hash } = answer;
			this.#wrong.push(`exit code ${code}, ${status}, hash ${hash.slice(0, 8)}: ${ended.err.trim()}`);
		}
		for (const act of this.#acts) this.#wrong.push(...((await act.check?.(wanted.hash, ended.err)) ?? []));
	}

	async #resume(folder: string, env: Readonly<Record<string, string>>): Promise<void> {
		const running = await this.#site.cluster.type(["resume", folder], { env });
		const ended = await within(running.ended, RUN_SECONDS, "resume ends");
		// A batch job goes on to its answer without the terminal that followed it.
		await this.#checkAnswer(ended, folder, /is solved; there is nothing to resume/.test(ended.err));
	}

	async #checkNothingLeft(): Promise<void> {
		const isAlone = () => this.#site.cluster.leftovers().length === 0;
		await until("nobody is left", isAlone, { seconds: LEFT_SECONDS }).catch(() => {
			this.#wrong.push(`left: ${this.#site.cluster.leftovers().join(", ")}`);
		});
		const { disks } = this.#site;
		const unfinished = [this.#bed.folder, disks.runs.folder, disks.answers.folder].flatMap(unfinishedIn);
		if (unfinished.length > 0) this.#wrong.push(`unfinished: ${unfinished.join(", ")}`);
	}
}

/** What is known when the first process has ended. */
interface First {
	readonly kept: Kept;
	readonly named: number | undefined;
	readonly seconds: number;
	readonly told: RoundRecord;
	readonly isHit: boolean;
}

function isSame(answer: Answer, wanted: Answer): boolean {
	return answer.hash === wanted.hash && answer.code === wanted.code && answer.iterations === wanted.iterations;
}

async function within<Value>(promise: Promise<Value>, seconds: number, what: string): Promise<Value> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<never>((_, reject) => {
		timer = setTimeout(() => reject(new Error(`not within ${seconds} s: ${what}`)), 1000 * seconds);
	});
	return await Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

function lastLine(text: string): string {
	return text.trim().split("\n").at(-1) ?? "";
}
