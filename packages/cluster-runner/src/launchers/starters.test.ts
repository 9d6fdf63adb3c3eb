/** The commands that start members, and the messages when they fail, with the real output of the programs. */
import { describe, expect, it } from "vitest";
import type { Placement } from "../placement/placement.js";
import type { Child, End } from "../processes/children.js";
import type { CommandStarter } from "../processes/spawn-spec.js";
import { onHost } from "../processes/ssh/hosts.js";
import { sshCommand } from "../processes/ssh/ssh-command.js";
import { mpirunTrouble } from "../processes/starters/mpirun.js";
import { lostHost, mpirunStarter, mpirunWords } from "./mpirun/starter.js";
import { findLoss, nodeAddressesIn, slurmStarter } from "./slurm/starter.js";
import { sshStarter } from "./ssh/starter.js";
import { starterOf } from "./starter-of.js";

const placement: Placement = {
	where: "ssh",
	nodes: 2,
	ranksPerNode: 4,
	between: "zeromq",
	hosts: ["n1", "me@n2"],
	waitSeconds: 60,
};
const secret = "ab".repeat(32);
const contact = { hub: "curve://127.0.0.1:4567", secret, processes: 2, perProcess: 4 };
const ended = (code: number | null, signal: NodeJS.Signals | null = null): End => ({ code, signal });
const childWith = (text: string, process?: number): Child => ({ process, output: text, child: undefined as never });

describe("ssh", () => {
	const starter = sshStarter({
		...placement,
		program: "~/.cache/stickslip/0.1.0-ab",
		node: "node",
		pass: ["-p", "2222"],
		listen: "ib0",
	});
	const [first, second] = starter.spawnSpecs(contact);

	it("forwards a port of the other side's choice, and runs the program there", () => {
		const { command, args, process } = second!;
		expect([command, process]).toEqual(["ssh", 1]);
		expect(args.slice(args.indexOf("-p"))).toEqual([
			...["-p", "2222", "-T", "-R", "127.0.0.1:0:127.0.0.1:4567", "--", "me@n2"],
			"exec node .cache/stickslip/0.1.0-ab/dist/bundled/process.js stdin",
		]);
		for (const option of ["BatchMode=yes", "ServerAliveInterval=2", "ExitOnForwardFailure=yes"])
			expect(args).toContain(option);
	});

	it("opens nothing of this host to the other, whatever the configuration of ssh says", () => {
		const there = onHost("me@n2", { pass: [], node: "node" }, ["-e", "0"]);
		const killing = starter.killSpec!(1, 42);
		const mpi = mpirunWords({ ...placement, where: "mpirun" }, "openmpi", 2, []).find((word) =>
			word.includes("ServerAlive"),
		);
		for (const words of [second!.args, there, killing.args, mpi!.split(" ")]) {
			for (const option of ["BatchMode=yes", "ForwardAgent=no", "ForwardX11=no", "PermitLocalCommand=no"])
				expect(words.slice(words.indexOf(option) - 1, words.indexOf(option) + 1)).toEqual(["-o", option]);
		}
		for (const words of [there, killing.args]) expect(words).toContain("ClearAllForwardings=yes");
	});

	it("tells what is secret on standard input only, when it knows the port", () => {
		expect([JSON.stringify(first).includes(secret), JSON.stringify(second).includes(secret)]).toEqual([false, false]);
		expect(first!.input?.("Warning: Permanently added 'n1'\n")).toBeUndefined();
		const line = first!.input?.("Allocated port 40123 for remote forward to 127.0.0.1:4567\n") ?? "";
		expect(JSON.parse(line)).toEqual({
			STICKSLIP_HUB: "curve://127.0.0.1:40123",
			STICKSLIP_HUB_PID: "",
			STICKSLIP_KEY: secret,
			STICKSLIP_LISTEN: "ib0",
			STICKSLIP_PROCESS: "0",
		});
		expect(line.endsWith("\n")).toBe(true);
	});

	it("is whatever STICKSLIP_SSH says", () => {
		expect(sshCommand({ STICKSLIP_SSH: "ssh -F  file" })).toEqual(["ssh", "-F", "file"]);
		expect(sshCommand({})).toEqual(["ssh"]);
	});

	it.each<[string, string, number, string]>([
		[
			"ssh: Could not resolve hostname me@n2: Name or service not known\n",
			"unknown host",
			255,
			"ssh: me@n2: no such host; check its name",
		],
		[
			"me@n2: Permission denied (publickey).\n",
			"refused key",
			255,
			"ssh: me@n2: it refuses the key (permission denied); log in",
		],
		["Host key verification failed.\n", "host key", 255, "ssh: me@n2: its host key is unknown or has changed; log in"],
		[
			"Error: remote port forwarding failed for listen port 0\n",
			"forwarding",
			255,
			"ssh: me@n2: it refuses port forwarding",
		],
		["sh: 1: exec: node: not found\n", "no node", 127, "ssh: me@n2: there is no Node.js; install"],
		[
			"Error: Cannot find module '/x/process.js'\n",
			"no program",
			1,
			"ssh: me@n2: the program is missing or incomplete",
		],
	])("is told of %j", (text, _, code, message) => {
		const { process, error } = starter.diagnoseExit(childWith(text, 1), ended(code), []);
		expect([process, error?.message.startsWith(message)]).toEqual([1, true]);
	});

	it.each<[string, number, string]>([
		[
			"ssh: connect to host n2 port 22: Connection refused\n",
			255,
			"was lost (it cannot be reached: connection refused)",
		],
		["Timeout, server n2 not responding.\n", 255, "was lost (timeout, server n2 not responding)"],
		["", 255, "was lost (its process was killed)"],
		["", 3, "was lost (exit code 3)"],
		["Permission denied (publickey)\n", 1, "was lost (exit code 1: Permission denied (publickey))"],
	])("that is lost later is a lost rank: %j", (text, code, reason) => {
		expect(starter.diagnoseExit(childWith(text, 1), ended(code), [7, 8])).toEqual({ process: 1, reason });
	});
});

describe("srun", () => {
	const starter: CommandStarter = slurmStarter({ ...placement, where: "slurm" }, undefined);

	it("starts one task per node, numbered by Slurm, and tells the secret on standard input only", () => {
		const [call] = starter.spawnSpecs({ ...contact, hub: "curve://10.0.0.1:4567" });
		const { command, args, env, process, input } = call!;
		expect([command, process]).toEqual(["srun", undefined]);
		for (const word of ["--nodes=2", "--ntasks=2", "--ntasks-per-node=1", "--overlap", "--mpi=none"])
			expect(args).toContain(word);
		expect(args.at(-3)).toMatch(/dist\/bundled\/process\.js$/);
		expect(args).toContain("--input=all");
		expect(JSON.stringify([args, env])).not.toContain(secret);
		expect(JSON.parse(input?.("") ?? "")).toEqual({
			STICKSLIP_HUB: "curve://10.0.0.1:4567",
			STICKSLIP_HUB_PID: "",
			STICKSLIP_KEY: secret,
			STICKSLIP_PROCESS: "SLURM_PROCID",
		});
		const library = { kind: "mpich", version: "4.0", path: "libmpich.so.12" } as const;
		const [mpi] = slurmStarter(
			{ ...placement, where: "slurm", between: "mpi", pass: ["--qos=high"] },
			library,
		).spawnSpecs(contact);
		expect(mpi!.args).toEqual(expect.arrayContaining(["--mpi=pmi2", "--qos=high"]));
		expect(mpi!.env).toMatchObject({ STICKSLIP_MPI: "libmpich.so.12" });
	});

	it.each<[string, number, string]>([
		["srun: error: n2: task 1: Killed\n", 1, "was lost (killed by SIGKILL)"],
		["srun: error: n1: task 0: Segmentation fault (core dumped)\n", 0, "was lost (killed by SIGSEGV)"],
		["srun: error: n2: tasks 2-3: Exited with exit code 3\n", 2, "was lost (exited with exit code 3)"],
		["srun: error: Node failure on n2\n", -1, "node n2 failed"],
	])("tells %j", (text, process, reason) => {
		expect(findLoss(text)).toEqual({ process, reason });
	});

	it.each([
		[
			"srun: error: Only allocated 2 nodes asked for 3\n",
			/^slurm: srun: more nodes than the allocation has \(Only allocated 2/,
		],
		["srun: error: Unable to allocate resources: Invalid partition name specified\n", /no such partition/],
		["srun: error: Unable to contact slurm controller (connect failure)\n", /the scheduler does not respond/],
		["srun: error: Invalid MPI type 'pmi3', --mpi=list for acceptable types\n", /Slurm does not support this --mpi/],
		["srun: error: task 0 launch failed: Unspecified error\n", /a task cannot be started/],
	])("is told of %j", (text, message) => {
		expect(starter.diagnoseExit(childWith(text), ended(1), []).error?.message).toMatch(message);
	});

	it("is told where there is none", () => {
		const end = { code: null, signal: null, error: "ENOENT" };
		expect(starter.diagnoseExit(childWith("spawn srun ENOENT"), end, []).error?.message).toMatch(
			/the scheduler does not respond/,
		);
		expect(nodeAddressesIn("NodeName=n1 NodeAddr=10.0.0.1 X=1\nNodeName=n2 NodeAddr=n2\n")).toEqual(["10.0.0.1", "n2"]);
	});
});

describe("mpirun", () => {
	it("is told of too few slots, and of hosts", () => {
		const slots = "There are not enough slots available in the system to satisfy the 4\nslots that were requested";
		expect(mpirunTrouble(slots)?.message).toMatch(/^mpirun: slots: there are fewer slots than ranks/);
		expect(mpirunTrouble("ssh: Could not resolve hostname n9: Name or service not known")?.message).toMatch(
			/^ssh: n9: no such host/,
		);
		expect(mpirunTrouble("me@n2: Permission denied (publickey).")?.message).toMatch(/^ssh: n2: it refuses the key/);
		expect(mpirunTrouble("ssh: connect to host n2 port 22: Connection refused")?.message).toMatch(
			/^ssh: n2: it cannot be reached/,
		);
		expect(mpirunTrouble("all is well")).toBeUndefined();
	});

	it("names the host that Open MPI reaches no more", () => {
		const text = "  HNP daemon   : [[27346,0],0] on node front\n  Remote daemon: [[27346,0],2] on node n2\n";
		expect(lostHost(text, ["n1", "n2"])).toEqual({
			process: 1,
			reason: "was lost (mpirun cannot reach its host any more)",
		});
		expect(lostHost(text, ["n1", "n3"])?.reason).toBe("host n2 was lost (mpirun cannot reach its host any more)");
		const closed =
			"Connection to 10.0.0.2 closed by remote host.\r\n[mpiexec@front] control_cb: assert (!closed) failed";
		expect(lostHost(closed, ["n1", "10.0.0.2"])?.process).toBe(1);
		expect(lostHost(closed, ["n1", "n2"])?.reason).toBe(
			"host 10.0.0.2 was lost (mpirun cannot reach its host any more)",
		);
		expect(lostHost("mpirun: command not found", ["n1"])).toBeUndefined();
	});

	it("has names for hosts that have not answered", () => {
		expect(mpirunStarter({ ...placement, where: "mpirun" }, undefined).hostOf?.(1)).toBe("me@n2");
	});
});

describe("a placement", () => {
	it.each(["moon", "kubernetes"])("that no launcher can start processes for is refused by name: %s", (where) => {
		expect(() => starterOf({ ...placement, where }, undefined)).toThrow(
			"placement.json: where: is not one of local, ssh, slurm, mpirun, node; launch the run again",
		);
	});
});
