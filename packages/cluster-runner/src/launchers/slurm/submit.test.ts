/** The message of sbatch is printed in one line, and a job that would wait for ever is cancelled: with fake programs of Slurm. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { soon } from "../../../testing/processes.js";
import { linesOf, runCli, testFolder } from "../../../testing/run-cli.js";

/** A PATH with programs that answer as these scripts say. */
function played(scripts: Readonly<Record<string, string>>) {
	const folder = testFolder();
	for (const [name, script] of Object.entries(scripts)) {
		const file = join(folder, name);
		writeFileSync(file, `#!/bin/sh\necho "${name} $@" >> "${folder}/calls"\n${script}\n`);
		chmodSync(file, 0o755);
	}
	const env = {
		PATH: `${folder}${delimiter}${process.env.PATH}`,
		STICKSLIP_RUNS: join(folder, "runs"),
		SLURM_JOB_ID: "",
	};
	const calls = () => (existsSync(join(folder, "calls")) ? linesOf(readFileSync(join(folder, "calls"), "utf8")) : []);
	return { runs: join(folder, "runs"), env, calls };
}

const words = ["launch", "slurm", "--nodes", "2", "--detach", "--", "solve", "pile.hdf5"];

describe("launch slurm", () => {
	it.for([
		[
			"sbatch: error: Batch job submission failed: Invalid partition name specified",
			/sbatch: Batch job submission failed: Invalid partition/,
		],
		["sbatch: error: Unable to contact slurm controller (connect failure)", /Slurm does not respond/],
		[
			"allocation failure: Requested node configuration is not available",
			/sbatch: Requested node configuration is not available; see sinfo/,
		],
	] as const)("tells %s", async ([said, told]) => {
		const { runs, env } = played({ sbatch: `echo '${said}' >&2; exit 1` });
		const { code, out, err } = await runCli(words, { env });
		expect([code, out, linesOf(err)]).toEqual([2, "", [expect.stringMatching(told)]]);
		expect(readdirSync(runs)).toEqual([]);
	});

	it("hands in nothing from a folder whose name has a line break, which would be a command of the script", async () => {
		const { runs, env, calls } = played({ sbatch: "echo 42", squeue: "exit 0" });
		const cwd = join(testFolder(), "x\ntouch pwned\n#");
		mkdirSync(cwd);
		for (const more of [[], ["--dry-run"]]) {
			const { code, out, err } = await runCli(["launch", "slurm", ...more, "--", "solve", "pile.hdf5"], { cwd, env });
			expect([code, out, linesOf(err)]).toEqual([2, "", [expect.stringMatching(/control character/)]]);
		}
		expect([calls(), readdirSync(runs)]).toEqual([[], []]);
	});

	it("takes a job back that would wait for ever", async () => {
		const { runs, env, calls } = played({
			sbatch: "echo 42",
			squeue: "echo 'PENDING|PartitionTimeLimit'",
			scancel: "exit 0",
		});
		const { code, err } = await runCli(words, { env });
		expect([code, linesOf(err)]).toEqual([
			2,
			[expect.stringMatching(/the job would never start \(PartitionTimeLimit\)/)],
		]);
		expect(calls().at(-1)).toBe("scancel 42");
		expect(readdirSync(runs)).toEqual([]);
	});

	it("takes a job back where Ctrl-C comes while Slurm takes it", async () => {
		const place = testFolder();
		const sbatch = `case $1 in --parsable) touch ${place}/taking; sleep 1; echo 42 ;; esac`;
		const { runs, env, calls } = played({ sbatch, squeue: "echo 'PENDING|Resources'", scancel: "exit 0" });
		const { code, signal, err } = await runCli(words, {
			env,
			started: (child) => void soon(() => existsSync(join(place, "taking"))).then(() => child.kill("SIGINT")),
		});
		expect([code, signal, err]).toEqual([130, null, ""]);
		expect([calls().at(-1), readdirSync(runs)]).toEqual(["scancel 42", []]);
	});

	it("hands in the script that stands in the run's folder", async () => {
		const { runs, env, calls } = played({
			sbatch: `case $1 in --parsable) echo "42;cluster" ;; esac`,
			squeue: `case "$*" in *%i*) echo '42|PENDING|Resources' ;; *) echo 'PENDING|Resources' ;; esac`,
		});
		const { code, err } = await runCli(words, { env });
		const [id = ""] = readdirSync(runs);
		expect([code, linesOf(err)]).toEqual([0, [`stickslip: run ${id} in ${runs}`, "stickslip: job 42 of Slurm"]]);
		expect(calls()[1]).toBe(`sbatch --parsable ${join(runs, id, "slurm.sh")}`);
		expect(readFileSync(join(runs, id, "slurm.sh"), "utf8")).toContain(`resume --inside ${join(runs, id)}\n`);
		expect(JSON.parse(readFileSync(join(runs, id, "state.json"), "utf8"))).toMatchObject({
			status: "waiting",
			job: { id: "42" },
		});
		const again = await runCli(["resume", id], { env });
		expect([again.code, again.err]).toEqual([2, expect.stringMatching(/has not started yet/)]);
	});
});
