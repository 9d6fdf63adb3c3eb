/**
 * A real Slurm without systemd: munged, slurmctld and a slurmd per node, with keys, sockets, ports, state and logs in the bed's folder. Nodes
 * are virtual ones on loopback, or hosts of a network with addresses of their own. Two partitions of all nodes: `work`, whose jobs are
 * requeued when one of `urgent` needs their place.
 */
import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import type { Bed, HowToStart, Running } from "./bed.js";
import type { Host } from "./hosts.js";
import { findProgram } from "./lacking.js";
import { freePorts } from "./ports.js";
import { until } from "./wait.js";

export interface SlurmOptions {
	/** Virtual nodes, unless hosts are given. */
	readonly nodes?: number;
	/** The controller runs on the first, which is not a node; the others are nodes of their names. */
	readonly hosts?: readonly Host[];
	/** Of each node; more than the machine has are allowed. Default 4. */
	readonly cpus?: number;
}

export interface Slurm {
	/** SLURM_CONF, for whoever calls sbatch, srun or squeue. */
	readonly env: Readonly<Record<string, string>>;
	readonly nodes: readonly string[];
	/** Runs a command of Slurm on the controller's host, to its end; throws where it fails. */
	run(command: string, args: readonly string[], how?: HowToStart): Promise<string>;
	/** The state of a job, as squeue or scontrol names it: PENDING, RUNNING, COMPLETED... */
	state(job: string): Promise<string>;
	/** Takes a job from its nodes as the administrator may; it waits and runs again. */
	requeue(job: string): Promise<void>;
	/** A short job of the urgent partition on all nodes, which preempts others; resolves when it has ended. */
	preempt(seconds: number): Promise<void>;
	/** Starts the daemon of a node that was killed, as if the node had come up again. */
	serve(name: string): void;
	/** Until no job is left and all nodes are idle; throws where that takes too long. */
	settle(seconds: number): Promise<void>;
}

/** How long Slurm delays a requeued job, so that its former credentials have expired. */
const CREDENTIAL_SECONDS = 5;
const READY_SECONDS = 100;

export async function openSlurm(bed: Bed, options: SlurmOptions = {}): Promise<Slurm> {
	const { hosts, cpus = 4 } = options;
	const folder = join(bed.folder, "slurm");
	for (const name of ["munge", "state", "spool", "log"])
		mkdirSync(join(folder, name), { recursive: true, mode: 0o755 });
	const nodes = hosts?.slice(1).map(({ name }) => name) ?? names(options.nodes ?? 2);
	const controller = hosts?.[0];
	const ports = hosts === undefined ? await freePorts(1 + nodes.length) : [16817, ...nodes.map(() => 16818)];
	const conf = join(folder, "slurm.conf");
	const env = { SLURM_CONF: conf };
	const address = controller?.address ?? "127.0.0.1";
	const lines = [
		...settings(folder, `${controller?.name ?? hostname()}(${address})`, ports[0] ?? 0),
		...nodes.map((name, index) => {
			const of = hosts?.[index + 1]?.address ?? "127.0.0.1";
			return `NodeName=${name} NodeHostname=${name} NodeAddr=${of} Port=${ports[index + 1]} CPUs=${cpus} RealMemory=4000`;
		}),
		`PartitionName=work Nodes=${nodes.join(",")} Default=YES MaxTime=60 PriorityTier=1 PreemptMode=REQUEUE GraceTime=0`,
		`PartitionName=urgent Nodes=${nodes.join(",")} MaxTime=60 PriorityTier=10 PreemptMode=OFF`,
	];
	writeFileSync(conf, `${lines.join("\n")}\n`);

	const started: Running[] = [startMunge(bed, folder)];
	const on = (host: Host | undefined, command: string, args: readonly string[], how: HowToStart = {}): Running => {
		const env2 = { ...env, ...how.env };
		const path = findProgram(command) ?? command;
		return host === undefined
			? bed.start(path, args, { ...how, env: env2 })
			: host.start(path, args, { ...how, env: env2 });
	};
	const run = async (command: string, args: readonly string[], how: HowToStart = {}): Promise<string> => {
		const { code, out, err } = await on(controller, command, args, { seconds: 60, ...how }).ended;
		if (code === 0) return out;
		throw new Error(`${command} ${args.join(" ")}: exit code ${code}: ${err.trim()}`);
	};
	const socket = join(folder, "munge", "socket");
	await until(
		"munge answers",
		async () => (await bed.start("munge", ["-n", "-S", socket], { seconds: 5 }).ended).code === 0,
	);
	started.push(on(controller, "slurmctld", ["-D", "-f", conf]));
	const serve = (name: string) =>
		on(
			hosts?.find((host) => host.name === name),
			"slurmd",
			["-D", "-f", conf, "-N", name],
		);
	started.push(...nodes.map(serve));
	await until("all nodes of Slurm are idle", () => isReady(run, nodes.length, started), {
		seconds: READY_SECONDS,
		every: 0.1,
	});
	return {
		env,
		nodes,
		run,
		state: async (job) => /JobState=(\w+)/.exec(await run("scontrol", ["show", "job", job]))?.[1] ?? "UNKNOWN",
		requeue: async (job) => void (await run("scontrol", ["requeue", job])),
		preempt: async (seconds) => {
			const all = ["--partition=urgent", `--nodes=${nodes.length}`, "--exclusive"];
			await run("srun", [...all, "sleep", String(seconds)]);
		},
		serve: (name) => void serve(name),
		settle: async (seconds) => {
			const isIdle = () => isReady(run, nodes.length, []);
			await until("Slurm is idle", isIdle, { seconds, every: 0.2 });
		},
	};
}

function names(count: number): string[] {
	return Array.from({ length: count }, (_, index) => `n${index + 1}`);
}

async function isReady(
	run: (command: string, args: readonly string[]) => Promise<string>,
	nodes: number,
	started: readonly Running[],
): Promise<boolean> {
	const gone = started.find(({ child }) => child.exitCode !== null);
	if (gone) throw new Error(`a part of Slurm ended: ${gone.child.spawnargs.join(" ")}: ${gone.err().slice(-2000)}`);
	const states = await run("sinfo", ["--noheader", "--Node", "--partition=work", "--format=%T"]).catch(() => "");
	return states.split("\n").filter((state) => state === "idle").length === nodes;
}

function startMunge(bed: Bed, folder: string): Running {
	const at = (name: string) => join(folder, "munge", name);
	writeFileSync(at("key"), randomBytes(128), { mode: 0o600 });
	const files = [`--socket=${at("socket")}`, `--key-file=${at("key")}`, `--log-file=${at("log")}`];
	const others = [`--pid-file=${at("pid")}`, `--seed-file=${at("seed")}`, "--num-threads=2"];
	return bed.start(findProgram("munged") ?? "munged", ["--foreground", "--force", ...files, ...others]);
}

function settings(folder: string, controller: string, port: number): string[] {
	const at = (name: string) => join(folder, name);
	const socket = `socket=${join(folder, "munge", "socket")}`;
	return [
		"ClusterName=bed",
		`SlurmctldHost=${controller}`,
		`SlurmctldPort=${port}`,
		"SlurmUser=root",
		"SlurmdUser=root",
		`AuthInfo=${socket},cred_expire=${CREDENTIAL_SECONDS}`,
		`StateSaveLocation=${at("state")}`,
		`SlurmdSpoolDir=${at("spool")}/%n`,
		`SlurmctldPidFile=${at("slurmctld.pid")}`,
		`SlurmdPidFile=${at("slurmd-%n.pid")}`,
		`SlurmctldLogFile=${at("log")}/slurmctld`,
		`SlurmdLogFile=${at("log")}/slurmd-%n`,
		"ProctrackType=proctrack/linuxproc",
		"TaskPlugin=task/none",
		"JobAcctGatherType=jobacct_gather/none",
		"AccountingStorageType=accounting_storage/none",
		"SlurmdParameters=config_overrides",
		"MpiDefault=none",
		"SwitchType=switch/none",
		"ReturnToService=2",
		"SelectType=select/cons_tres",
		"SelectTypeParameters=CR_CPU",
		"PreemptType=preempt/partition_prio",
		"PreemptMode=REQUEUE",
		"JobRequeue=1",
		"SchedulerParameters=sched_interval=1,batch_sched_delay=1,bf_interval=1,sched_min_interval=0",
		"KillWait=5",
		"MinJobAge=300",
		"SlurmdTimeout=10",
		"ResumeTimeout=10",
		"MailProg=/bin/true",
	];
}
