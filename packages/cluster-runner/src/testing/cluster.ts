/**
 * A cluster to launch runs on: a front host for users, and nodes behind it, all with addresses of their own, reached by ssh, Slurm and either MPI. The
 * command line is the built one, started as its users start it.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Bed, type Ended, type Running } from "./bed.js";
import { type Host, type HowOnHost, type Network, openNetwork } from "./hosts.js";
import { noHosts, noMpirun, noSlurm, noSshd } from "./lacking.js";
import { openSlurm, type Slurm } from "./slurm.js";
import { openSshd, type Sshd } from "./sshd.js";

const program = fileURLToPath(new URL("../../bin/stickslip.mjs", import.meta.url));
const CPUS = 32;

/** Ways to launch that are one command on the front host; pods.ts simulates Kubernetes. */
export const LAUNCHER_KINDS = ["local", "ssh", "slurm", "openmpi", "mpich"] as const;
export type LauncherKind = (typeof LAUNCHER_KINDS)[number];

export function noLauncher(way: LauncherKind): string | undefined {
	switch (way) {
		case "local":
			return noHosts();
		case "ssh":
			return noSshd();
		case "slurm":
			return noHosts() ?? noSlurm();
		default:
			return noSshd() ?? noMpirun(way);
	}
}

export interface LaunchOptions {
	readonly nodes: number;
	readonly ranksPerNode: number;
	/** More words before the `--`. */
	readonly words?: readonly string[];
	readonly how?: HowOnHost;
}

/** One event of a run's log. */
export interface LogLine {
	readonly time: string;
	readonly level: string;
	readonly event: string;
	readonly [fact: string]: string | number | boolean;
}

/** A launched run and the folder it has to itself. */
export interface Launched {
	readonly ended: Promise<Ended>;
	/** To what was typed. */
	signal(name: NodeJS.Signals): void;
	/** Its standard error so far. */
	err(): string;
	readonly runs: string;
	/** Milliseconds since 1970. */
	readonly begun: number;
	/** The run's own folder, once it is there. */
	folder(): string | undefined;
	log(): LogLine[];
}

export class Cluster {
	readonly bed = new Bed();
	readonly network: Network;
	readonly front: Host;
	readonly nodes: readonly Host[];
	#sshd: Promise<Sshd> | undefined;
	#slurm: Promise<Slurm> | undefined;
	#runs = 0;
	readonly #cpus: number;

	/** `cpus` is the number that Slurm assumes for each node; `family` is that of all addresses, IPv4 or IPv6. */
	constructor(nodes: number, cpus = CPUS, family: 4 | 6 = 4) {
		this.#cpus = cpus;
		const names = Array.from({ length: nodes }, (_, index) => `n${index + 1}`);
		this.network = openNetwork(this.bed, ["front", ...names], family);
		const [front, ...others] = this.network.hosts;
		if (front === undefined) throw new Error("no front host");
		this.front = front;
		this.nodes = others;
	}

	/** Started when first asked for. */
	sshd(): Promise<Sshd> {
		this.#sshd ??= openSshd(this.bed, this.network.hosts);
		return this.#sshd;
	}

	slurm(): Promise<Slurm> {
		this.#slurm ??= openSlurm(this.bed, { hosts: this.network.hosts, cpus: this.#cpus });
		return this.#slurm;
	}

	/** Starts the servers of a host that was killed, as if it had come up again. */
	async boot(host: Host): Promise<void> {
		(await this.#slurm)?.serve(host.name);
		await (await this.#sshd)?.serve(host.name);
	}

	/** Waits until processes of earlier runs have ended and hosts are as before; throws if that takes too long. */
	async settle(seconds: number): Promise<void> {
		const slurm = await this.#slurm;
		if (slurm === undefined) return;
		await slurm.run("scancel", ["--quiet", "--user=root"]);
		await slurm.settle(seconds);
	}

	/** A folder for the runs of one launch. */
	runsFolder(): string {
		this.#runs += 1;
		const folder = join(this.bed.folder, "runs", String(this.#runs));
		mkdirSync(folder, { recursive: true });
		return folder;
	}

	/** `stickslip WORDS` on the front host. */
	async type(words: readonly string[], how: HowOnHost = {}): Promise<Running> {
		const ssh = this.#sshd === undefined ? {} : (await this.#sshd).env;
		const slurm = this.#slurm === undefined ? {} : (await this.#slurm).env;
		return stickslip(this.front, words, { ...how, env: { ...ssh, ...slurm, ...how.env } });
	}

	/** `stickslip launch WAY ... -- COMMAND`; `runs` where the launch is to make its run in a given folder. */
	async launch(
		way: LauncherKind,
		line: readonly string[],
		options: LaunchOptions,
		runs = this.runsFolder(),
	): Promise<Launched> {
		const where = await this.#where(way, options.nodes);
		const counts = ["--nodes", String(options.nodes), "--ranks-per-node", String(options.ranksPerNode)];
		const words = [...where, ...counts, "--runs", runs, ...(options.words ?? []), "--", ...line];
		const begun = Date.now();
		const running = await this.type(["launch", ...words], options.how);
		return launched(running, runs, begun);
	}

	async #where(way: LauncherKind, nodes: number): Promise<string[]> {
		const hosts = this.nodes.slice(0, nodes).map(({ name }) => name);
		if (way === "local") return ["local"];
		if (way === "slurm") {
			await this.slurm();
			return ["slurm", "--partition", "work"];
		}
		await this.sshd();
		return way === "ssh" ? ["ssh", "--host", hosts.join(",")] : ["mpirun", "--mpi", way, "--host", hosts.join(",")];
	}

	/** Processes on the hosts that do not belong to servers of the bed: none when a run has ended. */
	leftovers(): string[] {
		return this.network.hosts.flatMap((host) =>
			host.pids().flatMap((pid) => {
				const command = commandOf(pid);
				return isServer(command) ? [] : [`${host.name}: ${command}`];
			}),
		);
	}

	close(): Promise<void> {
		return this.bed.close();
	}
}

/** The built command line on a host, with nothing of this process's own runs in its environment. */
export function stickslip(host: Host, words: readonly string[], how: HowOnHost = {}): Running {
	const none = Object.keys(process.env).filter((name) => /^(STICKSLIP|SLURM|OMPI|PMI)_/.test(name));
	const env = { ...Object.fromEntries(none.map((name) => [name, undefined])), ...how.env };
	return host.start(process.execPath, [program, ...words], { seconds: 300, ...how, env });
}

export function launched(
	{ ended, signal, err }: Pick<Running, "ended" | "signal" | "err">,
	runs: string,
	begun = Date.now(),
): Launched {
	const folder = () => runIn(runs);
	return { ended, signal, err, runs, begun, folder, log: () => logIn(runs) };
}

/** The only run in a folder of runs. */
function runIn(runs: string): string | undefined {
	const [id] = existsSync(runs) ? readdirSync(runs).filter((name) => !name.startsWith(".")) : [];
	return id === undefined ? undefined : join(runs, id);
}

/** What the only run in a folder of runs has logged. */
export function logIn(runs: string): LogLine[] {
	const folder = runIn(runs);
	if (folder === undefined) return [];
	try {
		const lines = readFileSync(join(folder, "logs", "run.jsonl"), "utf8").split("\n");
		return lines.slice(0, -1).map((line): LogLine => JSON.parse(line));
	} catch {
		// Not written yet.
		return [];
	}
}

/** Servers of the bed, and processes that they start for a session. */
function isServer(command: string): boolean {
	return /^(\S*sshd\b|\S*slurmctld|\S*slurmd|slurmstepd|$)/.test(command);
}

export function commandOf(pid: number): string {
	try {
		return readFileSync(`/proc/${pid}/cmdline`, "latin1").replaceAll("\0", " ").trim();
	} catch {
		return "";
	}
}
