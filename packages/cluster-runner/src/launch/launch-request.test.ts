/** Lines of `stickslip launch`: what each requests, to which tool unknown options go, and what is refused in one line. */
import { describe, expect, it } from "vitest";
import { solveLine } from "../../testing/solve-line.js";
import { parse } from "../cli/parse.js";
import { launch } from "../commands/launch.js";
import { resume } from "../commands/resume.js";
import { launchers } from "../launchers/launchers.js";
import { localPlacement } from "../launchers/local/launch.js";
import { mpirunPlacement } from "../launchers/mpirun/launch.js";
import { slurmPlacement } from "../launchers/slurm/launch.js";
import { sshPlacement } from "../launchers/ssh/launch.js";
import type { LaunchOptions } from "../placement/launch-options.js";
import { reportPlacement } from "./begin.js";
import { type LaunchRequest, launchRequest } from "./launch-request.js";

const line = "-- solve pile.hdf5 --json";

function request(words: string): LaunchRequest {
	return launchRequest(parse(launch, words.split(" ")), launchers);
}

describe("words that are not ours", () => {
	it.for([
		[`slurm --exclusive --qos=high -C haswell ${line}`, "-Chaswell"],
		[`slurm --exclusive --qos=high -Chaswell --nodes 2 ${line}`, ["--exclusive", "--qos=high", "-Chaswell"]],
		[`slurm --pass=--nodelist=n1 --pass -x ${line}`, ["--nodelist=n1", "-x"]],
		[`ssh --host a -phost -J gate:22 ${line}`, "-Jgate:22"],
		[`slurm --exclusive --qos high ${line}`, "--qos=high"],
		[`ssh --host a -p2222 ${line}`, ["-p2222"]],
	] as const)("%s", ([words, pass]) => {
		if (typeof pass === "string") expect(() => request(words)).toThrow(`; write ${pass}, or `);
		else expect(request(words).pass).toEqual(pass);
	});

	it.for([
		[
			"slurm --node=2",
			/--node=2: is an unknown option that resembles --nodes; write that, or --pass=--node=2 to pass it to sbatch/,
		],
		["slurm --acount=x", /resembles --account/],
		["local --exclusive", /unknown option/],
		["local --nods=2", /did you mean --nodes\?/],
		["local --nodez 2", /^launch: --nodez: unknown option; did you mean --nodes\?/],
		["--nodez 2 local", /--nodez: is an unknown option that resembles --nodes/],
		["slurm --nodez 2", /--nodez: is an unknown option that resembles --nodes/],
		["local --pass=-x", /--pass: is for ssh, slurm, kubernetes, mpirun and not for local/],
		["ssh --partition=p --host a", /--partition: is for slurm and not for ssh/],
	] as const)("refuses %s", ([words, record]) => {
		expect(() => request(`${words} ${line}`)).toThrow(record);
	});
});

describe("lines that cannot be launched", () => {
	it.for([
		[line, /WHERE: is missing/],
		[`cloud ${line}`, /is not a valid WHERE; choose among local, ssh, slurm/],
		[`slrum ${line}`, /did you mean slurm\?/],
		["local", /the command to launch is missing/],
		["local solve pile.hdf5", /launch: solve: .* before --;/],
		["local --", /is not followed by a command/],
		["local -- slove x", /cannot be launched; did you mean solve\?/],
		["local -- info x", /cannot be launched; launch accepts solve, simulate, serve/],
		["local -- solve", /has no input file/],
		["local -- solve x --tolerence 1", /did you mean --tolerance\?/],
		["local -- solve x --ranks 4", /--ranks: is decided by launch; omit it, and use --nodes/],
		["local -- stickslip solve x --transport zeromq", /--transport: is decided by launch/],
		[`local --nodes 0 ${line}`, /--nodes: "0"/],
		[`local --nodes 64 --ranks-per-node 64 ${line}`, /more than 1024 ranks/],
		[`local --time 10 ${line}`, /"10" is not a time with a unit/],
		[`local --memory 4 ${line}`, /not an amount of memory with a unit/],
		[`local --listen 1.2.3 ${line}`, /--listen/],
		[`local --metrics 9464 ${line}`, /is not HOST:PORT/],
		[`local --wait 1e9 ${line}`, /more than a day/],
		[`ssh --host a --hosts b ${line}`, /cannot be combined with --hosts/],
		[`ssh --host -x ${line}`, /not a host name/],
	] as const)("%s", ([words, record]) => {
		expect(() => request(words)).toThrow(record);
	});
});

describe("placements", () => {
	it("share this machine's cores among the nodes that it plays", () => {
		expect(localPlacement(request(`local --nodes 4 ${line}`), 10)).toMatchObject({
			where: "local",
			nodes: 4,
			ranksPerNode: 2,
		});
		expect(localPlacement(request(`local --nodes 4 ${line}`), 2)).toMatchObject({ nodes: 4, ranksPerNode: 1 });
	});

	it("have a host for each node", () => {
		expect(sshPlacement(request(`ssh --host a,b,c --nodes 2 ${line}`), 8)).toMatchObject({
			nodes: 2,
			hosts: ["a", "b"],
			ranksPerNode: 8,
		});
		expect(() => sshPlacement(request(`ssh ${line}`))).toThrow(/--host: is missing/);
		expect(() => sshPlacement(request(`ssh --host a --nodes 2 ${line}`))).toThrow(/2 nodes are more than the 1 host/);
		expect(() => mpirunPlacement(request(`mpirun --host a --nodes 2 ${line}`))).toThrow(/more than the 1 host;/);
	});

	it("take no more ranks than a host has slots", () => {
		expect(mpirunPlacement(request(`mpirun --host a:4,b:2 ${line}`))).toMatchObject({
			between: "mpi",
			ranksPerNode: 2,
			hosts: ["a", "b"],
		});
		expect(() => mpirunPlacement(request(`mpirun --host a:4,b:2 --ranks-per-node 3 ${line}`))).toThrow(
			/3 are more ranks than the 2 slots of b/,
		);
		expect(() => mpirunPlacement(request(`mpirun --mpi intel ${line}`))).toThrow(
			/there is no "intel"; choose among openmpi, mpich/,
		);
	});

	it("fit into the allocation that they are launched in", () => {
		const inside = { job: "7", nodes: 2, coresPerNode: 16 };
		expect(slurmPlacement(request(`slurm --memory 4G --exact ${line}`), inside)).toMatchObject({
			nodes: 2,
			ranksPerNode: 16,
			between: "zeromq",
			pass: ["--cpus-per-task=16", "--mem=4G", "--exact"],
		});
		expect(slurmPlacement(request(`slurm --mpi pmi2 ${line}`), undefined)).toMatchObject({
			between: "mpi",
			srunMpi: "pmi2",
		});
		expect(() => slurmPlacement(request(`slurm --nodes 3 ${line}`), inside)).toThrow(
			/3 are more than the 2 of the allocation 7/,
		);
		expect(() => slurmPlacement(request(`slurm --partition p ${line}`), inside)).toThrow(
			/cannot be changed inside allocation/,
		);
	});
});

describe("what a run was launched with", () => {
	const before: LaunchOptions = request(`ssh --host a:4,b --ranks-per-node 4 --restarts 3 -p2222 ${line}`).given;
	const run = { id: "run", folder: "/runs/run" };
	const resumed = { run, launched: solveLine("solve", "pile.hdf5"), placement: undefined };
	const again = (words: string) => launchRequest(parse(resume, words.split(" ")), launchers, { ...resumed, before });

	it("is what it is gone on with", () => {
		expect(again("run")).toMatchObject({ where: "ssh", ranksPerNode: 4, restarts: 3, pass: ["-p2222"] });
		expect(again("run").hosts).toEqual([{ name: "a", slots: 4 }, { name: "b" }]);
	});

	describe("with the size that followed from the machine, the hosts or the allocation", () => {
		const placed = (where: string, words: string): LaunchRequest => {
			const placement = { where, nodes: 3, ranksPerNode: 5, between: "zeromq", waitSeconds: 30 } as const;
			const launched = request(`${where}${where === "ssh" ? " --host a,b,c,d" : ""} ${line}`).given;
			return launchRequest(parse(resume, words.split(" ")), launchers, { ...resumed, before: launched, placement });
		};

		it("is kept on this machine, whatever its cores are now", () => {
			expect(localPlacement(placed("local", "run"), 64)).toMatchObject({ nodes: 3, ranksPerNode: 5 });
			expect(localPlacement(placed("local", "run --where local"), 64)).toMatchObject({ nodes: 3, ranksPerNode: 5 });
		});

		it("is kept as a job of Slurm, and is that of an allocation inside of one", () => {
			expect(slurmPlacement(placed("slurm", "run"), undefined)).toMatchObject({ nodes: 3, ranksPerNode: 5 });
			const inside = { job: "7", nodes: 2, coresPerNode: 16 };
			expect(slurmPlacement(placed("slurm", "run"), inside)).toMatchObject({ nodes: 2, ranksPerNode: 16 });
		});

		it("is kept per host, and all hosts are tried again", () => {
			expect(sshPlacement(placed("ssh", "run"), 64)).toMatchObject({ nodes: 4, ranksPerNode: 5 });
		});

		it("is decided again where another one is requested", () => {
			expect(localPlacement(placed("local", "run --nodes 2"), 64)).toMatchObject({ nodes: 2, ranksPerNode: 32 });
			expect(localPlacement(placed("ssh", "run --where local"), 64)).toMatchObject({ nodes: 1, ranksPerNode: 64 });
		});

		it.each([
			["local", "run", {}, /^stickslip: continues on 3 nodes of 5 ranks \(local, over zeromq\), as before$/],
			["local", "run --nodes 1", { nodes: 1 }, /1 node of 5 ranks \(local\), as requested; before: 3 nodes of 5 ranks/],
			["slurm", "run", { nodes: 2 }, /2 nodes of 5 ranks .*the size of this allocation; before: 3 nodes/],
			["ssh", "run", { hosts: ["a", "b", "c"] }, /: a, b, c, trying all its hosts again; before: 3 nodes/],
		])("is named: %s %s %j", (where, words, change, message) => {
			const request = placed(where, words);
			const said: string[] = [];
			const { previous } = request.resumption!;
			reportPlacement(request, { ...previous!, ...change }, { err: (line: string) => said.push(line) } as never);
			expect(said).toEqual([expect.stringMatching(message)]);
		});
	});

	it("but for what is said otherwise", () => {
		expect(again("run --host c --ranks-per-node 1 --restarts 0")).toMatchObject({
			ranksPerNode: 1,
			restarts: 0,
			hosts: [{ name: "c" }],
		});
	});

	it("with as many nodes as hosts that are named anew", () => {
		const some = request(`mpirun --host a,b,c --nodes 3 ${line}`).given;
		const words = (text: string) => parse(resume, text.split(" "));
		const anew = launchRequest(words("run --where ssh --host b,c"), launchers, { ...resumed, before: some });
		expect([anew.nodes, sshPlacement(anew).nodes]).toEqual([undefined, 2]);
	});

	it("and for what another WHERE does not take", () => {
		expect(again("run --where local")).toMatchObject({ where: "local", pass: [], ranksPerNode: 4 });
		expect(again("run --where local").hosts).toBeUndefined();
	});
});
