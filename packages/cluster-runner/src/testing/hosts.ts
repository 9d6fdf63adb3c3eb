/**
 * Several hosts on one machine: network namespaces with addresses and names of their own, on a bridge that stands in a namespace too, so that
 * nothing of it is seen from outside. A process of a host has the host's name and reads the network's own file of hosts, which a test may
 * write late; apart from that it shares the machine: files, processes, cores.
 */
import { execFileSync } from "node:child_process";
import { readdirSync, readlinkSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Bed, type HowToStart, isOrphan, type Running, signalTo } from "./bed.js";

const NAMESPACES = "/run/netns";
const PREFIX = "stickslip-net-";
const KILL_ROUNDS = 100;

export interface HowOnHost extends HowToStart {
	/** The one core of it and all that it starts. */
	readonly core?: number;
}

export interface Host {
	readonly name: string;
	readonly address: string;
	/** Its network namespace, as `ip netns` names it. */
	readonly namespace: string;
	start(command: string, args: readonly string[], how?: HowOnHost): Running;
	/** The command prefix that runs a command there. */
	words(core?: number): readonly string[];
	/** All its processes. */
	pids(): number[];
	/** Kills them all at once, like a power failure; the link stays. */
	kill(): void;
	/** As if the cable were pulled: packets are lost without notice. */
	cut(): void;
	restore(): void;
}

export interface Network {
	readonly hosts: readonly Host[];
	host(name: string): Host;
	/** The names that can be looked up from now on, beside localhost. */
	setNames(addresses: Readonly<Record<string, string>>): void;
}

let networks = 0;

/** Hosts of these names, that find each other by name, and have no addresses of the other family. They are gone with the bed. */
export function openNetwork(bed: Bed, names: readonly string[], family: 4 | 6 = 4): Network {
	sweepNamespaces();
	networks += 1;
	const own = `${PREFIX}${bed.name.replace(/^\D*/, "")}-${networks}`;
	const pid = process.pid % 100;
	const prefix = family === 4 ? `10.${100 + pid}.${networks % 256}.` : `fd00:${pid}:${networks % 256}::`;
	const hub = `${own}-switch`;
	const namespaces = [hub, ...names.map((name) => `${own}-${name}`)];
	bed.undo(() => removeNamespaces(namespaces));
	const namesFile = join(bed.folder, `hosts-${networks}`);
	const hosts = names.map((name, index) => {
		return new NamespaceHost(bed, { name, address: `${prefix}${index + 1}`, hub, port: `p${index}`, own, namesFile });
	});
	batch([...namespaces.flatMap((name) => [`netns add ${name}`])]);
	batch(["link add switch type bridge", "link set switch up", "link set lo up"], hub);
	batch(
		hosts.flatMap(({ namespace, port }) => [
			`link add ${port} type veth peer name eth0 netns ${namespace}`,
			`link set ${port} master switch`,
			`link set ${port} up`,
		]),
		hub,
	);
	for (const { namespace, address } of hosts) {
		batch(
			["link set lo up", `address add ${address}${family === 4 ? "/24" : "/64 nodad"} dev eth0`, "link set eth0 up"],
			namespace,
		);
	}
	const setNames = (addresses: Readonly<Record<string, string>>): void => {
		const lines = Object.entries(addresses).map(([name, address]) => `${address} ${name}`);
		// In place: this very file is mounted over /etc/hosts.
		writeFileSync(namesFile, ["127.0.0.1 localhost", "::1 localhost", ...lines, ""].join("\n"));
	};
	setNames(Object.fromEntries(hosts.map(({ name, address }) => [name, address])));
	const host = (name: string): Host => {
		const found = hosts.find((each) => each.name === name);
		if (found === undefined) throw new Error(`no host is named ${name}`);
		return found;
	};
	return { hosts, host, setNames };
}

interface Place {
	readonly name: string;
	readonly address: string;
	readonly hub: string;
	readonly port: string;
	readonly own: string;
	readonly namesFile: string;
}

class NamespaceHost implements Host {
	readonly name: string;
	readonly address: string;
	readonly namespace: string;
	readonly port: string;
	readonly #bed: Bed;
	readonly #place: Place;

	constructor(bed: Bed, place: Place) {
		this.name = place.name;
		this.address = place.address;
		this.namespace = `${place.own}-${place.name}`;
		this.port = place.port;
		this.#bed = bed;
		this.#place = place;
	}

	start(command: string, args: readonly string[], how: HowOnHost = {}): Running {
		const [first = "", ...words] = [...this.words(how.core), command, ...args];
		return this.#bed.start(first, words, how);
	}

	words(core?: number): readonly string[] {
		const { name, namesFile } = this.#place;
		// Each of these becomes the next, so that the process that was started is the command itself.
		const enter = ["nsenter", `--net=${join(NAMESPACES, this.namespace)}`, "unshare", "--mount", "--uts", "sh", "-c"];
		const script = `mount --bind "$1" /etc/hosts && hostname "$2" && shift 2 && exec "$@"`;
		return [...enter, script, "sh", namesFile, name, ...(core === undefined ? [] : ["taskset", "-c", String(core)])];
	}

	pids(): number[] {
		return pidsOf(this.namespace);
	}

	kill(): void {
		killAll(this.namespace);
	}

	cut(): void {
		batch([`link set ${this.port} nomaster`], this.#place.hub);
	}

	restore(): void {
		batch([`link set ${this.port} master switch`], this.#place.hub);
	}
}

/** Commands of `ip`, in a namespace where one is named. */
function batch(lines: readonly string[], namespace?: string): void {
	const args = [...(namespace === undefined ? [] : ["-n", namespace]), "-batch", "-"];
	execFileSync("ip", args, { input: `${lines.join("\n")}\n`, stdio: ["pipe", "ignore", "pipe"], timeout: 20_000 });
}

function pidsOf(namespace: string): number[] {
	let wanted: string;
	try {
		wanted = `net:[${statSync(join(NAMESPACES, namespace)).ino}]`;
	} catch {
		return [];
	}
	return readdirSync("/proc")
		.filter((name) => /^\d+$/.test(name))
		.filter((pid) => {
			try {
				return readlinkSync(`/proc/${pid}/ns/net`) === wanted;
			} catch {
				return false;
			}
		})
		.map(Number);
}

/** Repeated until none is left: a process may start another meanwhile. */
function killAll(namespace: string): void {
	for (let round = 0; round < KILL_ROUNDS; round += 1) {
		const pids = pidsOf(namespace);
		if (pids.length === 0) return;
		for (const pid of pids) signalTo(pid, "SIGKILL");
		Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
	}
	throw new Error(`processes of ${namespace} cannot be ended`);
}

function removeNamespaces(namespaces: readonly string[]): void {
	const there = new Set(listNamespaces());
	const own = namespaces.filter((name) => there.has(name));
	for (const name of own) killAll(name);
	if (own.length > 0) batch(own.map((name) => `netns delete ${name}`));
}

function listNamespaces(): string[] {
	try {
		return readdirSync(NAMESPACES);
	} catch {
		return [];
	}
}

/** Leftovers of killed tests; another test may be removing them as well. */
function sweepNamespaces(): void {
	for (const name of listNamespaces()) {
		if (!name.startsWith(PREFIX) || !isOrphan(name)) continue;
		try {
			removeNamespaces([name]);
		} catch (error) {
			if (listNamespaces().includes(name)) throw error;
		}
	}
}
