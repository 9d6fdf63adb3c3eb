/** What --dry-run prints, to the letter: a script, manifests and commands for given ids and folders. */
import { describe, expect, it } from "vitest";
import { solveLine } from "../../testing/solve-line.js";
import { parse } from "../cli/parse.js";
import { launch } from "../commands/launch.js";
import { textOf } from "../launchers/kubernetes/launch.js";
import { manifest } from "../launchers/kubernetes/manifest.js";
import { launchers } from "../launchers/launchers.js";
import { launchLocal } from "../launchers/local/launch.js";
import { launchMpirun } from "../launchers/mpirun/launch.js";
import { launchSlurm } from "../launchers/slurm/launch.js";
import { scriptByHand, slurmScript } from "../launchers/slurm/script.js";
import { launchSsh } from "../launchers/ssh/launch.js";
import { expanded } from "../testing/expanded.js";
import { type LaunchRequest, launchRequest } from "./launch-request.js";
import { cliProgram } from "./plan.js";

interface JobManifest {
	readonly spec: {
		readonly template: {
			readonly spec: {
				readonly containers: readonly [
					{
						readonly args: readonly string[];
						readonly env: readonly { readonly name: string; readonly value?: string }[];
					},
				];
			};
		};
	};
}

const run = { id: "20261118-145703-pile-kqzt", folder: "/runs/20261118-145703-pile-kqzt" };

function request(words: string): LaunchRequest {
	return launchRequest(parse(launch, `${words} -- stickslip solve pile.hdf5 --json`.split(" ")), launchers);
}

/** Replaces what depends on this machine: the folders of the program and of the test, and the path of Node.js. */
function anywhere(text: string): string {
	const packageFolder = cliProgram.replace(/\/bin\/[^/]+$/, "");
	return text
		.replaceAll(packageFolder, "PACKAGE")
		.replaceAll(process.execPath, "NODE")
		.replaceAll(process.cwd(), "CWD");
}

describe("a dry run", () => {
	it("of slurm is the batch script", () => {
		const batch = { nodes: 4, ranksPerNode: 16, cwd: "/data/my problems", node: "NODE" };
		const words = "slurm --partition long --account lab --time 36h --memory 4G --metrics :9464 --exclusive";
		expect(anywhere(slurmScript(request(words), run, batch))).toBe(`#!/bin/sh
#SBATCH --job-name=stickslip-pile-kqzt
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=16
#SBATCH --time=1-12:00:00
#SBATCH --mem=4G
#SBATCH --partition=long
#SBATCH --account=lab
#SBATCH --requeue
#SBATCH --signal=B:TERM@60
#SBATCH --open-mode=append
#SBATCH --output=/runs/20261118-145703-pile-kqzt/out.log
#SBATCH --error=/runs/20261118-145703-pile-kqzt/err.log
#SBATCH '--chdir=/data/my problems'
#SBATCH --exclusive
exec NODE PACKAGE/bin/stickslip.mjs resume --inside --metrics :9464 /runs/20261118-145703-pile-kqzt
`);
	});

	it("of slurm is a script that makes its run itself, with the options that its job needs", () => {
		const words =
			"slurm --nodes 4 --ranks-per-node 2 --restarts 2 --mpi pmi2 --runs /runs/mine --no-capsule --qos=high";
		const text = anywhere(launchSlurm.describe(request(words), run));
		expect(text).toContain("#SBATCH --nodes=4\n#SBATCH --ntasks-per-node=1\n#SBATCH --cpus-per-task=2\n");
		expect(text).toContain(`#SBATCH --output=%x-%j.out
#SBATCH --error=%x-%j.err
#SBATCH --chdir=CWD
#SBATCH --qos=high
exec NODE PACKAGE/bin/stickslip.mjs launch slurm --inside --runs /runs/mine --checkpoint 60 --restarts 2 --mpi pmi2 --no-capsule -- solve pile.hdf5 --json

# how srun starts the processes
`);
		expect(() =>
			launchSlurm.describe(
				{ ...request(words), serve: undefined, simulate: undefined, study: undefined, ...solveLine("solve", "-") },
				run,
			),
		).toThrow(/is not available in a batch job/);
	});

	it("of slurm in a folder with a percent sign, which Slurm would replace, names its output whole", () => {
		const batch = { nodes: 1, ranksPerNode: 1, cwd: "/data/5%j", node: "NODE" };
		const text = scriptByHand(request("slurm"), run, batch);
		expect(text).toContain(
			"--output=/data/5%%j/%x-%j.out\n#SBATCH --error=/data/5%%j/%x-%j.err\n#SBATCH --chdir=/data/5%j\n",
		);
	});

	it.for([
		[{ cwd: "/data/x\ntouch pwned" }, "--chdir=/data/x\\ntouch pwned"],
		[{ words: ["--partition=a\rb"] }, "--partition=a\\rb"],
		[{ words: ["--account", "a\u0085b"] }, "--account=a\u0085b"],
		[{ words: ["--pass=--comment=\u001b[2J"] }, "--comment=\\u001b[2J"],
		[{ words: ["--qos=a\nrm b"] }, "--qos=a\\nrm b"],
		[{ folder: "/runs/a\n#SBATCH --wrap=x" }, "--output=/runs/a\\n#SBATCH --wrap=x/out.log"],
		[{ id: "pile\ttab" }, "--job-name=stickslip-pile\\ttab"],
		[{ cwd: "C:\\data" }, "--chdir=C:\\\\data"],
	])("of slurm refuses %j, which would end a directive", ([given, told]) => {
		const { cwd = "/data", words = [], ...other } = given as { cwd?: string; words?: string[] };
		const launched = launchRequest(parse(launch, ["slurm", ...words, "--", "solve", "pile.hdf5"]), launchers);
		const batch = { nodes: 1, ranksPerNode: 1, cwd, node: "NODE" };
		const script = () => slurmScript(launched, { ...run, ...other }, batch);
		expect(script).toThrow(`launch slurm: sbatch: "${told}" has a control character or a backslash`);
	});

	it("of kubernetes hands dollars on as they are", () => {
		const line = "solve $(STICKSLIP_KEY).hdf5 --output a$$(b)$c$.hdf5".split(" ");
		const words = ["kubernetes", "--claim", "data", "--", ...line];
		const pods = { name: "x", id: "$(STICKSLIP_KEY)", nodes: 1, ranksPerNode: 1, key: "00ff" };
		const [, , job] = JSON.parse(
			JSON.stringify(manifest(launchRequest(parse(launch, words), launchers), pods)),
		) as readonly JobManifest[];
		const { spec } = job!;
		const [{ args, env }] = spec.template.spec.containers;
		expect(args.map((text) => expanded(text, { STICKSLIP_KEY: "secret" })).slice(-line.length)).toEqual(line);
		const place = env.find(({ name }) => name === "STICKSLIP_RUN")?.value ?? "";
		expect(expanded(place, { STICKSLIP_KEY: "secret" })).toBe("/data/runs/$(STICKSLIP_KEY)");
	});

	it("of kubernetes is the manifest", () => {
		const words =
			"kubernetes --nodes 2 --ranks-per-node 4 --memory 4G --time 1h --restarts 3 --image lab/stickslip:1 --claim data";
		const text = textOf(request(words), run, "00ff");
		expect(text).toContain(`apiVersion: batch/v1
kind: Job
metadata:
  name: stickslip-pile-kqzt
  labels:
    app.kubernetes.io/name: stickslip
    stickslip-run: stickslip-pile-kqzt
spec:
  completionMode: Indexed
  completions: 2
  parallelism: 2
  backoffLimit: 6
  activeDeadlineSeconds: 3600
`);
		expect(text).toContain(`          command:
            - stickslip
          args:
            - node
            - "--ranks-per-node"
            - "4"
            - "--wait"
            - "300"
            - "--checkpoint"
            - "60"
            - "--restarts"
            - "3"
            - "--"
            - solve
            - pile.hdf5
            - "--json"
          workingDir: /data
          env:
            - name: STICKSLIP_NODES
              value: "2"
            - name: STICKSLIP_RENDEZVOUS
              value: "stickslip-pile-kqzt-0.stickslip-pile-kqzt:7117"
`);
		expect(text).toContain("            claimName: data\n");
		expect(text.match(/^kind: .*$/gm)).toEqual(["kind: Secret", "kind: Service", "kind: Job"]);
	});

	it("of a JobSet has no service, which it makes itself, and its own names", () => {
		const text = textOf(request("kubernetes --nodes 2 --jobset --namespace lab"), run, "00ff");
		expect(text.match(/^kind: .*$/gm)).toEqual(["kind: Secret", "kind: JobSet"]);
		expect(text).toContain("stickslip-pile-kqzt-nodes-0-0.stickslip-pile-kqzt:7117");
		expect(text.match(/^ {2}namespace: lab$/gm)).toHaveLength(2);
	});

	it("of mpirun is its command", () => {
		const text = anywhere(
			launchMpirun.describe(request("mpirun --host a,b --ranks-per-node 2 --mpi openmpi --report-bindings"), run),
		);
		expect(text).toContain("node PACKAGE/dist/bundled/supervised.js /runs/20261118-145703-pile-kqzt\n");
		expect(text).toMatch(
			/(^| )mpirun(\.openmpi)? -n 2 --host a:1,b:1 .*-x STICKSLIP_KEY .*--report-bindings NODE PACKAGE\/dist\/bundled\/process\.js$/m,
		);
	});

	it("of ssh asks each host first, and tells no secret", () => {
		const words = "ssh --host a,user@b --ranks-per-node 2 --program /opt/stickslip --remote-node /opt/node -p2222";
		const text = launchSsh.describe(request(words), run);
		expect(text.match(/^ssh .* -p2222 -T -- (a|user@b) 'exec \/opt\/node -e .*' ?.*$/gm)).toHaveLength(2);
		expect(
			text.match(
				/^ssh .* -R 127\.0\.0\.1:0:127\.0\.0\.1:PORT -- \S+ 'exec \/opt\/node \/opt\/stickslip\/dist\/bundled\/process\.js stdin'$/gm,
			),
		).toHaveLength(2);
		expect(text).not.toMatch(/KEY/);
	});

	it("of local has no line break of a name outside of quotes", () => {
		const text = launchLocal.describe(request("local"), { id: "x", folder: "/runs/x\ntouch pwned" });
		expect(text.split("\n")[0]).toBe("# /runs/x touch pwned/placement.json: how processes are started");
		expect(text).toContain("supervised.js '/runs/x\ntouch pwned'");
	});

	it("of local is the line, and a process for each node", () => {
		const text = anywhere(
			launchLocal.describe(request("local --nodes 2 --ranks-per-node 3 --restarts 2 --time 2m"), run),
		);
		expect(text).toBe(`# /runs/20261118-145703-pile-kqzt/placement.json: how processes are started
{
  "where": "local",
  "nodes": 2,
  "ranksPerNode": 3,
  "between": "zeromq",
  "waitSeconds": 30
}

# the process of the run, started here and restarted after a loss, at most 2 times: stickslip solve pile.hdf5 --json
# checkpoints: every 60 s
# time limit: 2 min 0 s, then it stops with a checkpoint
cd CWD
node PACKAGE/dist/bundled/supervised.js /runs/20261118-145703-pile-kqzt

# its processes, for each solve
NODE PACKAGE/dist/bundled/process.js stdin direct
NODE PACKAGE/dist/bundled/process.js stdin direct`);
	});
});
