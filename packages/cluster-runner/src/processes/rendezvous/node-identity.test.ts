/** Which node this is, from every environment that defines it. */
import { Random } from "@stickslip/core";
import { describe, expect, it } from "vitest";
import { type Environment, firstOf, nodeIdentity, PORT } from "./node-identity.js";

const meet = { STICKSLIP_RENDEZVOUS: "node0:1234" };
const at = { host: "node0", port: 1234 };

describe("the identity of a node", () => {
	it.each<[string, Environment, { node: number; nodes: number; host?: string; port?: number }]>([
		["ours", { ...meet, STICKSLIP_NODE: "2", STICKSLIP_NODES: "3" }, { node: 2, nodes: 3, ...at }],
		["Kubernetes'", { ...meet, JOB_COMPLETION_INDEX: "1", STICKSLIP_NODES: "4" }, { node: 1, nodes: 4, ...at }],
		["srun's", { ...meet, SLURM_PROCID: "0", SLURM_NTASKS: "2" }, { node: 0, nodes: 2, ...at }],
		[
			"srun's, with its first host",
			{ SLURM_PROCID: "1", SLURM_NTASKS: "9", SLURM_STEP_NUM_TASKS: "2", SLURM_STEP_NODELIST: "n[3-4]" },
			{ node: 1, nodes: 2, host: "n3", port: PORT },
		],
		["Open MPI's", { ...meet, OMPI_COMM_WORLD_RANK: "1", OMPI_COMM_WORLD_SIZE: "2" }, { node: 1, nodes: 2, ...at }],
		["MPICH's", { ...meet, PMI_RANK: "3", PMI_SIZE: "4" }, { node: 3, nodes: 4, ...at }],
		[
			"ours before others'",
			{ ...meet, STICKSLIP_NODE: "0", STICKSLIP_NODES: "2", PMI_RANK: "1", PMI_SIZE: "2" },
			{ node: 0, nodes: 2, ...at },
		],
		["one alone", { STICKSLIP_NODE: "0", STICKSLIP_NODES: "1" }, { node: 0, nodes: 1, host: "127.0.0.1", port: PORT }],
		[
			"a name without a port",
			{ STICKSLIP_NODE: "1", STICKSLIP_NODES: "2", STICKSLIP_RENDEZVOUS: "pile-0.pile" },
			{ node: 1, nodes: 2, host: "pile-0.pile", port: PORT },
		],
		[
			"an address of IPv6",
			{ STICKSLIP_NODE: "1", STICKSLIP_NODES: "2", STICKSLIP_RENDEZVOUS: "[fd00::1]:7200" },
			{ node: 1, nodes: 2, host: "fd00::1", port: 7200 },
		],
	])("in %s variables", (_, env, identity) => {
		expect(nodeIdentity(env)).toEqual(identity);
	});

	it.each<[string, Environment, RegExp]>([
		["nothing", {}, /environment: STICKSLIP_NODE: it is not known which node this is; set STICKSLIP_NODE and/],
		["no count", { ...meet, JOB_COMPLETION_INDEX: "1" }, /STICKSLIP_NODES: is missing, and JOB_COMPLETION_INDEX is 1/],
		["a node too many", { ...meet, STICKSLIP_NODE: "2", STICKSLIP_NODES: "2" }, /there is no node 2 among 2 nodes/],
		[
			"no node",
			{ ...meet, STICKSLIP_NODE: "0", STICKSLIP_NODES: "0" },
			/0 nodes are not possible; give from 1 to 1024/,
		],
		[
			"no number",
			{ ...meet, STICKSLIP_NODE: "one", STICKSLIP_NODES: "2" },
			/STICKSLIP_NODE: "one" is not a node number/,
		],
		["nowhere to meet", { STICKSLIP_NODE: "1", STICKSLIP_NODES: "2" }, /STICKSLIP_RENDEZVOUS: is missing; name node 0/],
		[
			"a port that is none",
			{ STICKSLIP_NODE: "1", STICKSLIP_NODES: "2", STICKSLIP_RENDEZVOUS: "a:99999" },
			/is not HOST:PORT/,
		],
		[
			"brackets around no address",
			{ STICKSLIP_NODE: "1", STICKSLIP_NODES: "2", STICKSLIP_RENDEZVOUS: "[node0]:7" },
			/is not HOST:PORT/,
		],
	])("and reports what is wrong: %s", (_, env, message) => {
		expect(() => nodeIdentity(env)).toThrow(message);
	});

	it("by the first of Slurm's hosts", () => {
		const lists = ["n1", "n[1-4,7],m2", "gpu[01-04]", "r[1-2]n[3,5]-ib,r3n1", "a,b", ""];
		expect(lists.map(firstOf)).toEqual(["n1", "n1", "gpu01", "r1n3-ib", "a", undefined]);
	});

	it("whatever the variables hold: a place or one line, in 2000 seeded rounds", () => {
		const names = [
			"STICKSLIP_NODE",
			"STICKSLIP_NODES",
			"STICKSLIP_RENDEZVOUS",
			"SLURM_PROCID",
			"SLURM_NTASKS",
			"SLURM_STEP_NODELIST",
			"JOB_COMPLETION_INDEX",
		];
		const values = ["", "0", "1", "2", "-1", "1e9", "99999999999", "a:1", "a", "[", "n[1-", "\u0000", "a b:1", "::1"];
		const random = new Random(11);
		for (let round = 0; round < 2000; round += 1) {
			const env = Object.fromEntries(names.map((name) => [name, values[random.below(values.length)]]));
			try {
				const { node, nodes, port } = nodeIdentity(env);
				expect(node < nodes && nodes <= 1024 && port >= 1 && port <= 65_535, JSON.stringify(env)).toBe(true);
			} catch (error) {
				expect((error as Error).message, JSON.stringify(env)).toMatch(/^environment: /);
			}
		}
	});
});
