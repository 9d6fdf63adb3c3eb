/**
 * OpenSSH servers on the hosts of a network, with keys made for this bed, and a client that knows them by the names of the hosts: the program `ssh` in
 * `path`, to be put before the others. Besides the hosts there are some that do not work: `refused` does not take the key, `nowhere` has no address,
 * `closed` is a host without a server, and `bare` has no Node.
 */
import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Bed } from "./bed.js";
import type { Host } from "./hosts.js";
import { findProgram } from "./lacking.js";
import { until } from "./wait.js";

const PORT = 22;
const BARE_PORT = 23;
const CLOSED_PORT = 24;

export interface Sshd {
	/** The folder whose `ssh` reads our configuration. */
	readonly path: string;
	/** The words that do the same without a path. */
	readonly words: readonly string[];
	/** PATH with that folder first. */
	readonly env: Readonly<Record<string, string>>;
	/** The home directory of who logs in on a host. */
	home(name: string): string;
	/** Starts the server of a host that was killed, as if the host had come up again. */
	serve(name: string): Promise<void>;
}

export async function openSshd(bed: Bed, hosts: readonly Host[]): Promise<Sshd> {
	const folder = join(bed.folder, "ssh");
	const bin = join(folder, "bin");
	mkdirSync(bin, { recursive: true });
	const at = (name: string) => join(folder, name);
	for (const key of ["user", "stranger", "host"]) {
		await bed.run("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", key, "-f", at(key)]);
	}
	// The server insists on this folder for its unprivileged part.
	mkdirSync("/run/sshd", { recursive: true, mode: 0o755 });
	const home = (name: string) => at(`home-${name}`);
	const bare = withoutNode(at("bare"));
	const start = (host: Host) =>
		startServer(host, { folder, port: PORT, home: home(host.name), path: process.env.PATH ?? "" });
	for (const host of hosts) {
		mkdirSync(home(host.name), { recursive: true });
		start(host);
	}
	const [first] = hosts;
	if (first === undefined) throw new Error("ssh needs a host");
	startServer(first, { folder, port: BARE_PORT, home: home("bare"), path: bare });
	mkdirSync(home("bare"));

	const config = at("config");
	writeFileSync(config, configuration(hosts, first, folder));
	const ssh = findProgram("ssh") ?? "ssh";
	writeFileSync(join(bin, "ssh"), `#!/bin/sh\nexec ${ssh} -F '${config}' "$@"\n`);
	chmodSync(join(bin, "ssh"), 0o755);
	const words = [ssh, "-F", config];
	const isUp = async (name: string) => {
		const answers = async () => (await first.start(ssh, ["-F", config, name, "true"], { seconds: 5 }).ended).code === 0;
		await until(`the ssh server of ${name} answers`, answers);
	};
	for (const name of [...hosts.map((host) => host.name), "bare"]) await isUp(name);
	const serve = async (name: string) => {
		const host = hosts.find((each) => each.name === name);
		if (host === undefined) throw new Error(`no host is named ${name}`);
		start(host);
		await isUp(name);
	};
	return { path: bin, words, env: { PATH: `${bin}:${process.env.PATH ?? ""}` }, home, serve };
}

interface Server {
	readonly folder: string;
	readonly port: number;
	readonly home: string;
	readonly path: string;
}

function startServer(host: Host, { folder, port, home, path }: Server): void {
	const file = join(folder, `sshd-${host.name}-${port}`);
	const lines = [
		`ListenAddress ${host.address.includes(":") ? `[${host.address}]` : host.address}:${port}`,
		`HostKey ${join(folder, "host")}`,
		`AuthorizedKeysFile ${join(folder, "user.pub")}`,
		`PidFile ${file}.pid`,
		`SetEnv HOME=${home} XDG_CACHE_HOME=${join(home, ".cache")} PATH=${path}`,
		"PermitRootLogin yes",
		"PasswordAuthentication no",
		"KbdInteractiveAuthentication no",
		"StrictModes no",
		"UsePAM no",
		"UseDNS no",
		"MaxStartups 100",
		"MaxSessions 100",
	];
	writeFileSync(file, `${lines.join("\n")}\n`);
	host.start(findProgram("sshd") ?? "sshd", ["-D", "-e", "-f", file]);
}

function configuration(hosts: readonly Host[], first: Host, folder: string): string {
	const at = (name: string) => join(folder, name);
	const entry = (name: string, address: string, port: number, key: string) =>
		`Host ${name}\n  HostName ${address}\n  Port ${port}\n  IdentityFile ${at(key)}\n`;
	return [
		...hosts.map(({ name, address }) => entry(`${name} ${address}`, address, PORT, "user")),
		entry("refused", first.address, PORT, "stranger"),
		entry("bare", first.address, BARE_PORT, "user"),
		entry("closed", first.address, CLOSED_PORT, "user"),
		entry("nowhere", "nowhere.invalid", PORT, "user"),
		"Host *",
		"  User root",
		"  IdentitiesOnly yes",
		"  IdentityAgent none",
		"  StrictHostKeyChecking accept-new",
		`  UserKnownHostsFile ${at("known")}`,
		"  LogLevel ERROR",
		"",
	].join("\n");
}

/** A folder of all programs but Node and what came with it. */
function withoutNode(folder: string): string {
	mkdirSync(folder);
	for (const name of readdirSync("/usr/bin")) {
		if (!/^(node|nodejs|npm|npx|corepack)$/.test(name)) symlinkSync(join("/usr/bin", name), join(folder, name));
	}
	return folder;
}
