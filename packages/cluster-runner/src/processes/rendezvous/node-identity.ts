/**
 * Which node of a run this process is, how many there are, and the address of the first: from Stickslip's own variables, or else from those of Slurm, of
 * MPI's launchers and of Kubernetes.
 */
import { isIPv6 } from "node:net";
import { launched } from "@stickslip/comm";
import { InputError } from "@stickslip/core";
import { RANKS_MAX } from "../../protocol/messages.js";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface NodeIdentity {
	readonly node: number;
	readonly nodes: number;
	/** Where node 0 listens for the others. */
	readonly host: string;
	readonly port: number;
}

/** The registry's address, for the line that node 0 runs. */
export const REGISTRY_VARIABLE = "STICKSLIP_DESK";
/** The default port of node 0. */
export const PORT = 7117;
const PORT_MAX = 65_535;

export function nodeIdentity(env: Environment): NodeIdentity {
	const { node, nodes, source } = numbersOf(env);
	if (nodes < 1 || nodes > RANKS_MAX) refuse(source, `${nodes} nodes are not possible`, `give from 1 to ${RANKS_MAX}`);
	if (node >= nodes) refuse(source, `there is no node ${node} among ${nodes} nodes`, "count nodes from 0");
	return { node, nodes, ...rendezvousOf(env, nodes) };
}

interface Numbers {
	readonly node: number;
	readonly nodes: number;
	/** The variable that the numbers are from. */
	readonly source: string;
}

/** The first source with both numbers counts; STICKSLIP_NODES supplies the number of nodes where a scheduler does not. */
function numbersOf(env: Environment): Numbers {
	const count = (name: string) => countOf(env, name);
	const counted = count("STICKSLIP_NODES");
	const mpi = launched(env);
	const found: readonly (readonly [string, number | undefined, number | undefined])[] = [
		["STICKSLIP_NODE", count("STICKSLIP_NODE"), counted],
		["JOB_COMPLETION_INDEX", count("JOB_COMPLETION_INDEX"), counted],
		["SLURM_PROCID", count("SLURM_PROCID"), counted ?? count("SLURM_STEP_NUM_TASKS") ?? count("SLURM_NTASKS")],
		["mpirun", mpi?.rank, counted ?? mpi?.size],
	];
	for (const [source, node, nodes] of found) {
		if (node === undefined) continue;
		if (nodes !== undefined) return { node, nodes, source };
		return refuse("STICKSLIP_NODES", `is missing, and ${source} is ${node}`, "set it to the number of nodes");
	}
	const remedy = "set STICKSLIP_NODE and STICKSLIP_NODES, or start it by srun, mpirun or an Indexed Job of Kubernetes";
	return refuse("STICKSLIP_NODE", "it is not known which node this is", remedy);
}

function countOf(env: Environment, name: string): number | undefined {
	const text = env[name];
	if (text === undefined || text === "") return undefined;
	if (/^\d{1,9}$/.test(text)) return Number(text);
	return refuse(name, `"${text}" is not a node number`, "count nodes from 0");
}

function rendezvousOf(env: Environment, nodes: number): Pick<NodeIdentity, "host" | "port"> {
	const { STICKSLIP_RENDEZVOUS: text = "" } = env;
	if (text !== "") {
		const [, bracketed, plain = "", port] = /^(?:\[([^\]]+)\]|([^\s:/[\]]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
		const host = bracketed ?? plain;
		const number = port === undefined ? PORT : Number(port);
		const isHost = bracketed === undefined ? host !== "" : isIPv6(bracketed);
		if (isHost && number >= 1 && number <= PORT_MAX) return { host, port: number };
		refuse("STICKSLIP_RENDEZVOUS", `"${text}" is not HOST:PORT`, `name node 0, e.g. node0:${PORT}`);
	}
	const first = firstOf(env.SLURM_STEP_NODELIST ?? env.SLURM_JOB_NODELIST ?? "");
	if (first !== undefined) return { host: first, port: PORT };
	if (nodes === 1) return { host: "127.0.0.1", port: PORT };
	return refuse("STICKSLIP_RENDEZVOUS", "is missing", `name node 0 as HOST:PORT, e.g. node0:${PORT}`);
}

/** The first host of Slurm's list: n1 of "n[1-4,7],m2", "n01" of "n[01-04]", "r1n3-ib" of "r[1-2]n[3-4]-ib". */
export function firstOf(list: string): string | undefined {
	const [first] = /^[^\s,[\]]+(?:\[\d[\d,-]*\][^\s,[\]]*)*/.exec(list) ?? [];
	return first?.replace(/\[(\d+)[\d,-]*\]/g, "$1");
}

function refuse(place: string, problem: string, remedy: string): never {
	throw new InputError("environment", place, problem, remedy);
}
