/** All ranks in processes, here or on other hosts, with this process as their hub: has them started, listens, and leaves nothing behind. */
import { join } from "node:path";
import { type MpiLibrary, requireMpi } from "@stickslip/comm";
import type { RankError } from "@stickslip/core/parallel";
import { type ProcessTransport, transports } from "../base/transports.js";
import { mpiVariables } from "../placement/placement.js";
import type { ProcessEvents, Starter } from "../processes/starter.js";
import { SpawningStarter } from "../processes/starters/command-starter.js";
import { local } from "../processes/starters/local.js";
import { mpirunHere } from "../processes/starters/mpirun.js";
import { HeartbeatMonitor } from "../protocol/heartbeat-monitor.js";
import { keysOf, newSecret } from "../protocol/keys.js";
import { BEAT_MS } from "../protocol/messages.js";
import { launchError, reasonOf } from "../protocol/refusal.js";
import { HUB_SOCKET, openSocketFolder } from "../protocol/socket-folder.js";
import { type BindAddress, HubSocket } from "../protocol/sockets.js";
import type { Log } from "../records/log.js";
import { assignCores, assignCoresHere } from "./core-assignment.js";
import { Hub } from "./hub.js";
import type { HubTask } from "./hub-task.js";
import { onAbort, type Ranks, requestStop, type Task } from "./ranks.js";
import type { StartOptions, Waits } from "./start-ranks.js";

/** How long the processes may take to end by themselves. */
const END_MS = 3500;
/** After a failure launchers wait for hosts that do not respond; they get only this long. */
const REMOTE_END_MS = 600;

/** What is known before anything is started. */
interface Ground {
	readonly library: MpiLibrary | undefined;
	readonly starter: Starter;
	readonly bindAddress: BindAddress;
	/** For traffic between ranks of this machine, which is private. */
	readonly sockets: { readonly path: string; remove(): void } | undefined;
}

/** Throws a LaunchError if they cannot be started. They start in the background: a task waits for them. */
export async function startProcesses(program: string, how: StartOptions, waits: Waits): Promise<Ranks> {
	const { transport, placement } = how;
	const ground = await launching(async () => {
		const needsMpi = transport !== undefined && transports[transport].needsMpi;
		const library = needsMpi ? requireMpi({ ...process.env, ...mpiVariables(placement) }) : undefined;
		const starter = (await placement?.starter(library)) ?? starterHere(library);
		const bindAddress = await starter.bindAddress();
		const isHere = starter.hostOf === undefined && library === undefined && how.isEncrypted !== true;
		return { library, starter, bindAddress, sockets: isHere ? await openSocketFolder(how.ranks) : undefined };
	});
	const ranks = new ProcessRanks(program, how, waits, ground);
	await ranks.begin();
	return ranks;
}

class ProcessRanks implements Ranks {
	readonly ranks: number;
	readonly #how: StartOptions;
	readonly #waits: Waits;
	readonly #ground: Ground;
	readonly #hub: Hub;
	readonly #socket: HubSocket;
	readonly #secret = newSecret();
	readonly #timers: NodeJS.Timeout[] = [];
	/** Of all ranks. */
	#task: HubTask | undefined;
	/** Foreign frames that have been reported. */
	#told = 0;
	#closed: Promise<void> | undefined;

	constructor(program: string, how: StartOptions, waits: Waits, ground: Ground) {
		const { ranks, processes, perProcess, log } = how;
		const { library, starter, bindAddress, sockets } = ground;
		const { hostOf } = starter;
		const transport = how.transport as ProcessTransport;
		this.ranks = ranks;
		this.#how = how;
		this.#waits = waits;
		this.#ground = ground;
		const place = sockets === undefined ? bindAddress : { path: join(sockets.path, HUB_SOCKET) };
		this.#socket = new HubSocket(keysOf(this.#secret), place);
		const isPinned = library !== undefined && perProcess === 1;
		const hub: Hub = new Hub({
			ranks,
			processes,
			start: (process) => ({
				program,
				transport,
				ranks,
				firstRank: process * perProcess,
				perProcess,
				...(hostOf === undefined
					? assignCoresHere(process, perProcess, ranks, isPinned)
					: assignCores(hub.locations, process, perProcess)),
				...(library && { library }),
				patience: waits.patience,
			}),
			hasEndpoints: transports[transport].listens,
			send: (identity) => this.#socket.sender(identity),
			kill: (process, pid) => starter.killOne(process, pid),
			log,
			hostOf,
			onStopRequested: () => {
				const task = this.#task;
				if (task) requestStop((code) => hub.requestStop(task, code), task.events);
			},
			now: () => performance.now(),
		});
		this.#hub = hub;
	}

	get failure(): RankError | undefined {
		return this.#hub.failure;
	}

	/** Starts the processes, and listens for them. */
	async begin(): Promise<void> {
		const hub = this.#hub;
		const { starter } = this.#ground;
		const { processes, perProcess, log } = this.#how;
		try {
			await launching(async () => {
				const address = await this.#socket.open();
				const take: typeof hub.take = (identity, message, bytes) => hub.take(identity, message, bytes);
				this.#socket.listen(this.#orderly(take)).catch((error: unknown) => this.#broken(error));
				const contact = {
					hub: address,
					secret: Buffer.from(this.#secret).toString("hex"),
					processes,
					perProcess,
					sockets: this.#ground.sockets?.path,
				};
				const orderly: Orderly = (work) => this.#orderly(work);
				await starter.start(
					contact,
					eventsOf(hub, () => this.#task?.events ?? log, orderly),
				);
			});
		} catch (error) {
			await this.close();
			throw error;
		}
		const beat = this.#orderly(() => hub.beat());
		const startTimeout = this.#orderly((seconds: number) => hub.startTimeout(seconds));
		this.#timers.push(setInterval(beat, BEAT_MS), startLimit(this.#waits.startSeconds, startTimeout));
	}

	async run<Result>(task: Task<Result>): Promise<Result[]> {
		const hub = this.#hub;
		// While processes start.
		task.prepare?.();
		const own = hub.start(task);
		if (!own.isAlone) this.#task = own;
		const unwatch = onAbort(
			task,
			this.#orderly((code) => hub.requestStop(own, code)),
		);
		try {
			const all = (await own.outcome) as Result[];
			const foreign = hub.dropped + this.#socket.dropped + this.#socket.refused;
			// Foreign frames, or frames that arrived twice, did no harm, but are reported.
			if (foreign > this.#told) task.onForeignFrames?.(foreign - this.#told);
			this.#told = foreign;
			return all;
		} finally {
			unwatch();
			if (!own.isAlone) this.#task = undefined;
		}
	}

	close(): Promise<void> {
		this.#closed ??= this.#end();
		return this.#closed;
	}

	async #end(): Promise<void> {
		const hub = this.#hub;
		const { starter } = this.#ground;
		hub.close();
		const isWaste = starter.hostOf !== undefined && hub.failure !== undefined;
		await (isWaste ? starter.end(REMOTE_END_MS, REMOTE_END_MS) : starter.end(END_MS));
		for (const timer of this.#timers) clearTimeout(timer);
		await this.#socket.close();
		this.#ground.sockets?.remove();
	}

	/** Wraps callbacks of sockets, timers and children: an error there ends the ranks in an orderly way, not this process. */
	#orderly<Arguments extends unknown[]>(work: (...args: Arguments) => void): (...args: Arguments) => void {
		return (...args) => {
			try {
				work(...args);
			} catch (error) {
				this.#broken(error);
			}
		};
	}

	/** For example, a part does not fit in memory. */
	#broken(error: unknown): void {
		this.#hub.fail(-1, `the process that started the run ${reasonOf(error)}`);
	}
}

/** On this machine. */
function starterHere(library: MpiLibrary | undefined): Starter {
	return new SpawningStarter(library === undefined ? local() : mpirunHere(library));
}

/** Failures to start are not errors in the problem. */
async function launching<Result>(work: () => Promise<Result>): Promise<Result> {
	try {
		return await work();
	} catch (error) {
		throw launchError(error);
	}
}

type Orderly = <Arguments extends unknown[]>(work: (...args: Arguments) => void) => (...args: Arguments) => void;

function eventsOf(hub: Hub, log: () => Log | undefined, orderly: Orderly): ProcessEvents {
	return {
		output: orderly((text) => {
			const lines = text.split(/\r?\n/).map((line) => line.trimEnd());
			for (const line of lines) if (line !== "") log()?.write("run", "warn", "launcher", { said: line });
		}),
		lost: orderly((process, reason) => hub.lost(process, reason)),
		failed: orderly((why) => hub.fail(-1, typeof why === "string" ? why : reasonOf(why))),
		pids: () => hub.pidByProcess,
		living: () => hub.pids,
	};
}

/** Only counts while this process runs: messages of members that arrived while it was stopped are still unread. */
function startLimit(seconds: number, over: (seconds: number) => void): NodeJS.Timeout {
	const waited = new HeartbeatMonitor(performance.now(), undefined, 1000 * seconds);
	const timer = setInterval(() => {
		if (!waited.isLost(performance.now())) return;
		clearInterval(timer);
		over(seconds);
	}, BEAT_MS);
	return timer;
}
