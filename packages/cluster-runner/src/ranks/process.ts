/**
 * A process of a run, started by process-ranks.ts: this file is its program. At first it only knows the hub's address and the key of the run, from its
 * environment. It ends with the run, with the hub, or on request, and leaves nothing behind.
 */

import { describeFailure } from "../base/last-resort.js";
import { isJoined } from "../base/transports.js";
import { keepInUse } from "../processes/ssh/in-use.js";
import { bootstrapOf, readBootstrap } from "../protocol/bootstrap.js";
import { hostIn } from "../protocol/host-port.js";
import { keysOf } from "../protocol/keys.js";
import { listenAddress } from "../protocol/listen-address.js";
import { BEAT_MS, type StartMessage } from "../protocol/messages.js";
import { locationHere } from "../protocol/process-location.js";
import { removeFolder } from "../protocol/socket-folder.js";
import { MemberSocket, REFUSED_MS } from "../protocol/sockets.js";
import type { Link, Wires } from "./link.js";
import { type LocalRanks, startLocalRanks } from "./local-ranks.js";
import { Member } from "./member.js";

const PROGRESS_MS = 50;
/** How long threads and libraries may take to end after a failure. */
const LAST_MS = 2500;
/** A hub that does not respond within this time is lost. */
const ANSWER_MS = 120_000;
/** How long a run may take to end in good order when a scheduler ends it; then this process leaves it. */
const ORDER_MS = 20_000;

/** Set when the member can notify the hub. */
let isMember = false;
let isBroken = false;
process.on("uncaughtException", (error) => {
	const variables = describeFailure(error);
	process.stderr.write(`stickslip: ${variables}\n`);
	if (isBroken || !isMember) process.exit(3);
	isBroken = true;
	endForSure();
	member.broken(`failed: ${variables}`);
});
// Standard error may be closed; the hub is notified over its socket.
process.stderr.on("error", () => {});

const isOnStdin = process.argv[2] === "stdin";
const isTunnelled = isOnStdin && process.argv[3] !== "direct";
let isInputOver = false;
/** The process at the other end of standard input no longer needs this one. */
const inputOver = () => {
	isInputOver = true;
};
// The hub does so too, unless it was killed.
process.on("exit", removeSockets);
const variables = isOnStdin ? await readBootstrap(process.stdin, inputOver) : process.env;
const bootstrap = bootstrapOf({ ...process.env, ...variables }, isTunnelled);
if (bootstrap === undefined) {
	process.stderr.write("stickslip: this program is started by `stickslip solve`, not by hand\n");
	process.exit(2);
}

// Processes that this one starts do not need it.
delete process.env.STICKSLIP_KEY;
keepInUse();
const keys = keysOf(bootstrap.secret);
const wires = await wiresOf(bootstrap.hub);
const isNear = bootstrap.hubPid !== undefined || isTunnelled;
// Such a hub listened before this process began.
const refusedMs = isNear ? 0 : REFUSED_MS;
const onLost = () => member.fail(-1, "the process that started the run has ended");
const socket = new MemberSocket(bootstrap.hub, keys, onLost, refusedMs);
const parent = process.ppid;

const member = new Member({
	process: bootstrap.process,
	pid: process.pid,
	hubPid: bootstrap.hubPid,
	location: bootstrap.hubPid === undefined ? locationHere() : undefined,
	send: socket.send,
	start,
	end: (code) => void end(code),
	now: () => performance.now(),
});
isMember = true;

/** Or why there is no address to listen on, which matters only if ranks have to listen. */
async function wiresOf(hub: string): Promise<Wires | Error> {
	const { frames: key, curve } = keys;
	if (bootstrap?.sockets !== undefined) return { key, folder: bootstrap.sockets };
	const name = hostIn(hub);
	// ssh reports the address of this host that the connection came in on.
	const [, , server] = (isTunnelled ? (process.env.SSH_CONNECTION ?? "") : "").split(" ");
	try {
		const { advertised } = await listenAddress(
			server === undefined || server === "" ? name : server,
			bootstrap?.listen,
		);
		return { key, host: advertised, curve };
	} catch (error) {
		return error instanceof Error ? error : new Error(String(error));
	}
}

function linkOf({ transport, library }: StartMessage): Link {
	const joined = isJoined(transport);
	if (library !== undefined) return { kind: "mpi", library, isJoined: joined };
	if (wires instanceof Error) throw wires;
	return { kind: "zeromq", wires, isJoined: joined };
}

function start(message: StartMessage, control: Member["control"]): LocalRanks {
	const { perProcess: threads, patience: patienceSeconds, ...rest } = message;
	return startLocalRanks({ ...rest, threads, patienceSeconds, link: linkOf(message), control });
}

function removeSockets(): void {
	if (process.env.STICKSLIP_SOCKETS) removeFolder(process.env.STICKSLIP_SOCKETS);
}

let hasBegunToEnd = false;
let isTerminated = false;

/** The last messages are delivered; then nothing keeps the process alive. */
async function end(code: 0 | 3): Promise<void> {
	if (hasBegunToEnd) return;
	hasBegunToEnd = true;
	endForSure();
	await socket.close();
	if (!isTerminated) process.exit(code);
	removeSockets();
	// Without a handler, so that the exit status shows the signal.
	process.removeAllListeners("SIGTERM");
	process.kill(process.pid, "SIGTERM");
}

let isEndSure = false;
let hasRequestedStop = false;

/** A thread that hangs in foreign code prevents an orderly exit, so the process is killed. */
function endForSure(): void {
	if (isEndSure) return;
	isEndSure = true;
	setTimeout(() => {
		removeSockets();
		process.kill(process.pid, "SIGKILL");
	}, LAST_MS);
}

// The terminal's Ctrl-C goes to the hub, which stops all ranks; a launcher that ends the job sends SIGTERM.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => {
	if (!bootstrap.isScheduled) return terminated();
	// Slurm sends it to every task, and srun, which gets it as well, forwards it once more.
	if (hasRequestedStop) return;
	hasRequestedStop = true;
	member.requestStop();
	setTimeout(terminated, ORDER_MS).unref();
});

function terminated(): void {
	isTerminated = true;
	endForSure();
	member.leave("the run was ended by SIGTERM");
}

let beats = 0;
setInterval(() => {
	beats += 1;
	// The process that started this one has ended, and with it the need for an answer.
	if (process.ppid !== parent || isInputOver) member.fail(-1, "the process that started the run has ended");
	if (beats * BEAT_MS > ANSWER_MS && !member.hasReceived)
		member.fail(-1, "the process that started the run does not answer");
	member.beat();
	if (member.control.failure() !== undefined) endForSure();
}, BEAT_MS);
setInterval(() => member.report(), PROGRESS_MS);

await socket.listen((message, bytes) => member.take(message, bytes));
