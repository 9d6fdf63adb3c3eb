/**
 * `stickslip node`: one node of a run whose nodes are started by others, each with the same line: as pods of a Job, as tasks of srun or
 * mpirun, or by hand. Node 0 owns the run and runs the line; the others connect to it, and work for it until the run has ended.
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { handleSignals, holdSignals } from "../base/signals.js";
import type { Arguments } from "../cli/arguments.js";
import type { Command, ExitCode, OptionSpec, Terminal } from "../cli/command.js";
import { listenOption, noCapsuleOption, runsOption } from "../cli/common-options.js";
import { CHECKPOINT_SECONDS } from "../launch/launch-request.js";
import { launchable } from "../launch/launchable.js";
import { supervise } from "../launch/supervise.js";
import { beginJob, JOB_VARIABLE } from "../launchers/kubernetes/job-change.js";
import { RESTARTS_MAX } from "../placement/launch-options.js";
import { type Placement, WAIT_SECONDS } from "../placement/placement.js";
import { type NodeIdentity, nodeIdentity, PORT, REGISTRY_VARIABLE } from "../processes/rendezvous/node-identity.js";
import type { OpenRegistry } from "../processes/rendezvous/registry-server.js";
import { hostIn } from "../protocol/host-port.js";
import { secretOf } from "../protocol/keys.js";
import { checkListen, requireOwn } from "../protocol/listen-address.js";
import { RANKS_MAX } from "../protocol/messages.js";
import { replaceJson } from "../records/check.js";
import { FILES, RUN_VARIABLE } from "../records/files.js";
import { readPrivate, requireOwnRun } from "../records/own.js";
import { stopRequest } from "../records/stop.js";
import { type CommandLine, commandLineOf } from "../requests/command-line.js";
import { createRun, runsFolder } from "../runs/folder.js";

const KEY_FILE = "STICKSLIP_KEY_FILE";

const specs: readonly OptionSpec[] = [
	{ name: "ranks-per-node", value: "N", what: "threads per node, one per rank (default 1)" },
	{
		name: "wait",
		value: "SECONDS",
		what: `how long to wait for other nodes, or for a lost node 0 (default ${WAIT_SECONDS.node})`,
	},
	{ name: "checkpoint", value: "SECONDS", what: `time between checkpoints (default ${CHECKPOINT_SECONDS})` },
	{
		name: "restarts",
		value: "N",
		what: "restart from the last checkpoint after a rank or node is lost, at most N times (default 0)",
	},
	noCapsuleOption,
	runsOption,
	listenOption,
];

const notes = `All nodes need the same COMMAND and the same environment variables:
  STICKSLIP_KEY           secret key, 64 hexadecimal digits, the same on all nodes: openssl rand -hex 32
  STICKSLIP_KEY_FILE      a file of mode 600 with the key, for schedulers that store or pass on
                          environments (srun)
  STICKSLIP_RENDEZVOUS    HOST:PORT of node 0 (default port ${PORT}; default host under srun: its
                          first host)
  STICKSLIP_NODE, STICKSLIP_NODES
                          number of this node, from 0, and number of nodes (default: from Kubernetes,
                          JOB_COMPLETION_INDEX, from srun, SLURM_PROCID, or from mpirun)
  STICKSLIP_RUN           folder of the run on node 0; an existing run is resumed
  STICKSLIP_LISTEN        as --listen

Exit codes: node 0 exits with that of COMMAND. The others exit with 0 when the run has ended, 3
when it was lost or node 0 was not reached within --wait, and 75 when they are ended by a signal:
the run then stops with a checkpoint, and continues when they are started again. A node with another
version or another COMMAND is refused, and the run with it: exit code 2.

Example:
  STICKSLIP_NODE=1 STICKSLIP_NODES=2 STICKSLIP_RENDEZVOUS=node0:${PORT} STICKSLIP_KEY=... \\
      stickslip node -- solve pile.hdf5`;

export const node: Command = {
	name: "node",
	usage: "[options] -- COMMAND",
	what: "runs one node of a run whose nodes are started by others (pods, srun, mpirun, by hand)",
	options: specs,
	isFront: true,
	notes,
	run: (args, terminal) => runNode(nodeRequest(args), terminal),
};

type NodeRequest = CommandLine & NodeDetails;

interface NodeDetails {
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

function nodeRequest(args: Arguments): NodeRequest {
	const [stranger] = [...args.rest.unknown, ...args.operands];
	if (stranger !== undefined) args.refuse(stranger, "unknown argument", "write the command after --");
	const listen = args.text("listen") ?? process.env.STICKSLIP_LISTEN;
	if (listen !== undefined) checkListen(listen, args.command);
	// The environment may be the same on all nodes, and name an address of another one.
	const own = args.text("listen");
	if (own !== undefined) requireOwn(own, args.command);
	return {
		...launchable(args.rest.line),
		identity: nodeIdentity(process.env),
		secret: secretOf(keyIn(process.env)),
		ranksPerNode: args.integer("ranks-per-node", 1, RANKS_MAX, 4) ?? 1,
		waitSeconds: args.seconds("wait", "above 0", WAIT_SECONDS.node) ?? WAIT_SECONDS.node,
		checkpoint: args.real("checkpoint", "from 0", CHECKPOINT_SECONDS) ?? CHECKPOINT_SECONDS,
		restarts: args.integer("restarts", 0, RESTARTS_MAX, 3) ?? 0,
		capsule: !args.flag("no-capsule"),
		runs: runsFolder(args.text("runs")),
		listen,
	};
}

/** From its own variable, or from a file that others may not read. */
function keyIn(env: NodeJS.ProcessEnv): string | undefined {
	const { STICKSLIP_KEY: key = "", [KEY_FILE]: file = "" } = env;
	if (key !== "" || file === "") return key;
	const text = readPrivate(file, KEY_FILE).trim();
	// The line of node 0 needs it to reach the others.
	env.STICKSLIP_KEY = text;
	return text;
}

async function runNode(request: NodeRequest, terminal: Terminal): Promise<ExitCode> {
	const { identity, secret, waitSeconds, listen } = request;
	const line = lineDigest(request.line);
	// Imported here, since they load the addon of ZeroMQ, which most commands do not need.
	const { runNodeAgent } = await import("../processes/rendezvous/node-agent.js");
	const print = (line: string) => terminal.err(`stickslip: ${line}`);
	if (listen !== undefined) process.env.STICKSLIP_LISTEN = listen;
	if (identity.node > 0) {
		const controller = new AbortController();
		holdSignals();
		handleSignals(() => controller.abort());
		return await runNodeAgent({ identity, line, secret, waitSeconds, signal: controller.signal, print });
	}
	const { openRegistry } = await import("../processes/rendezvous/registry-server.js");
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
	// Without this the agent of node 0 would wait for the replacement of a node 0 that a scheduler ends.
	const end = new AbortController();
	const address = { ...identity, host, port: Number(port) };
	const own = runNodeAgent({ identity: address, line, secret, waitSeconds, print, signal: end.signal });
	const code = await keep(folder, request, nodeRegistry, refusal.signal);
	end.abort();
	await own;
	return code;
}

/** Nodes of one run have the same line; its digest is enough to compare them. */
function lineDigest(line: readonly string[]): string {
	return createHash("sha256").update(JSON.stringify(line)).digest("hex");
}

/** The folder of the run, new or existing; writes how its members are started into it. */
function folderOf(request: NodeRequest, terminal: Terminal): string {
	const { restarts, checkpoint, capsule, runs } = request;
	const { identity, ranksPerNode, waitSeconds, listen } = request;
	const { [RUN_VARIABLE]: named } = process.env;
	const known = named === undefined || named === "" ? undefined : resolve(named);
	const where = process.env.JOB_COMPLETION_INDEX === undefined ? "node" : "kubernetes";
	const facts = { ...commandLineOf(request), where, restarts, checkpoint, capsule } as const;
	if (known !== undefined) requireOwnRun(known);
	const folder =
		known !== undefined && existsSync(join(known, FILES.run))
			? known
			: createRun(known === undefined ? runs : dirname(known), { ...facts, ...(known && { id: basename(known) }) })
					.folder;
	beginJob(folder, process.env[JOB_VARIABLE]);
	const placement: Placement = {
		where: "node",
		nodes: identity.nodes,
		ranksPerNode,
		between: "zeromq",
		...(listen !== undefined && { listen }),
		waitSeconds,
	};
	replaceJson(join(folder, FILES.placement), placement, true);
	terminal.err(`stickslip: run ${basename(folder)} in ${dirname(folder)}`);
	return folder;
}

/** Runs the line until it has ended for good, and notifies the other nodes. */
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
			// Another node was ended by its scheduler, which starts it again elsewhere.
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
