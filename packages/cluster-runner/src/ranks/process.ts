/**
 * A process of a run, started by in-processes.ts: this file is its program. All it knows at first is where the hub is and the key of
 * the run, from its environment. It ends with the run, with the hub, or when it was asked to; nothing of it stays.
 */

import { launched } from "@stickslip/comm";
import { type Crew, startCrew } from "./crew.js";
import type { Link } from "./link.js";
import { Member } from "./member.js";
import { BEAT_MS } from "./messages.js";
import type { MemberTask } from "./plain.js";
import { MemberSocket } from "./sockets.js";
import { buffersOf } from "./transfer.js";

const PROGRESS_MS = 50;
/** After a failure, threads and libraries have so long to let go. */
const LAST_MS = 2500;
/** A hub that never answers is none. */
const ANSWER_MS = 120_000;

const { STICKSLIP_HUB: hub, STICKSLIP_KEY: keyText, STICKSLIP_PROCESS: processText } = process.env;
const { STICKSLIP_HUB_PID: pidText } = process.env;
/** A number of its own, or the launcher's. */
const own = processText === undefined || processText === "" ? launched()?.rank : Number(processText);
if (hub === undefined || keyText === undefined || own === undefined) {
	process.stderr.write("stickslip: this program is started by `stickslip solve`, and not by hand\n");
	process.exit(2);
}

const key = Buffer.from(keyText, "hex");
const socket = new MemberSocket(hub, key, () => member.fail(-1, "the process that started the run is gone"));
const parent = process.ppid;

const member = new Member({
	process: own,
	pid: process.pid,
	hubPid: pidText === undefined ? undefined : Number(pidText),
	send: socket.send,
	start,
	end: (code) => void end(code),
	now: () => performance.now(),
});

function start(task: MemberTask, control: Member["control"]): Crew {
	const { shares, firstRank, ranks, transport, library, options, ranksHere, cores, patience } = task;
	const isJoined = transport.startsWith("threads+");
	const link: Link = library === undefined ? { kind: "zeromq", key, isJoined } : { kind: "mpi", library, isJoined };
	const threads = shares.length;
	return startCrew({
		ranks,
		firstRank,
		threads,
		share: (thread) => ({ share: shares[thread]!, buffers: buffersOf(shares[thread]) }),
		options,
		link,
		ranksHere,
		cores,
		patienceSeconds: patience,
		control,
	});
}

let hasBegunToEnd = false;
let isTerminated = false;

/** What was said last is delivered; then nothing keeps the process. */
async function end(code: 0 | 3): Promise<void> {
	if (hasBegunToEnd) return;
	hasBegunToEnd = true;
	endForSure();
	await socket.close();
	if (!isTerminated) process.exit(code);
	// As if nobody had listened, so that whoever watches sees what it died of.
	process.removeAllListeners("SIGTERM");
	process.kill(process.pid, "SIGTERM");
}

let isEndSure = false;

/** A thread that hangs in foreign code withstands an orderly exit, and this does not ask it. */
function endForSure(): void {
	if (isEndSure) return;
	isEndSure = true;
	setTimeout(() => process.kill(process.pid, "SIGKILL"), LAST_MS);
}

// The terminal's Ctrl-C goes to the hub, who asks all ranks; a launcher that ends the job sends SIGTERM.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => {
	isTerminated = true;
	endForSure();
	member.leave("the run was ended by SIGTERM");
});

let beats = 0;
setInterval(() => {
	beats += 1;
	// Whoever started this process is gone, and with it whoever wants the answer.
	if (process.ppid !== parent) member.fail(-1, "the process that started the run is gone");
	if (beats * BEAT_MS > ANSWER_MS && !member.isHeard)
		member.fail(-1, "the process that started the run does not answer");
	member.beat();
	if (member.control.failure() !== undefined) endForSure();
}, BEAT_MS);
setInterval(() => member.report(), PROGRESS_MS);

await socket.listen((message, bytes) => member.take(message, bytes));
