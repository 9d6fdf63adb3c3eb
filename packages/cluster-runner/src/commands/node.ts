/**
 * `stickslip node`: one of the nodes of a run that are started by others, each with the same line: the pods of a Job, the tasks of srun or
 * mpirun, or people. Node 0 keeps the run and runs the line; the others find it, and work for it until the run is over.
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Command, ExitCode, OptionSpec, Terminal } from "../command.js";
import { type Gang, WAIT_SECONDS, WAIT_SECONDS_MAX } from "../launch/gang.js";
import { beginJob, JOB_VARIABLE } from "../launch/kubernetes/job-change.js";
import { CHECKPOINT_SECONDS, RESTARTS_MAX } from "../launch/launch-request.js";
import { launchable } from "../launch/launchable.js";
import { checkListen, requireOwn } from "../launch/rendezvous/addresses.js";
import { hostIn } from "../launch/rendezvous/host-port.js";
import { type NodeIdentity, nodeIdentity, PORT, REGISTRY_VARIABLE } from "../launch/rendezvous/node-identity.js";
import type { OpenRegistry } from "../launch/rendezvous/registry-server.js";
import { supervise } from "../launch/supervise.js";
import type { Given } from "../line/given.js";
import { secretOf } from "../ranks/keys.js";
import { RANKS_MAX } from "../ranks/messages.js";
import { replaceJson } from "../runs/check.js";
import { FILES, RUN_VARIABLE } from "../runs/files.js";
import { createRun, runsFolder } from "../runs/folder.js";
import { readPrivate, requireOwnRun } from "../runs/own.js";
import { stopRequest } from "../runs/stop.js";
import { handleSignals, holdSignals } from "../signals.js";

const KEY_FILE = "STICKSLIP_KEY_FILE";

const specs: readonly OptionSpec[] = [
	{ name: "ranks-per-node", value: "N", what: "threads of each node (default 1)" },
	{
		name: "wait",
		value: "SECONDS",
		what: `how long nodes may be late, or node 0 be gone (default ${WAIT_SECONDS.node})`,
	},
	{ name: "checkpoint", value: "SECONDS", what: `between checkpoints (default ${CHECKPOINT_SECONDS})` },
	{
		name: "restarts",
		value: "N",
		what: "after a lost rank or node, go on from the last checkpoint, so often (default 0)",
	},
	{ name: "no-capsule", what: "do not gather a failed solve into a capsule in the run's folder" },
	{ name: "runs", value: "DIR", what: "the folder of runs (default STICKSLIP_RUNS, else ~/.stickslip/runs)" },
	{
		name: "listen",
		value: "ADDRESS",
		what: "an address, network or interface to listen on; only so are public ones listened on",
	},
];

const notes = `Every node gets the same line and the same variables:
  STICKSLIP_KEY           64 hexadecimal digits, secret, the same on all nodes: openssl rand -hex 32
  STICKSLIP_KEY_FILE      or a file of mode 600 with them, where schedulers keep and hand on environments (srun)
  STICKSLIP_RENDEZVOUS    HOST:PORT of node 0 (port ${PORT} unless said; under srun its first host unless said)
  STICKSLIP_NODE, STICKSLIP_NODES   which node this is, from 0, and how many there are; else from Kubernetes
                          (JOB_COMPLETION_INDEX), srun (SLURM_PROCID) or mpirun
  STICKSLIP_RUN           the folder of the run on node 0; it is gone on with where it is there
  STICKSLIP_LISTEN        as --listen

Node 0 ends as the line ends. A node with another version or another line is refused, and the run with it: exit code 2.
The others end with 0 when the run is over, with 3 when it was lost or nothing was heard of node 0 for
--wait, and with 75 when they are asked to end themselves: the run then stops with a checkpoint, and waits
for them to come again.

Example:
  STICKSLIP_NODE=1 STICKSLIP_NODES=2 STICKSLIP_RENDEZVOUS=node0:${PORT} STICKSLIP_KEY=... stickslip node -- solve pile.hdf5`;

export const node: Command = {
	name: "node",
	usage: "[options] -- LINE",
	what: "one of the nodes of a run, where others start them (pods, srun, mpirun, people)",
	options: specs,
	isFront: true,
	notes,
	run: (given, terminal) => runNode(nodeRequest(given), terminal),
};

interface NodeRequest {
	readonly line: readonly string[];
	readonly identity: NodeIdentity;
	readonly secret: Uint8Array;
	readonly ranksPerNode: number;
	readonly waitSeconds: number;
	readonly checkpoint: number;
	readonly restarts: number;
	readonly capsule: boolean;
	readonly runs: string;
	readonly listen: string | undefined;
}

function nodeRequest(given: Given): NodeRequest {
	const [stranger] = [...given.rest.unknown, ...given.operands];
	if (stranger !== undefined) given.refuse(stranger, "is nothing that it takes", "write the line after --");
	const waitSeconds = given.real("wait", "above 0", WAIT_SECONDS.node) ?? WAIT_SECONDS.node;
	if (waitSeconds > WAIT_SECONDS_MAX) given.refuse("--wait", `${waitSeconds} s is more than a day`, "give less");
	const listen = given.text("listen") ?? process.env.STICKSLIP_LISTEN;
	if (listen !== undefined) checkListen(listen, given.command);
	// What stands in the environment may be the same on all nodes, and an address of another one.
	const own = given.text("listen");
	if (own !== undefined) requireOwn(own, given.command);
	return {
		line: launchable(given.rest.line),
		identity: nodeIdentity(process.env),
		secret: secretOf(keyIn(process.env)),
		ranksPerNode: given.integer("ranks-per-node", 1, RANKS_MAX, 4) ?? 1,
		waitSeconds,
		checkpoint: given.real("checkpoint", "from 0", CHECKPOINT_SECONDS) ?? CHECKPOINT_SECONDS,
		restarts: given.integer("restarts", 0, RESTARTS_MAX, 3) ?? 0,
		capsule: !given.flag("no-capsule"),
		runs: runsFolder(given.text("runs")),
		listen,
	};
}

/** From its own variable, or from a file that others may not read. */
function keyIn(env: NodeJS.ProcessEnv): string | undefined {
	const { STICKSLIP_KEY: key = "", [KEY_FILE]: file = "" } = env;
	if (key !== "" || file === "") return key;
	const text = readPrivate(file, KEY_FILE).trim();
	// The line of node 0 finds the others by it.
	env.STICKSLIP_KEY = text;
	return text;
}

async function runNode(request: NodeRequest, terminal: Terminal): Promise<ExitCode> {
	const { identity, secret, waitSeconds, listen } = request;
	const line = digestOf(request.line);
	// They load the addon of sockets, which no other command needs.
	const { runNodeAgent } = await import("../launch/rendezvous/node-agent.js");
	const print = (line: string) => terminal.err(`stickslip: ${line}`);
	if (listen !== undefined) process.env.STICKSLIP_LISTEN = listen;
	if (identity.node > 0) {
		const controller = new AbortController();
		holdSignals();
		handleSignals(() => controller.abort());
		return await runNodeAgent({ identity, line, secret, waitSeconds, signal: controller.signal, print });
	}
	const { openRegistry } = await import("../launch/rendezvous/registry-server.js");
	const refusal = new AbortController();
	const nodeRegistry = await openRegistry({
		...identity,
		line,
		secret,
		listen,
		print,
		onRefused: () => refusal.abort(),
	});
	let folder: string;
	try {
		folder = folderOf(request, terminal);
	} catch (error) {
		await nodeRegistry.close(2, false);
		throw error;
	}
	process.env[REGISTRY_VARIABLE] = nodeRegistry.address;
	const host = hostIn(nodeRegistry.address);
	const port = nodeRegistry.address.split(":").at(-1);
	const own = runNodeAgent({ identity: { ...identity, host, port: Number(port) }, line, secret, waitSeconds, print });
	const code = await keep(folder, request, nodeRegistry, refusal.signal);
	await own;
	return code;
}

/** All nodes have the same line, or they are not of one run; the words themselves need not travel. */
function digestOf(line: readonly string[]): string {
	return createHash("sha256").update(JSON.stringify(line)).digest("hex");
}

/** The folder of the run, new or gone on with, and in it how its members come about. */
function folderOf(request: NodeRequest, terminal: Terminal): string {
	const { line, restarts, checkpoint, capsule, runs, identity, ranksPerNode, waitSeconds, listen } = request;
	const { [RUN_VARIABLE]: named } = process.env;
	const known = named === undefined || named === "" ? undefined : resolve(named);
	const where = process.env.JOB_COMPLETION_INDEX === undefined ? "node" : "kubernetes";
	const facts = { line, where, restarts, checkpoint, capsule } as const;
	if (known !== undefined) requireOwnRun(known);
	const folder =
		known !== undefined && existsSync(join(known, FILES.run))
			? known
			: createRun(known === undefined ? runs : dirname(known), { ...facts, ...(known && { id: basename(known) }) })
					.folder;
	beginJob(folder, process.env[JOB_VARIABLE]);
	const gang: Gang = {
		where: "node",
		nodes: identity.nodes,
		ranksPerNode,
		between: "zeromq",
		...(listen !== undefined && { listen }),
		waitSeconds,
	};
	replaceJson(join(folder, FILES.gang), gang, true);
	terminal.err(`stickslip: run ${basename(folder)} in ${dirname(folder)}`);
	return folder;
}

/** Runs the line until it has ended for good, and tells the others so. */
async function keep(
	folder: string,
	{ restarts }: NodeRequest,
	nodeRegistry: OpenRegistry,
	refusal: AbortSignal,
): Promise<ExitCode> {
	let ended: NodeJS.Signals | undefined;
	const onSignal = (signal: NodeJS.Signals) => {
		ended = signal;
	};
	handleSignals(onSignal);
	let code: ExitCode = 3;
	try {
		do code = await supervise(folder, { restarts, refusal });
		while (
			// Another node was ended by its scheduler, and comes again somewhere else.
			code === 75 &&
			ended === undefined &&
			stopRequest(folder) === undefined
		);
		return code;
	} finally {
		// A scheduler that ends this node may start it again, as it does after a failure.
		const isMore = ended === "SIGTERM" || (code === 3 && restarts > 0);
		await nodeRegistry.close(code, isMore);
	}
}
