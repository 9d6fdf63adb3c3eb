/** Predicted beside measured: solves of this machine and what the model says of them, in turns, so that a slow minute slows both. */
import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { answerOf } from "../launch/subject.js";
import { Bed, type Host, noRelay, openNetwork, openRelay, stickslip } from "../testing.js";
import type { Case, ModelEffort } from "./cases.js";
import { jsonOf, type PredictedRow } from "./command.js";
import { coreRoundTrip } from "./core-distance.js";

export type ValidationRow = Readonly<
	Record<(typeof VALIDATION_KEY)[number], string | number> &
		Record<"fitted" | "crowded" | "reason", string> &
		Record<"iterations" | "measuredMs" | "predictedMs" | "errorPercent" | "coresNs", number>
>;
/** What tells one case from another. */
export const VALIDATION_KEY = ["pile", "contacts", "method", "transport", "ranks", "delayMs", "gigabits"] as const;

const SOLVE_SECONDS = 120;
/** Solves of a measurement. */
const REPEAT_MIN = 3;
const REPEAT_MAX = 200;
const PORT = 7311;
const MPI: Readonly<Record<string, string>> = { openmpi: "openmpi", mpich: "mpich" };

export interface Validation {
	readonly effort: ModelEffort;
	readonly machine: string;
	/** The file of a pile. */
	readonly fileOf: (pile: Case["pile"], contacts: number) => string;
	readonly cores: number;
	/** Measures the constants of a transport anew. */
	readonly calibrate: (transport: string) => Promise<void>;
	readonly print: (line: string) => void;
	/** Gets each row as soon as it is there: an interrupted bench keeps what it has. */
	readonly keep: (row: ValidationRow) => void;
}

export async function validate(cases: readonly Case[], validation: Validation): Promise<ValidationRow[]> {
	const rows: ValidationRow[] = [];
	// Constants of a transport, and what is measured over it, are of the same minute, and of cores that are as far apart.
	const sorted = [...cases].sort((one, other) => ORDER.indexOf(one.transport) - ORDER.indexOf(other.transport));
	let calibrated = { transport: "", distance: 0 };
	for (const each of sorted) {
		const distance = (await coreRoundTrip()) ?? 0;
		const { transport } = each;
		if (transport !== calibrated.transport || !isLike(distance, calibrated.distance)) {
			await validation.calibrate(transport);
			calibrated = { transport, distance };
		}
		const row = { ...(await rowOf(each, validation)), coresNs: Math.round(distance) };
		validation.print(lineOf(row));
		rows.push(row);
		validation.keep(row);
	}
	return rows;
}

const ORDER = ["threads", "zeromq", "openmpi", "mpich", "zeromq-tcp"];
/** Cores that share a cache are three to four times as near as cores that do not. */
const LIKE = 1.5;
const isLike = (one: number, other: number): boolean => one <= LIKE * other && other <= LIKE * one;

/** A case that fails is marked with the reason, and the others go on. */
async function rowOf(each: Case, validation: Validation): Promise<Omit<ValidationRow, "coresNs">> {
	const { effort, cores } = validation;
	let measured = Number.POSITIVE_INFINITY;
	let predicted = Number.POSITIVE_INFINITY;
	let iterations = 0;
	let reason = "";
	try {
		const take = (seconds: number, count: number) => {
			measured = Math.min(measured, seconds);
			iterations = count;
		};
		for (let round = 0; round < effort.rounds; round += 1) {
			if (isApart(each)) {
				// Iterations on a long line take long, and hardly differ.
				const line = await measure(each, validation, effort.repeatApart, take);
				if (line !== undefined)
					validation.print(
						`  line: ${line.delayMs.toFixed(3)} ms, ${line.overheadUs.toFixed(1)} us of a core at either end`,
					);
				predicted = Math.min(predicted, await predictedSeconds(each, validation, line));
				continue;
			}
			predicted = Math.min(predicted, await predictedSeconds(each, validation, undefined));
			const repeat = Math.ceil(effort.seconds / Math.max(predicted, effort.seconds / REPEAT_MAX));
			await measure(each, validation, Math.max(REPEAT_MIN, repeat), take);
		}
	} catch (error) {
		reason = error instanceof Error ? error.message : String(error);
	}
	const { pile, contacts, method, transport, ranks, delayMs = 0, gigabits = 0, isFitted } = each;
	const isThere = reason === "" && Number.isFinite(measured) && Number.isFinite(predicted);
	return {
		...{ pile, contacts, method, transport, ranks, delayMs, gigabits, iterations },
		fitted: isFitted ? "yes" : "no",
		crowded: ranks > cores ? "yes" : "no",
		measuredMs: isThere ? 1000 * measured : 0,
		predictedMs: isThere ? 1000 * predicted : 0,
		errorPercent: isThere ? 100 * (predicted / measured - 1) : 0,
		reason,
	};
}

const isApart = ({ delayMs, gigabits }: Case): boolean => delayMs !== undefined || gigabits !== undefined;

function solveWords({ method }: Case, file: string, { iterations }: ModelEffort, repeat: number): string[] {
	const limits = ["--tolerance", "1e-300", "--max-iterations", String(iterations), "--repeat", String(repeat)];
	return ["solve", file, "--json", "--method", method, ...limits];
}

/** What a line between hosts took: milliseconds each way, and microseconds of the cores for each message, at either end. */
interface UsedLine {
	readonly delayMs: number;
	readonly overheadUs: number;
}

/** Returns what the line between the hosts really took; undefined where there is none. */
async function measure(
	each: Case,
	validation: Validation,
	repeat: number,
	take: (seconds: number, iterations: number) => void,
): Promise<UsedLine | undefined> {
	const words = solveWords(each, validation.fileOf(each.pile, each.contacts), validation.effort, repeat);
	if (isApart(each)) return await measureOnHosts(words, each, validation.cores, take);
	const mpi = MPI[each.transport];
	const transport = mpi === undefined ? each.transport : "mpi";
	const how = each.ranks === 1 ? ["--ranks", "1"] : ["--ranks", String(each.ranks), "--transport", transport];
	const env = mpi === undefined ? {} : { STICKSLIP_MPI: mpi };
	const [report] = await jsonOf<{ seconds: number; iterations: number }>({
		words: [...words, ...how],
		env,
		seconds: SOLVE_SECONDS,
	});
	if (report === undefined) throw new Error("no report was printed");
	take(report.seconds, report.iterations);
	return undefined;
}

/** A node on each host, with a core each as far as there are cores, whose lines have a delay or a limit; the relay says what its delay came to. */
async function measureOnHosts(
	words: readonly string[],
	{ ranks, delayMs, gigabits }: Case,
	cores: number,
	take: (seconds: number, iterations: number) => void,
): Promise<UsedLine> {
	const lack = noRelay();
	if (lack !== undefined) throw new Error(lack);
	const bed = new Bed();
	try {
		const names = Array.from({ length: ranks }, (_, index) => `host${index}`);
		const { hosts } = openNetwork(bed, names);
		const relay = delayMs === undefined ? undefined : await openRelay(bed, hosts, { delayMs });
		const addresses = relay?.addresses ?? hosts.map(({ address }) => address);
		if (gigabits !== undefined) await Promise.all(hosts.map((host) => limit(host, gigabits)));
		const before = await relay?.count();
		const key = randomBytes(32).toString("hex");
		const nodes = hosts.map((host, index) => {
			const runs = join(bed.folder, host.name);
			mkdirSync(runs);
			return stickslip(host, ["node", "--", ...words], {
				core: index % cores,
				seconds: SOLVE_SECONDS,
				env: {
					STICKSLIP_RUNS: runs,
					STICKSLIP_NODE: String(index),
					STICKSLIP_NODES: String(hosts.length),
					STICKSLIP_RENDEZVOUS: `${addresses[0]}:${PORT}`,
					STICKSLIP_LISTEN: addresses[index],
					STICKSLIP_KEY: key,
				},
			});
		});
		const [first] = await Promise.all(nodes.map(({ ended }) => ended));
		const { seconds, iterations, status, hash } = answerOf(first!);
		if (hash === "") throw new Error(status);
		take(seconds, iterations);
		if (relay === undefined || before === undefined) return { delayMs: 0, overheadUs: 0 };
		// What carries the packets has no core of its own here: it takes its time of the ranks', for a message and its receipt.
		const { roundTripMs, cpuSeconds, packets } = await relay.count();
		const each = (cpuSeconds - before.cpuSeconds) / Math.max(1, packets - before.packets);
		return { delayMs: roundTripMs / 2, overheadUs: 1e6 * each };
	} finally {
		await bed.close();
	}
}

/** What leaves the host is held back to so many gigabits a second. */
async function limit(host: Host, gigabits: number): Promise<void> {
	const rate = `${Math.round(1000 * gigabits)}mbit`;
	const words = ["qdisc", "add", "dev", "eth0", "root", "tbf", "rate", rate, "burst", "3kb", "latency", "1s"];
	const { code, err } = await host.start("tc", words, { seconds: 10 }).ended;
	if (code !== 0) throw new Error(`tc failed: ${err.trim()}`);
}

async function predictedSeconds(each: Case, validation: Validation, used: UsedLine | undefined): Promise<number> {
	const { effort, machine, fileOf, cores } = validation;
	const limits = ["--tolerance", "1e-300", "--max-iterations", String(effort.iterations)];
	const limited = each.gigabits === undefined ? [] : ["--bandwidth", String(each.gigabits)];
	const shared = ["--ranks-per-host", "1", "--cores", String(Math.min(cores, each.ranks))];
	const line = used === undefined ? [] : [...wordsOf(used), ...shared, ...limited];
	const how = ["--ranks", String(each.ranks), "--transport", each.transport, "--methods", each.method, ...line];
	const file = fileOf(each.pile, each.contacts);
	const [row] = await jsonOf<PredictedRow>({
		words: ["study", "predict", file, "--machine", machine, "--json", "--jitter", "0", ...limits, ...how],
		seconds: SOLVE_SECONDS,
	});
	if (row === undefined) throw new Error("no prediction was printed");
	return row.seconds;
}

const wordsOf = ({ delayMs, overheadUs }: UsedLine): string[] => [
	...["--delay", String(delayMs)],
	...["--overhead", String(overheadUs)],
];

function lineOf(row: ValidationRow): string {
	const where =
		Number(row.gigabits) > 0
			? `, ${row.gigabits} Gbit/s between hosts`
			: Number(row.delayMs) > 0
				? `, ${row.delayMs} ms apart`
				: row.crowded === "yes"
					? ", crowded"
					: "";
	const what = `${row.method}, ${row.pile} ${row.contacts}, ${row.ranks} x ${row.transport}${where}`;
	if (row.reason !== "") return `${what}: failed: ${row.reason}`;
	const [measured, predicted] = [row.measuredMs.toPrecision(4), row.predictedMs.toPrecision(4)];
	return `${what}: measured ${measured} ms, predicted ${predicted} ms, ${row.errorPercent.toFixed(1)} % (cores ${row.coresNs} ns apart)`;
}
