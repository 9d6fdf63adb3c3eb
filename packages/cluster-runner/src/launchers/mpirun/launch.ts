/** `launch mpirun`: one process on each host by Open MPI's or MPICH's mpirun, with threads as its ranks; hosts talk over MPI. */
import { cores, findMpi, findMpirun, type MpiKind } from "@stickslip/comm";
import { counted, oneLine } from "../../base/format.js";
import { commandLine, quoted } from "../../base/quote.js";
import { describeHere, exampleContact, superviseHere } from "../../launch/here.js";
import type { LaunchRequest } from "../../launch/launch-request.js";
import type { Launching } from "../../launch/plan.js";
import { mpiVariables, type Placement, WAIT_SECONDS } from "../../placement/placement.js";
import { look } from "../../processes/ssh/hosts.js";
import { requireMemory } from "../local/launch.js";
import { checkMemory } from "../ssh/launch.js";
import { mpirunSpec, mpirunStarter } from "./starter.js";

const KINDS = ["openmpi", "mpich"] as const;

export const launchMpirun: Launching = {
	describe(request, run) {
		const placement = mpirunPlacement(request);
		return describeHere(request, placement, run, describeStart(placement));
	},
	async start(request, terminal) {
		const placement = mpirunPlacement(request);
		requireLauncher(request, placement.mpi);
		if (placement.hosts === undefined) requireMemory(request);
		else if (request.memory !== undefined) {
			const found = await look(placement.hosts, { pass: [], node: "node" }, { folder: "." }, terminal.err);
			for (const each of found) checkMemory(request, each);
		}
		return await superviseHere(request, placement, terminal);
	},
};

export function mpirunPlacement(request: LaunchRequest, coresHere = cores().length): Placement {
	const { hosts, listen, wait, pass, options } = request;
	const mpi = KINDS.find((kind) => kind === options.mpi);
	if (options.mpi !== undefined && mpi === undefined) {
		request.refuse("--mpi", `there is no "${options.mpi}"`, `choose among ${KINDS.join(", ")}`);
	}
	const nodes = request.nodes ?? hosts?.length ?? 1;
	if (hosts !== undefined && nodes > hosts.length) {
		request.refuse(
			"--nodes",
			`${nodes} nodes are more than the ${counted(hosts.length, "host")}`,
			"name more hosts, or ask for fewer nodes",
		);
	}
	const used = hosts?.slice(0, nodes);
	const numeric = used?.find(({ name }) => name.includes(":"));
	if (numeric !== undefined) {
		request.refuse(
			"--host",
			`mpirun reads ${numeric.name} as a name and a number of slots`,
			"use another name for the host",
		);
	}
	const slots = Math.min(...(used ?? []).flatMap((host) => host.slots ?? []));
	const free = used === undefined ? Math.max(1, Math.floor(coresHere / nodes)) : 1;
	const ranksPerNode = request.ranksPerNode ?? (Number.isFinite(slots) ? slots : free);
	const full = used?.find((host) => host.slots !== undefined && host.slots < ranksPerNode);
	if (full !== undefined) {
		const problem = `${ranksPerNode} are more ranks than the ${counted(full.slots ?? 0, "slot")} of ${full.name}`;
		request.refuse("--ranks-per-node", problem, "ask for fewer, or change its slots in the file of hosts");
	}
	return {
		where: "mpirun",
		nodes,
		ranksPerNode,
		between: "mpi",
		...(used !== undefined && { hosts: used.map(({ name }) => name) }),
		...(listen !== undefined && { listen }),
		...(pass.length > 0 && { pass }),
		...(mpi !== undefined && { mpi }),
		waitSeconds: wait ?? (used === undefined ? WAIT_SECONDS.local : WAIT_SECONDS.remote),
	};
}

/** The command that starts the processes, after the variables that it sets. Where this MPI is not installed, as it would be called elsewhere. */
function describeStart(placement: Placement): string[] {
	const contact = exampleContact(placement);
	const library = findMpi({ ...process.env, ...mpiVariables(placement) });
	const kind = library?.kind ?? placement.mpi ?? "openmpi";
	const isInstalled = library !== undefined && findMpirun(kind) !== undefined;
	const specs = isInstalled
		? mpirunStarter(placement, library).spawnSpecs(contact)
		: [mpirunSpec(placement, undefined, contact, "mpirun")];
	const note = isInstalled ? `${kind} ${library.version}, ${library.path}` : `${kind}, which is not installed here`;
	return [
		`# ${oneLine(note)}`,
		...specs.map(({ command, args, env }) => `${assignments(env)}${commandLine([command, ...args])}`),
	];
}

/** Variables that differ from those of this process; the values of a solve are not known yet. */
function assignments(env: NodeJS.ProcessEnv): string {
	const later: Readonly<Record<string, string>> = { STICKSLIP_HUB: "HUB", STICKSLIP_HUB_PID: "", STICKSLIP_KEY: "KEY" };
	const own = Object.entries(env).filter(([name, value]) => value !== undefined && value !== process.env[name]);
	return own.map(([name, value = ""]) => `${name}=${quoted(later[name] ?? value)} `).join("");
}

/** Checked before a run is created: nothing of it could be started. */
function requireLauncher(request: LaunchRequest, mpi: MpiKind | undefined): void {
	const kind = mpi ?? findMpi()?.kind;
	if (kind !== undefined && findMpirun(kind) !== undefined) return;
	const what = kind === undefined ? "no MPI is installed here" : `no mpirun of ${kind} is on the path`;
	request.refuse(
		"mpirun",
		what,
		`apt install ${kind === "mpich" ? "mpich" : "openmpi-bin"}, or load the site's module`,
	);
}
