/**
 * After a rank was lost, what starts the others fails: a name is not resolved, a key is refused, a server is down, the scheduler does not answer,
 * the port of the metrics is taken. For some attempts, or for as long as the run lasts.
 */
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandOf, findProgram, type LauncherKind, type Running, until } from "../../testing.js";
import { type Act, type FaultKind, NOBODY, type Scene, type Victim } from "../kind.js";
import { linePid } from "../processes.js";
import { killRank } from "./losses.js";

const RESTARTS = 3;
const PORT = 9464;
const METRICS = "metrics";
const SERVER = "server";
const TAKE_SECONDS = 10;

/** The message of a failing program, and its exit code. */
const failures: Readonly<Record<string, readonly [said: string, code: number]>> = {
	name: ["ssh: Could not resolve hostname n1: Temporary failure in name resolution", 255],
	key: ["root@n1: Permission denied (publickey).", 255],
	slots: ["There are not enough slots available in the system to satisfy the request.", 1],
	scheduler: ["srun: error: Unable to contact slurm controller (connect failure)", 1],
};

const howOf: Readonly<Record<LauncherKind, readonly string[]>> = {
	local: [METRICS],
	ssh: ["name", "key", SERVER, METRICS],
	openmpi: ["name", "key", SERVER, METRICS],
	mpich: ["name", "key", SERVER, METRICS],
	slurm: ["scheduler", METRICS],
};

export const launcher: FaultKind = {
	ways: ["local", "ssh", "openmpi", "mpich", "slurm"],
	async open(scene) {
		scene.restarts = RESTARTS;
		const hows = howOf[scene.way];
		const how = hows[scene.random.below(hows.length)]!;
		const attempts = [1, 2, Number.POSITIVE_INFINITY][scene.random.below(3)]!;
		if (how === METRICS) scene.words.push("--metrics", `127.0.0.1:${PORT}`);
		const folder = join(scene.bed.folder, "launchers");
		const failing = join(folder, "fails");
		if (how in failures) await replace(scene, folder, failures[how]!);
		return new FailingLauncher(how, attempts, failing);
	},
};

class FailingLauncher implements Act {
	readonly isLasting: boolean;
	readonly namedSeconds = 20;
	readonly #how: string;
	readonly #attempts: number;
	readonly #failing: string;
	#restore: () => void | Promise<void> = () => {};

	constructor(how: string, attempts: number, failing: string) {
		this.#how = how;
		this.#attempts = attempts;
		this.#failing = failing;
		this.isLasting = attempts > RESTARTS;
	}

	async strike(victim: Victim): Promise<string> {
		const before = restartsIn(victim);
		const hit = await this.#begin(victim);
		// A run that something else has ended meanwhile is not to find it out of order.
		if (hit === NOBODY) {
			await this.mend();
			return NOBODY;
		}
		let isOver = false;
		void victim.launched.ended.finally(() => {
			isOver = true;
		});
		// The first restart is after the loss; each further one is after an attempt that failed.
		const isDone = () => isOver || restartsIn(victim) - before > this.#attempts;
		await until("attempts have failed", isDone, { seconds: 90 });
		if (!this.isLasting) await this.mend();
		return `${hit}; ${this.#how} fails ${this.isLasting ? "always" : `${this.#attempts} times`}`;
	}

	async #begin(victim: Victim): Promise<string> {
		const { cluster } = victim;
		if (this.#how === METRICS) return await this.#takePort(victim);
		if (this.#how === SERVER) {
			const host = cluster.nodes[victim.random.below(cluster.nodes.length)]!;
			const servers = host.pids().filter((pid) => /sshd\S* -D/.test(commandOf(pid)));
			for (const pid of servers) process.kill(pid, "SIGKILL");
			this.#restore = async () => await (await cluster.sshd()).serve(host.name);
		} else {
			writeFileSync(this.#failing, "");
			this.#restore = () => rmSync(this.#failing, { force: true });
		}
		return await killRank(victim);
	}

	/** Another process takes the port as soon as the run releases it. */
	async #takePort(victim: Victim): Promise<string> {
		const line = linePid(victim);
		if (line === undefined) return NOBODY;
		const host = victim.cluster.network.hosts.find((each) => each.pids().includes(line));
		const program = `const{createServer}=require("net");const take=()=>createServer().on("error",()=>setTimeout(take,2)).listen(${PORT},"127.0.0.1",()=>console.log("taken"));take()`;
		const taker: Running | undefined = host?.start(process.execPath, ["-e", program], { seconds: 100 });
		this.#restore = async () => {
			taker?.signal("SIGKILL");
			await taker?.ended;
		};
		process.kill(line, "SIGKILL");
		await until("the port is taken", () => taker?.out() !== "", { seconds: TAKE_SECONDS });
		return "the hub";
	}

	async mend(): Promise<void> {
		await this.#restore();
		this.#restore = () => {};
	}
}

function restartsIn({ launched }: Victim): number {
	return launched.log().filter(({ event }) => event === "restart").length;
}

/** Programs before the others on the path, which fail while a file is there. */
async function replace({ cluster, way, env }: Scene, folder: string, [said, code]: readonly [string, number]) {
	const failing = join(folder, "fails");
	mkdirSync(folder);
	const path = way === "slurm" ? "" : `${(await cluster.sshd()).path}:`;
	const name = way === "slurm" ? "srun" : "ssh";
	const real = way === "slurm" ? findProgram(name) : join((await cluster.sshd()).path, name);
	const script = `#!/bin/sh\nif [ -e '${failing}' ]; then echo '${said}' >&2; exit ${code}; fi\nexec '${real}' "$@"\n`;
	writeFileSync(join(folder, name), script);
	chmodSync(join(folder, name), 0o755);
	if (existsSync(failing)) throw new Error("the launcher fails already");
	env.PATH = `${folder}:${path}${process.env.PATH ?? ""}`;
}
