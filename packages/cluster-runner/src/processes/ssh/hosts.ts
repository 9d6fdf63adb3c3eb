/** Checks the hosts of a launch, all at once: errors are printed, one line per host, before anything is started. */
import { InputError, version } from "@stickslip/core";
import { anyNumber, atLeast, type Checked, firstWrong, optional, record, text } from "@stickslip/core/schema";
import { jsonIn } from "../../base/errors.js";
import { oneLine } from "../../base/format.js";
import { quoted } from "../../base/quote.js";
import { runTool, type ToolResult, toolError } from "../tool.js";
import type { Archive } from "./archive.js";
import { question } from "./question.js";
import { CLOSED, sshCommand, sshOptions } from "./ssh-command.js";
import { sshTrouble, unreached } from "./trouble.js";

const LOOK_MS_MAX = 30_000;
const SEND_MS_MAX = 300_000;
/** The oldest supported Node.js, as in bin/stickslip.mjs. */
const LEAST = [20, 19] as const;

export interface Found {
	readonly host: string;
	/** Cores that a process may use there. */
	readonly cores: number;
	readonly memory: number;
	readonly system: string;
	/** The version of the program; undefined if it is not there. */
	readonly version?: string;
}

/** How to run Node.js on hosts: further arguments for ssh, and its path there. */
export interface Reach {
	readonly pass: readonly string[];
	readonly node: string;
}

/** The words that call Node.js on a host; the folder of the program is below the home folder unless it is absolute. */
export function onHost(host: string, { pass, node }: Reach, words: readonly string[]): [string, ...string[]] {
	const remote = ["exec", ...[node, ...words].map(quoted)].join(" ");
	const waits = ["ConnectTimeout=10", "ServerAliveInterval=5", "ServerAliveCountMax=3"];
	const options = sshOptions([...CLOSED, "ClearAllForwardings=yes", ...waits]);
	return [...sshCommand(), ...options, ...pass, "-T", "--", host, remote];
}

/** `copy` is the folder of the whole copy, if `folder` is in one. */
export function lookWords({ folder, copy }: Wanted): readonly string[] {
	return ["-e", question, fromHome(folder), ...(copy === undefined ? [] : [fromHome(copy)])];
}

/** The program that is looked for. */
export interface Wanted {
	/** Of our package. */
	readonly folder: string;
	/** A copy that was sent there, which has to be complete. */
	readonly copy?: string;
}

/** Commands of ssh begin in the home folder. */
function fromHome(folder: string): string {
	return folder.replace(/^~\//, "");
}

/** One line for each host with an error; the last is thrown, the others are printed. */
export async function look(
	hosts: readonly string[],
	reach: Reach,
	wanted: Wanted,
	print: (line: string) => void,
): Promise<Found[]> {
	const names = [...new Set(hosts)];
	const found = await Promise.all(names.map((host) => lookAt(host, reach, wanted)));
	const errors = found.filter((each): each is InputError => each instanceof InputError);
	const last = errors.pop();
	for (const { message } of errors) print(`stickslip: ${oneLine(message)}`);
	if (last !== undefined) throw last;
	return found.filter((each): each is Found => !(each instanceof InputError));
}

async function lookAt(host: string, reach: Reach, wanted: Wanted): Promise<Found | InputError> {
	const [command, ...words] = onHost(host, reach, lookWords(wanted));
	const answer = await runTool(command, words, { milliseconds: LOOK_MS_MAX });
	const reply = answer.code === 0 ? parsed(answer.out) : undefined;
	if (reply === undefined) return refusal(host, answer, reach);
	const [major = 0, minor = 0] = reply.node.split(".").map(Number);
	if (major < LEAST[0] || (major === LEAST[0] && minor < LEAST[1])) {
		const problem = `Node.js there is ${reply.node}, and ${LEAST.join(".")} or later is needed`;
		return new InputError("ssh", host, problem, "update it, or name a newer one with --remote-node");
	}
	return { host, ...reply };
}

function refusal(host: string, answer: ToolResult, { node }: Reach): InputError {
	if (answer.isMissing) return new InputError("launch ssh", "ssh", "is not on the path", "install OpenSSH's client");
	const output = `${answer.err}\n${answer.out}`;
	const trouble = sshTrouble(host, output);
	if (trouble !== undefined) return trouble;
	const why = unreached(output);
	if (why !== undefined)
		return new InputError("ssh", host, `it cannot be reached (${why})`, "check that it is up and runs sshd");
	// Shells have different messages for this, but the same code.
	if (answer.code === 127) {
		const remedy = "install Node.js 20.19 or later there, or name it with --remote-node";
		return new InputError("ssh", host, `there is no ${node}`, remedy);
	}
	return new InputError("ssh", host, toolError(answer), "log in with ssh once and check");
}

const line = text(10_000);
const isReply = record({
	node: line,
	system: line,
	memory: anyNumber,
	cores: atLeast(1),
	version: optional(line),
});
type HostReply = Checked<typeof isReply>;

/** The last line: a login script may have said something before. */
function parsed(out: string): HostReply | undefined {
	const value = jsonIn(out.trim().split("\n").at(-1) ?? "");
	return firstWrong(value, isReply, true) === undefined ? (value as HostReply) : undefined;
}

/** Brings the program to a host; `unpack` is the text of ssh/unpack.ts. */
export async function send(
	host: string,
	reach: Reach,
	folder: string,
	unpack: string,
	{ bytes, digest }: Archive,
): Promise<void> {
	const [command, ...words] = onHost(host, reach, ["--input-type=module", "-e", unpack, fromHome(folder), digest]);
	const answer = await runTool(command, words, { input: bytes, milliseconds: SEND_MS_MAX });
	if (answer.code === 0 && answer.out.includes("unpacked")) return;
	const problem = `the program cannot be copied to ${folder}: ${toolError(answer)}`;
	throw new InputError(
		"ssh",
		host,
		problem,
		"check the free space, or install it there and give its folder with --program",
	);
}

/** A program that the user names must have this version. */
export function checkInstalled({ host, version: there }: Found, folder: string): void {
	if (there === version) return;
	const problem =
		there === undefined ? `there is no program in ${folder}` : `the program in ${folder} is version ${there}`;
	throw new InputError(
		"ssh",
		host,
		`${problem}, and this is ${version}`,
		"install the same version there, or leave out --program",
	);
}
