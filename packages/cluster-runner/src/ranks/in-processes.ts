/** All ranks in processes, here or on other hosts, with this process as their hub: has them started, listens, and leaves nothing behind. */
import { requireMpi } from "@stickslip/comm";
import type { Outcome } from "@stickslip/core/parallel";
import type { Placement } from "../placement/placement.js";
import type { Events, Starter } from "../processes/starter.js";
import { starterOf } from "../processes/starters/starter-of.js";
import { HeartbeatMonitor } from "../protocol/heartbeat-monitor.js";
import { keysOf, newSecret } from "../protocol/keys.js";
import { BEAT_MS } from "../protocol/messages.js";
import { launchError, reasonOf } from "../protocol/refusal.js";
import { openSocketFolder } from "../protocol/socket-folder.js";
import { HubSocket } from "../protocol/sockets.js";
import { Hub } from "./hub.js";
import { type Job, onAbort, requestStop } from "./job.js";
import { Tasks } from "./tasks.js";

/** How long the processes may take to end by themselves. */
const END_MS = 3500;
/** After a failure launchers wait for hosts that do not respond; they get only this long. */
const REMOTE_END_MS = 600;

export async function inProcesses(job: Job): Promise<Outcome[]> {
	const { choice, startSeconds, onProgress, blocks } = job;
	const { ranks, processes, perProcess, transport, placement } = choice;
	const { library, starter, bindAddress } = await launching(async () => {
		const found = transport?.endsWith("mpi") ? requireMpi({ ...process.env, ...mpiOf(placement) }) : undefined;
		const chosen = starterOf(placement, found);
		return { library: found, starter: chosen, bindAddress: await chosen.bindAddress() };
	});
	const { hostOf } = starter;
	const secret = newSecret();
	const keys = keysOf(secret);
	const socket = new HubSocket(keys, bindAddress);
	const tasks = new Tasks(job, library, hostOf && (() => hub.locations));
	const hub: Hub = new Hub({
		ranks,
		processes,
		blocks,
		digest: () => tasks.digest,
		task: (process) => tasks.of(process),
		hasEndpoints: library === undefined,
		send: (identity) => socket.sender(identity),
		kill: (process, pid) => starter.killOne(process, pid),
		onProgress,
		events: job.events,
		hostOf,
		onStopRequested: () => requestStop((code) => hub.requestStop(code), job.events),
		now: () => performance.now(),
	});
	// Traffic between ranks of this machine is private.
	const sockets =
		hostOf === undefined && library === undefined ? await launching(() => openSocketFolder(ranks)) : undefined;
	const timers: NodeJS.Timeout[] = [];
	// A share that does not fit the memory, say.
	const broken = (error: unknown) => hub.fail(-1, `the process that started the run ${reasonOf(error)}`);
	const orderly = orderlyBy(broken);
	const unwatch = onAbort(
		job,
		orderly((code) => hub.requestStop(code)),
	);
	try {
		await launching(async () => {
			const address = await socket.open();
			const take: typeof hub.take = (identity, message, bytes) => hub.take(identity, message, bytes);
			socket.listen(orderly(take)).catch(broken);
			const contact = {
				hub: address,
				secret: Buffer.from(secret).toString("hex"),
				processes,
				perProcess,
				sockets: sockets?.path,
			};
			await starter.start(contact, eventsOf(hub, job, orderly));
		});
		job.source.partition();
		const beat = orderly(() => hub.beat());
		timers.push(setInterval(beat, BEAT_MS), startLimit(startSeconds, orderly(hub.startTimeout.bind(hub))));
		const outcomes = await hub.outcomes;
		const foreign = hub.dropped + socket.dropped + socket.refused;
		return foreign > 0 ? outcomes.map((outcome) => withDropped(outcome, foreign)) : outcomes;
	} finally {
		unwatch();
		await ended(starter, hub);
		for (const timer of timers) clearTimeout(timer);
		await socket.close();
		sockets?.remove();
	}
}

/** The library whose launcher is to be used, unless the environment names one. Slurm's PMI-2 is MPICH's. */
function mpiOf(placement: Placement | undefined): Record<string, string> {
	const ofSlurm = placement?.srunMpi?.startsWith("pmix") ? "openmpi" : "mpich";
	const kind = placement?.mpi ?? (placement?.where === "slurm" ? ofSlurm : undefined);
	return kind === undefined || process.env.STICKSLIP_MPI ? {} : { STICKSLIP_MPI: kind };
}

/** Whether it can be started at all: what is wrong with it is no mistake in the problem. */
async function launching<Result>(work: () => Promise<Result>): Promise<Result> {
	try {
		return await work();
	} catch (error) {
		throw launchError(error);
	}
}

type Orderly = <Given extends unknown[]>(work: (...given: Given) => void) => (...given: Given) => void;

/** What sockets, timers and children call: where it throws, the run ends in good order, and not this process. */
function orderlyBy(broken: (error: unknown) => void): Orderly {
	return (work) =>
		(...given) => {
			try {
				work(...given);
			} catch (error) {
				broken(error);
			}
		};
}

function eventsOf(hub: Hub, { events }: Job, orderly: Orderly): Events {
	return {
		output: orderly((text) => {
			const lines = text.split(/\r?\n/).map((line) => line.trimEnd());
			for (const line of lines) if (line !== "") events.write("run", "warn", "launcher", { said: line });
		}),
		lost: orderly((process, reason) => hub.lost(process, reason)),
		failed: orderly((why) => hub.fail(-1, typeof why === "string" ? why : reasonOf(why))),
		pids: () => hub.pidByProcess,
		living: () => hub.pids,
	};
}

/** Counted while this process runs: members that came while it was stopped are still to be heard. */
function startLimit(seconds: number, over: (seconds: number) => void): NodeJS.Timeout {
	const waited = new HeartbeatMonitor(performance.now(), undefined, 1000 * seconds);
	const timer = setInterval(() => {
		if (!waited.isLost(performance.now())) return;
		clearInterval(timer);
		over(seconds);
	}, BEAT_MS);
	return timer;
}

function ended(starter: Starter, hub: Hub): Promise<void> {
	const isWaste = starter.hostOf !== undefined && hub.failure !== undefined;
	return isWaste ? starter.end(REMOTE_END_MS, REMOTE_END_MS) : starter.end(END_MS);
}

/** Frames of others, or of ours that came twice, did no harm; that they came is worth a word. */
function withDropped(outcome: Outcome, dropped: number): Outcome {
	const reason = `${outcome.report.reason}; ${dropped} foreign ${dropped === 1 ? "frame was" : "frames were"} dropped`;
	return { ...outcome, report: { ...outcome.report, reason } };
}
