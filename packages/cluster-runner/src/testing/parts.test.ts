/** The other real parts, each tried once: a slow line, ssh servers and clients, Slurm on loopback and on hosts. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Bed } from "./bed.js";
import { type Network, openNetwork } from "./hosts.js";
import { noHosts, noRelay, noSlurm, noSshd } from "./lacking.js";
import { openRelay } from "./relay.js";
import { openSlurm } from "./slurm.js";
import { openSshd } from "./sshd.js";
import { until } from "./wait.js";

/** Round trips of a byte, in milliseconds, ascending; the last word is a failure's. */
const PINGS = 50;
const ping = (address: string) => `
	const socket = require("node:net").connect(7, "${address}", () => {
		socket.setNoDelay();
		const times = [];
		let sent = performance.now();
		socket.on("data", () => {
			times.push(performance.now() - sent);
			if (times.length === ${PINGS}) {
				console.log(Math.min(...times));
				process.exit();
			}
			sent = performance.now();
			socket.write("x");
		});
		socket.write("x");
	});`;
const echo = (address: string) =>
	`require("node:net").createServer((socket) => socket.setNoDelay().pipe(socket)).listen(7, "${address}", () => console.log("listens"));`;

describe.skipIf(noRelay() !== undefined)(
	`a slow line (skipped where there is none: ${noRelay() ?? "not here"})`,
	() => {
		it("delays what crosses it, and loses it while it is cut", async () => {
			const bed = new Bed();
			try {
				const [one, two] = openNetwork(bed, ["one", "two"]).hosts;
				if (one === undefined || two === undefined) throw new Error("no hosts");
				const relay = await openRelay(bed, [one, two], { delayMs: 2 });
				const [, address = ""] = relay.addresses;
				const server = two.start(process.execPath, ["--eval", echo(address)]);
				await until("the server listens", () => server.out() !== "");
				const { out } = await one.start(process.execPath, ["--eval", ping(address)], { seconds: 240 }).ended;
				expect(Number(out)).toBeGreaterThan(4);
				const count = await relay.count();
				expect(count.roundTripMs).toBeGreaterThanOrEqual(4);
				expect(count.packets).toBeGreaterThan(2 * PINGS);
				expect(count.cpuSeconds).toBeGreaterThan(0);
				relay.cut();
				const late = one.start(process.execPath, ["--eval", ping(address)], { seconds: 240 });
				await until("packets are lost", async () => (await relay.count()).lost > 0);
				relay.restore();
				expect(Number((await late.ended).out)).toBeGreaterThan(4);
			} finally {
				await bed.close();
			}
		});
	},
);

describe.skipIf(noSshd() !== undefined)(`ssh (skipped where there is none: ${noSshd() ?? "not here"})`, () => {
	let bed: Bed;
	let network: Network;
	beforeAll(() => {
		bed = new Bed();
		network = openNetwork(bed, ["front", "far"]);
	});
	afterAll(() => bed.close());

	it("reaches hosts by name, and fails as it does in life where a host is not as it should be", async () => {
		const { env, home } = await openSshd(bed, network.hosts);
		const ssh = async (name: string) => {
			const words = ["-o", "BatchMode=yes", name, "hostname; echo $HOME; command -v node"];
			const { code, out, err } = await network.host("front").start("ssh", words, { env, seconds: 240 }).ended;
			return [code, out || err];
		};
		expect(await ssh("far")).toEqual([0, expect.stringMatching(`^far\n${home("far")}\n\\S*node\n$`)]);
		expect(await ssh("bare")).toEqual([expect.any(Number), `front\n${home("bare")}\n`]);
		expect(await ssh("refused")).toEqual([255, expect.stringContaining("Permission denied")]);
		expect(await ssh("closed")).toEqual([255, expect.stringContaining("Connection refused")]);
		expect(await ssh("nowhere")).toEqual([255, expect.stringContaining("Could not resolve")]);
	});
});

describe.skipIf(noSlurm() !== undefined)(`Slurm (skipped where there is none: ${noSlurm() ?? "not here"})`, () => {
	it("runs steps on virtual nodes, and takes a job away for an urgent one", async () => {
		const bed = new Bed();
		try {
			const slurm = await openSlurm(bed, { nodes: 2 });
			const ids = await slurm.run("srun", ["-N", "2", "sh", "-c", "echo $SLURM_NODEID"]);
			expect(ids.split("\n").sort()).toEqual(["", "0", "1"]);
			const words = ["--parsable", "--nodes=2", "--exclusive", "--output=/dev/null", "--wrap=sleep 100"];
			const job = (await slurm.run("sbatch", words)).trim();
			await until("the job runs", async () => (await slurm.state(job)) === "RUNNING");
			await slurm.preempt(0);
			expect(await slurm.state(job)).toBe("PENDING");
			await expect(slurm.run("srun", ["--partition=none", "true"])).rejects.toThrow(/invalid partition/);
		} finally {
			await bed.close();
		}
	});

	it("has nodes with addresses of their own", async (context) => {
		const lack = noHosts();
		if (lack !== undefined) context.skip(`no hosts: ${lack}`);
		const bed = new Bed();
		try {
			const { hosts } = openNetwork(bed, ["front", "n1", "n2"]);
			const slurm = await openSlurm(bed, { hosts });
			const out = await slurm.run("srun", ["-N", "2", "sh", "-c", "hostname; ip -4 -o address show dev eth0"]);
			for (const { name, address } of hosts.slice(1))
				expect(out).toMatch(new RegExp(`^${name}$[^]*inet ${address}`, "m"));
		} finally {
			await bed.close();
		}
	});
});
