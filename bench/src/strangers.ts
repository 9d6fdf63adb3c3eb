/**
 * The cost of strangers in memory: the peaks of the hub, the ranks and the other processes of a run, in a quiet run and in one with 300 strangers of each
 * kind at a time at all of its ports: a run on this machine (with its metrics), one over ssh with its tunnels, and nodes that come by themselves. And the
 * cost of clients that misbehave in the memory of a service, in rounds by seed.
 */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Bench } from "./bench.js";
import { portsOf } from "./faults/kinds/strangers.js";
import { subjectIn } from "./launch/subject.js";
import { mergeCsv } from "./record.js";
import { MISBEHAVING, type MisbehavingKind, type MisbehavingRow, misbehave } from "./serve/misbehaving.js";
import {
	Bed,
	Cluster,
	commandOf,
	type Host,
	logIn,
	noLauncher,
	pause,
	type Running,
	STRANGER_KINDS,
	type StrangerKind,
	until,
} from "./testing.js";

const usage = `npm run bench -- strangers [SCENE...] [--seconds S] [--rounds N] [--seed N] [--record]
  scenes of a run: local, ssh, node; of a service: ${MISBEHAVING.join(", ")}; all without a name, and then they are recorded`;
const ROUNDS = 20;
const STRANGERS = 300;
const SECONDS_EACH = 3;
const MORE_MIB_MAX = 64;
const READY_SECONDS = 60;
const NODES = 2;
const METRICS = "127.0.0.1:9464";
const program = fileURLToPath(new URL("../dist/faults/stranger-process.js", import.meta.url));

const SCENES = ["local", "ssh", "node"] as const;
type SceneName = (typeof SCENES)[number];

export interface MemoryRow {
	readonly scene: SceneName;
	readonly who: string;
	/** The most that was really there, in MiB. */
	readonly quiet: number;
	readonly attacked: number;
	readonly more: number;
	readonly held: "yes" | "NO";
}

export const strangers: Bench = {
	name: "strangers",
	what: `memory under ${STRANGERS} strangers of each kind (a run: at most ${MORE_MIB_MAX} MiB more than quiet) and clients that misbehave (a service)`,
	async run(args) {
		const plan = planOf(args);
		if (plan === undefined) {
			console.log(usage);
			return 2;
		}
		let isHeld = true;
		for (const scene of plan.scenes) isHeld = (await runScene(scene, plan)) && isHeld;
		for (const kind of plan.kinds) isHeld = (await rounds(kind, plan)) && isHeld;
		return isHeld ? 0 : 1;
	},
};

interface Plan {
	readonly scenes: readonly SceneName[];
	readonly kinds: readonly MisbehavingKind[];
	readonly seconds: number;
	readonly rounds: number;
	readonly seed: number;
	readonly isRecorded: boolean;
}

/** Undefined for invalid arguments. */
function planOf(args: readonly string[]): Plan | undefined {
	try {
		const number = { type: "string" } as const;
		const { values, positionals } = parseArgs({
			args: [...args],
			allowPositionals: true,
			options: {
				seconds: number,
				rounds: number,
				seed: number,
				record: { type: "boolean", default: args.length === 0 },
			},
		});
		const chosen = <Name extends string>(names: readonly Name[]) =>
			names.filter((name) => positionals.length === 0 || positionals.includes(name));
		const [scenes, kinds] = [chosen(SCENES), chosen(MISBEHAVING)];
		const [seconds, count, seed] = [values.seconds ?? SECONDS_EACH, values.rounds ?? ROUNDS, values.seed ?? 1].map(
			Number,
		);
		const isKnown = positionals.length === 0 || scenes.length + kinds.length === positionals.length;
		if (!isKnown || !(seconds! > 0) || !(count! >= 1) || !(seed! >= 0)) return undefined;
		return { scenes, kinds, seconds: seconds!, rounds: count!, seed: seed!, isRecorded: values.record };
	} catch {
		return undefined;
	}
}

async function runScene(scene: SceneName, { seconds, isRecorded }: Plan): Promise<boolean> {
	const lack = noLauncher("ssh");
	if (lack !== undefined) {
		console.log(`skipped: ${scene}: ${lack}`);
		return true;
	}
	const rows = await compare(scene, seconds);
	for (const row of rows) console.log(lineOf(row));
	if (isRecorded)
		mergeCsv(
			"strangers",
			["scene", "who"],
			rows.map((row) => ({ ...row })),
		);
	return rows.every(({ held }) => held === "yes");
}

async function rounds(kind: MisbehavingKind, { rounds: count, seed, isRecorded }: Plan): Promise<boolean> {
	const rows: MisbehavingRow[] = [];
	for (let round = seed; round < seed + count; round += 1) {
		const row = await misbehave(kind, round);
		const { quiet, attacked, more, answers, held, why } = row;
		const end = held === "yes" ? "held" : `MISSED: ${why}`;
		console.log(
			`${kind.padEnd(11)}round ${String(round).padStart(3)}: ${quiet} to ${attacked} MiB (+${more}), ${answers} answers  ${end}`,
		);
		rows.push(row);
		// At once, so that an interrupted bench keeps its rows.
		if (isRecorded) mergeCsv("misbehaving", ["kind", "round"], [{ ...row }]);
	}
	const most = Math.max(...rows.map(({ more }) => more));
	const held = rows.filter((row) => row.held === "yes").length;
	console.log(`${kind}: ${held} of ${rows.length} rounds held, at most ${most} MiB more`);
	return held === rows.length;
}

/** The same run twice, for as long. */
export async function compare(
	scene: SceneName,
	seconds: number,
	kinds: readonly StrangerKind[] = STRANGER_KINDS,
): Promise<MemoryRow[]> {
	const quiet = await most(scene, seconds, kinds, false);
	const attacked = await most(scene, seconds, kinds, true);
	return [...quiet].map(([who, before]) => {
		const after = attacked.get(who) ?? Number.NaN;
		const more = after - before;
		return { scene, who, quiet: before, attacked: after, more, held: more <= MORE_MIB_MAX ? "yes" : "NO" };
	});
}

async function most(
	scene: SceneName,
	seconds: number,
	kinds: readonly StrangerKind[],
	isAttacked: boolean,
): Promise<ReadonlyMap<string, number>> {
	const cluster = new Cluster(NODES);
	const bed = new Bed();
	try {
		const endless = ["--method", "pqn-diagonal", "--tolerance", "1e-300", "--max-iterations", "1000000000"];
		const { line } = subjectIn(bed.folder, "planks", 1000, endless, false);
		const runs = cluster.runsFolder();
		const started = await begin(cluster, scene, line, runs);
		const hosts = scene === "local" ? [cluster.front] : [cluster.front, ...cluster.nodes];
		const isReady = () =>
			started.some(({ child }) => child.exitCode !== null) || logIn(runs).some(({ event }) => event === "ready");
		await until("all ranks are ready", isReady, { seconds: READY_SECONDS });
		for (const kind of kinds) {
			const said = isAttacked ? await attack(bed, hosts, kind, seconds) : await quiet(seconds);
			const all = [...memoryOf(hosts)].map(([who, mebibytes]) => `${who} ${mebibytes}`).join(", ");
			console.log(`  ${kind}: ${said}; MiB at most so far: ${all}`);
		}
		const over = started.find(({ child }) => child.exitCode !== null);
		if (over !== undefined) throw new Error(`the run has ended: ${over.err().trim()}`);
		return memoryOf(hosts);
	} finally {
		await bed.close();
		await cluster.close();
	}
}

async function begin(cluster: Cluster, scene: SceneName, line: readonly string[], runs: string): Promise<Running[]> {
	if (scene === "node") {
		const env = {
			STICKSLIP_NODES: String(NODES),
			STICKSLIP_RENDEZVOUS: `${cluster.front.address}:7117`,
			STICKSLIP_KEY: randomBytes(32).toString("hex"),
			STICKSLIP_RUN: join(runs, "one"),
		};
		const node = (index: number) =>
			cluster.type(["node", "--", ...line], { env: { ...env, STICKSLIP_NODE: String(index) } });
		return [await node(0), await node(1)];
	}
	if (scene === "ssh") await cluster.sshd();
	const where = scene === "ssh" ? ["ssh", "--host", "n1,n2"] : ["local", "--nodes", String(NODES)];
	const words = [...where, "--ranks-per-node", "1", "--metrics", METRICS, "--runs", runs];
	return [await cluster.type(["launch", ...words, "--", ...line])];
}

/** So many of a kind at the ports of each host, for as long; they say how many came. */
async function attack(bed: Bed, hosts: readonly Host[], kind: StrangerKind, seconds: number): Promise<string> {
	const crowds = hosts.flatMap((host) => {
		const ports = portsOf(host);
		if (ports.length === 0) return [];
		const [first = "", ...words] = [...host.words(), process.execPath, program, String(STRANGERS), kind];
		const crowd = bed.start(first, words, { input: "open", seconds: seconds + 60 });
		crowd.child.stdin?.write(`${ports.join(" ")}\n`);
		return [crowd];
	});
	await until("strangers are there", () => crowds.every(({ out }) => out() !== ""), { seconds: 30 });
	await pause(seconds);
	for (const { child } of crowds) child.stdin?.end();
	const said = await Promise.all(crowds.map(async ({ ended }) => (await ended).out.split("\n")[1] ?? ""));
	return said.join(", ");
}

async function quiet(seconds: number): Promise<string> {
	await pause(seconds);
	return "nobody";
}

/** The high-water mark of each process of the run, the largest of those that do the same, in MiB. */
function memoryOf(hosts: readonly Host[]): Map<string, number> {
	const found = new Map<string, number>();
	for (const pid of hosts.flatMap((host) => host.pids())) {
		const who = roleOf(commandOf(pid));
		const status = who === undefined ? "" : readFileSync(`/proc/${pid}/status`, "utf8");
		const kib = Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0);
		if (who !== undefined) found.set(who, Math.max(found.get(who) ?? 0, Math.round(kib / 1024)));
	}
	return found;
}

function roleOf(command: string): string | undefined {
	if (!/^\S*node(js)? /.test(command) || command.includes("stranger-process")) return undefined;
	if (/(ranks|bundled)\/process\.js/.test(command)) return "a rank's process";
	if (/supervised\.js/.test(command)) return "the hub";
	if (/ (launch|node) /.test(command)) return "who started it";
	return undefined;
}

function lineOf({ scene, who, quiet, attacked, more, held }: MemoryRow): string {
	const numbers = `quiet ${String(quiet).padStart(4)} MiB, with strangers ${String(attacked).padStart(4)} MiB`;
	return `${scene.padEnd(6)}${who.padEnd(18)}${numbers}: ${more >= 0 ? "+" : ""}${more}  ${held === "yes" ? "held" : "MISSED"}`;
}
