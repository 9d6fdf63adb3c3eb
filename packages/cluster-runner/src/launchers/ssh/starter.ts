/**
 * By ssh, one connection per node. The hub stays on this host's loopback, and a member reaches it through its connection: ssh forwards a
 * port of the other side's loopback, which sshd chooses and ssh prints. A member gets its bootstrap on standard input, never in
 * arguments that others could see; and when that closes, the remote process ends itself.
 */
import { InputError } from "@stickslip/core";
import { quoted } from "../../base/quote.js";
import type { Placement } from "../../placement/placement.js";
import type { Child, End } from "../../processes/children.js";
import { describeExit, type ExitDiagnosis } from "../../processes/exit-diagnosis.js";
import { environmentOf, lineFor, programOf } from "../../processes/program.js";
import type { CommandStarter, SpawnSpec } from "../../processes/spawn-spec.js";
import { CLOSED, sshCommand, sshOptions } from "../../processes/ssh/ssh-command.js";
import { sshTrouble, unreached } from "../../processes/ssh/trouble.js";
import type { HubContact } from "../../processes/starter.js";
import { LOOPBACK } from "../../protocol/listen-address.js";

/** A host that does not answer for 8 s is gone; a link that is cut for 3 s is not. */
const options = sshOptions([
	...CLOSED,
	"ConnectTimeout=10",
	"ServerAliveInterval=2",
	"ServerAliveCountMax=3",
	"ExitOnForwardFailure=yes",
	// A connection of its own: the port that a shared one forwards is not printed.
	"ControlPath=none",
	// It would clear the one above as well.
	"ClearAllForwardings=no",
	// "Allocated port" is information.
	"LogLevel=INFO",
]);

export function sshStarter(placement: Placement): CommandStarter {
	const hosts = placement.hosts ?? [];
	return {
		hostOf: (process) => hosts[process] ?? `host ${process}`,
		bindAddress: () => Promise.resolve({ at: { bind: LOOPBACK, advertised: LOOPBACK } }),
		spawnSpecs: (contact) => hosts.map((host, process) => specOf(placement, contact, process, host)),
		killSpec: (process, pid) => {
			const [command, ...words] = sshCommand();
			const quick = [
				...sshOptions([...CLOSED, "ClearAllForwardings=yes", "ConnectTimeout=3"]),
				...(placement.pass ?? []),
			];
			return { command, args: [...words, ...quick, "-T", "--", hosts[process] ?? "", `kill -9 ${pid}`] };
		},
		diagnoseExit: (child, end, pids) => {
			const { process = -1 } = child;
			return diagnoseExit(hosts[process] ?? "a host", child, end, pids[process] !== undefined);
		},
	};
}

function specOf(placement: Placement, contact: HubContact, process: number, host: string): SpawnSpec {
	const port = /:(\d+)$/.exec(contact.hub)?.[1] ?? "";
	const [command, ...words] = sshCommand();
	const [node, program] = programOf(placement);
	const here = (path: string) => quoted(path.replace(/^~\//, ""));
	return {
		process,
		command,
		args: [
			...words,
			...options,
			...(placement.pass ?? []),
			...["-T", "-R", `${LOOPBACK}:0:${LOOPBACK}:${port}`],
			...["--", host, `exec ${here(node)} ${here(program)} stdin`],
		],
		env: globalThis.process.env,
		input: (output) => {
			const allocated = /Allocated port (\d+) for remote forward/.exec(output)?.[1];
			if (allocated === undefined) return undefined;
			const environment = environmentOf({ ...contact, hub: `curve://${LOOPBACK}:${allocated}` }, placement);
			return lineFor({ ...environment, STICKSLIP_PROCESS: String(process) });
		},
	};
}

/** The exit code of ssh if it fails, and also if the remote process was killed. */
const SSH_FAILED = 255;

/** Errors that prevent the start are reported as such; a process that connected had started. */
function diagnoseExit(host: string, { process = -1, output }: Child, end: End, wasHeard: boolean): ExitDiagnosis {
	const trouble = wasHeard ? undefined : end.error === "ENOENT" ? noSsh() : sshTrouble(host, output);
	if (trouble) return { process, reason: trouble.message, error: trouble };
	const why = unreached(output);
	if (why !== undefined) return { process, reason: `was lost (it cannot be reached: ${why})` };
	if (end.code !== SSH_FAILED) return { process, reason: `was lost (${describeExit(end, output)})` };
	const silent = /Timeout, server \S+ not responding|Broken pipe|Connection (closed|reset)/i.exec(output)?.[0];
	return { process, reason: `was lost (${silent === undefined ? "its process was killed" : silent.toLowerCase()})` };
}

function noSsh(): InputError {
	return new InputError("ssh", sshCommand()[0], "no such program", "install OpenSSH's client");
}
