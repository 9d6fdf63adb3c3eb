/**
 * By ssh, one connection per node. The hub stays on this host's loopback, and a member reaches it through its connection: ssh forwards a
 * port of the other side's loopback, which sshd chooses and ssh tells. What a member has to know goes over standard input, never in
 * arguments that others could see; and when that closes, the other side's process ends itself.
 */
import { InputError } from "@stickslip/core";
import type { Child, End } from "../../ranks/children.js";
import { ended, type Verdict } from "../../ranks/verdict.js";
import type { Gang } from "../gang.js";
import { quoted } from "../quote.js";
import { LOOPBACK } from "../rendezvous/addresses.js";
import type { Call, Way } from "./call.js";
import { environmentOf, lineFor, programOf } from "./program.js";
import type { Meeting } from "./starter.js";
import { sshTrouble, unreached } from "./trouble.js";

/** What a user's configuration of ssh may open for sessions at a terminal, and no run needs: a host must not be able to use the keys or the screen of this one. */
export const CLOSED = [
	"BatchMode=yes",
	"ForwardAgent=no",
	"ForwardX11=no",
	"PermitLocalCommand=no",
	"Tunnel=no",
	// An existing connection may be shared; one of ours leaves none behind.
	"ControlMaster=no",
	"ControlPersist=no",
] as const;

export function sshOptions(options: readonly string[]): string[] {
	return options.flatMap((option) => ["-o", option]);
}

/** A host that does not answer for 8 s is gone; a link that is cut for 3 s is not. */
const options = sshOptions([
	...CLOSED,
	"ConnectTimeout=10",
	"ServerAliveInterval=2",
	"ServerAliveCountMax=3",
	"ExitOnForwardFailure=yes",
	// A connection of its own: the port that a shared one forwards is told to nobody.
	"ControlPath=none",
	// It would clear ours as well.
	"ClearAllForwardings=no",
	// "Allocated port" is information.
	"LogLevel=INFO",
]);

/** ssh, or what stands for it: STICKSLIP_SSH, with words of its own. */
export function sshCommand(env: NodeJS.ProcessEnv = process.env): readonly [string, ...string[]] {
	const [command = "ssh", ...words] = (env.STICKSLIP_SSH ?? "").split(/\s+/).filter((word) => word !== "");
	return [command, ...words];
}

export function ssh(gang: Gang): Way {
	const hosts = gang.hosts ?? [];
	return {
		hostOf: (process) => hosts[process] ?? `host ${process}`,
		door: () => Promise.resolve({ at: { bind: LOOPBACK, told: LOOPBACK } }),
		calls: (meeting) => hosts.map((host, process) => callOf(gang, meeting, process, host)),
		killing: (process, pid) => {
			const [command, ...words] = sshCommand();
			const quick = [...sshOptions([...CLOSED, "ClearAllForwardings=yes", "ConnectTimeout=3"]), ...(gang.pass ?? [])];
			return { command, args: [...words, ...quick, "-T", "--", hosts[process] ?? "", `kill -9 ${pid}`] };
		},
		verdict: (child, end, pids) => {
			const { process = -1 } = child;
			return verdict(hosts[process] ?? "a host", child, end, pids[process] !== undefined);
		},
	};
}

function callOf(gang: Gang, meeting: Meeting, process: number, host: string): Call {
	const port = /:(\d+)$/.exec(meeting.hub)?.[1] ?? "";
	const [command, ...words] = sshCommand();
	const [node, program] = programOf(gang);
	const here = (path: string) => quoted(path.replace(/^~\//, ""));
	return {
		process,
		command,
		args: [
			...words,
			...options,
			...(gang.pass ?? []),
			...["-T", "-R", `${LOOPBACK}:0:${LOOPBACK}:${port}`],
			...["--", host, `exec ${here(node)} ${here(program)} stdin`],
		],
		env: globalThis.process.env,
		input: (said) => {
			const allocated = /Allocated port (\d+) for remote forward/.exec(said)?.[1];
			if (allocated === undefined) return undefined;
			const environment = environmentOf({ ...meeting, hub: `curve://${LOOPBACK}:${allocated}` }, gang);
			return lineFor({ ...environment, STICKSLIP_PROCESS: String(process) });
		},
	};
}

/** ssh's own code when it fails, and also when the other side's process was killed. */
const SSH_FAILED = 255;

/** What stands in the way of its beginning is told as such; a process that was heard had begun. */
function verdict(host: string, { process = -1, said }: Child, end: End, wasHeard: boolean): Verdict {
	const trouble = wasHeard ? undefined : end.error === "ENOENT" ? noSsh() : sshTrouble(host, said);
	if (trouble) return { process, reason: trouble.message, error: trouble };
	const why = unreached(said);
	if (why !== undefined) return { process, reason: `was lost (it cannot be reached: ${why})` };
	if (end.code !== SSH_FAILED) return { process, reason: `was lost (${ended(end, said)})` };
	const silent = /Timeout, server \S+ not responding|Broken pipe|Connection (closed|reset)/i.exec(said)?.[0];
	return { process, reason: `was lost (${silent === undefined ? "its process was killed" : silent.toLowerCase()})` };
}

function noSsh(): InputError {
	return new InputError("ssh", sshCommand()[0], "there is no such program", "install OpenSSH's client");
}
