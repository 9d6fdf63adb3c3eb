/** `launch ssh`: one process on each host. The hub is here, and hosts that lack the program are sent it: they need Node.js only. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "@stickslip/core";
import { bytes, counted } from "../../base/format.js";
import { packageFolder } from "../../base/own.js";
import { commandLine } from "../../base/quote.js";
import type { Terminal } from "../../cli/command.js";
import { describeHere, exampleContact, superviseHere } from "../../launch/here.js";
import type { LaunchRequest } from "../../launch/launch-request.js";
import type { Launching } from "../../launch/plan.js";
import { type Placement, WAIT_SECONDS } from "../../placement/placement.js";
import { archiveOf, CACHE, thisProgram } from "../../processes/ssh/archive.js";
import {
	checkInstalled,
	type Found,
	look,
	lookWords,
	onHost,
	type Reach,
	send,
	type Wanted,
} from "../../processes/ssh/hosts.js";
import { PACKAGE } from "../../processes/ssh/question.js";
import { sshStarter } from "./starter.js";

/** Compiled beside this file. */
const unpacker = join(packageFolder, "dist/processes/ssh/unpack.js");

export const launchSsh: Launching = {
	describe(request, run) {
		const placement = sshPlacement(request);
		const looks = hostsOf(request).map((host) =>
			commandLine(onHost(host, reachOf(request), lookWords(wantedOf(request)))),
		);
		const starts = sshStarter(placement)
			.spawnSpecs(exampleContact(placement))
			.map(({ command, args }) => commandLine([command, ...args]).replaceAll(":65535", ":PORT"));
		const asks =
			request.ranksPerNode === undefined ? ["# ranksPerNode: the smallest number of cores of the hosts"] : [];
		return [
			"# the check of each host; the program is copied to hosts without it, as an archive of npm pack",
			...looks,
			...asks,
			describeHere(request, placement, run, starts),
		].join("\n");
	},

	async start(request, terminal) {
		const found = await look(hostsOf(request), reachOf(request), wantedOf(request), terminal.err);
		for (const each of found) checkMemory(request, each);
		await bring(request, found, terminal);
		return await superviseHere(request, sshPlacement(request, Math.min(...found.map(({ cores }) => cores))), terminal);
	},
};

export function sshPlacement(request: LaunchRequest, coresThere = 1): Placement {
	const { listen, wait, pass, options } = request;
	const hosts = hostsOf(request);
	return {
		where: "ssh",
		nodes: hosts.length,
		ranksPerNode: request.ranksPerNode ?? coresThere,
		between: "zeromq",
		hosts,
		program: programOf(request),
		node: options["remote-node"] ?? "node",
		...(listen !== undefined && { listen }),
		...(pass.length > 0 && { pass }),
		waitSeconds: wait ?? WAIT_SECONDS.remote,
	};
}

function hostsOf({ hosts, nodes = hosts?.length ?? 0, refuse }: LaunchRequest): string[] {
	if (hosts === undefined)
		return refuse("--host", "is missing", "write --host node1,node2, or --hosts FILE with one per line");
	if (nodes > hosts.length) {
		return refuse("--nodes", `${nodes} nodes are more than the ${counted(hosts.length, "host")}`, "name more hosts");
	}
	return hosts.slice(0, nodes).map(({ name }) => name);
}

function reachOf({ pass, options }: LaunchRequest): Reach {
	return { pass, node: options["remote-node"] ?? "node" };
}

let name: string | undefined;

/** The folder of the installed package on the hosts. */
function programOf(request: LaunchRequest): string {
	return wantedOf(request).folder;
}

function wantedOf({ options }: LaunchRequest): Wanted {
	if (options.program !== undefined) return { folder: options.program };
	name ??= thisProgram().name;
	const copy = `~/${CACHE}/${name}`;
	return { folder: `${copy}/${PACKAGE}`, copy };
}

export function checkMemory({ memory }: Pick<LaunchRequest, "memory">, found: Found): void {
	if (memory === undefined || memory <= found.memory) return;
	const problem = `it has ${bytes(found.memory)} of memory, and ${bytes(memory)} are requested`;
	throw new InputError("ssh", found.host, problem, "ask for less, or leave the host out");
}

/** Copies the program to all hosts that lack it, at once. */
async function bring(request: LaunchRequest, found: readonly Found[], terminal: Terminal): Promise<void> {
	const { folder, copy } = wantedOf(request);
	if (copy === undefined) {
		for (const each of found) checkInstalled(each, folder);
		return;
	}
	const lacking = found.filter(({ version }) => version === undefined);
	if (lacking.length === 0) return;
	const system = `${process.platform}-${process.arch}`;
	const other = lacking.find((each) => each.system !== system);
	if (other !== undefined) {
		const problem = `its system is ${other.system} and this one is ${system}, so the program cannot be copied there`;
		throw new InputError("ssh", other.host, problem, "install it there and name its folder with --program");
	}
	terminal.passing(`copying the program to ${counted(lacking.length, "host")}`);
	const archive = await archiveOf(thisProgram());
	const unpack = readFileSync(unpacker, "utf8");
	await Promise.all(lacking.map(({ host }) => send(host, reachOf(request), copy, unpack, archive)));
	terminal.passing("");
}
