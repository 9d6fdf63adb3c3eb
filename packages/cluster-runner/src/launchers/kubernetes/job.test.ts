/** The status of a job in Kubernetes, and a launch that follows one, with a fake kubectl. */
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { linesOf, runCli, testFolder } from "../../../testing/run-cli.js";
import { runHere } from "../../../testing/run-here.js";
import { askToStop, stopRequest } from "../../records/stop.js";
import { jobStatus, newestPod } from "./job.js";
import { beginJob } from "./job-change.js";

interface JobDocument {
	readonly spec: {
		readonly template: {
			readonly spec: {
				readonly containers: readonly [{ readonly args: readonly string[]; readonly workingDir: string }];
				readonly volumes: readonly object[];
			};
		};
	};
}

const condition = (type: string, reason?: string) => ({ status: { conditions: [{ type, status: "True", reason }] } });

describe("a job", () => {
	it("is over when a condition says so, and living otherwise", () => {
		expect(jobStatus(condition("Complete"), "")).toEqual({ job: "ended", text: "Complete" });
		expect(jobStatus(condition("Failed", "DeadlineExceeded"), "")).toEqual({
			job: "ended",
			text: "Failed, DeadlineExceeded",
		});
		expect(jobStatus(condition("FailureTarget"), "Running")).toEqual({ job: "active", text: "Running" });
		expect(jobStatus({ status: { conditions: [{ type: "Failed", status: "False" }] } }, "x").job).toBe("active");
		expect(jobStatus({}, "no pod yet")).toEqual({ job: "active", text: "no pod yet" });
		expect(jobStatus({ status: { conditions: "many" } }, "").job).toBe("active");
	});

	it("has its newest pod number 0", () => {
		const pod = (name: string, at: string, state: object) => ({
			metadata: { name, creationTimestamp: at },
			status: { phase: "Failed", containerStatuses: [{ state }] },
		});
		const items = [
			pod("b", "2026-11-18T15:00:02Z", { terminated: { exitCode: 75 } }),
			pod("a", "2026-11-18T15:00:01Z", { terminated: { exitCode: 3 } }),
		];
		expect(newestPod({ items })).toEqual({ name: "b", phase: "Failed", reason: "", exitCode: 75 });
		const waits = pod("c", "2026-11-18T15:00:03Z", { waiting: { reason: "ImagePullBackOff" } });
		expect(newestPod({ items: [...items, waits] })).toMatchObject({
			name: "c",
			reason: "ImagePullBackOff",
			exitCode: undefined,
		});
		expect([newestPod({}), newestPod({ items: [] }), newestPod({ items: 3 })]).toEqual([
			undefined,
			undefined,
			undefined,
		]);
	});
});

describe("a request to stop", () => {
	it("ends with the job that it was made for, and with no pod of it", () => {
		const folder = testFolder();
		beginJob(folder, "one");
		askToStop(folder, { isNow: false });
		for (const same of ["one", "", undefined]) beginJob(folder, same);
		expect(stopRequest(folder)).toEqual({ isNow: false });
		beginJob(folder, "two");
		expect(stopRequest(folder)).toBeUndefined();
	});
});

/** A folder with a kubectl that runs this script, and the arguments it was given. */
function played(script: string) {
	const folder = testFolder();
	const file = join(folder, "kubectl");
	writeFileSync(file, `#!/bin/sh\ncd "${folder}" && echo "$@" >> calls\n${script}\n`);
	chmodSync(file, 0o755);
	return { folder, env: { PATH: `${folder}${delimiter}${process.env.PATH}`, STICKSLIP_RUNS: join(folder, "runs") } };
}

const line = ["--", "solve", "pile.hdf5", "--json"];

describe("launch kubernetes", () => {
	it("applies the manifest, and hands on pod 0's output and exit code", async () => {
		const pods = `{"items":[{"metadata":{"name":"p-0"},"status":{"phase":"Succeeded","containerStatuses":[{"state":{"terminated":{"exitCode":1}}}]}}]}`;
		const { folder, env } = played(`case "$1 $2" in
apply*) cat > manifest ;;
"get pods") echo '${pods}' ;;
get*) echo '{"status":{"conditions":[{"type":"Failed","status":"True"}]}}' ;;
logs*) echo '{"status":"stalled"}'; echo 'stickslip: run r in /data/runs' ;;
esac`);
		const { code, out, err } = await runCli(
			["launch", "kubernetes", "--context=lab", "--namespace", "n", "--claim=data", ...line],
			{
				env,
			},
		);
		const [id = ""] = readdirSync(join(folder, "runs"));
		expect([code, out]).toEqual([1, '{"status":"stalled"}\n']);
		expect(err).toContain("stickslip: run r in /data/runs\n");
		expect(readFileSync(join(folder, "manifest"), "utf8")).toContain(`value: /data/runs/${id}\n`);
		const calls = linesOf(readFileSync(join(folder, "calls"), "utf8"));
		expect(calls.filter((call) => !/--context=lab --namespace=n( |$)/.test(call))).toEqual([]);
		expect(calls.at(-1)).toMatch(/^delete secret\/stickslip-pile-[a-z]{4} /);
		const state = JSON.parse(readFileSync(join(folder, "runs", id, "state.json"), "utf8"));
		expect(state).toMatchObject({ status: "unsolved", exitCode: 1, job: { scheduler: "kubernetes", namespace: "n" } });
		expect(existsSync(join(folder, "runs", id, "key"))).toBe(false);
	});

	it("fetches the progress of pod 0 while it follows, about once a second", async () => {
		const progress = {
			...{ problem: "pile", measure: "error", tolerance: 1e-9, best: 0.5, iterations: 7, products: 9, error: null },
			...{ exact: true, seconds: 2, method: "nsgs", input: 0, inputs: 1, contacts: 30 },
			updated: "2026-11-18T15:00:01Z",
		};
		const { folder, env } = played(`case "$1 $2" in
apply*) cat > /dev/null ;;
"get pods") if [ -e looked ]; then echo '{"items":[{"metadata":{"name":"p-0"},"status":{"phase":"Succeeded","containerStatuses":[{"state":{"terminated":{"exitCode":0}}}]}}]}'
	else echo '{"items":[{"metadata":{"name":"p-0"},"status":{"phase":"Running"}}]}'; fi ;;
get*) if [ -e looked ]; then cp runs/*/state.json then.json; echo '{"status":{"conditions":[{"type":"Complete","status":"True"}]}}'
	else touch looked; echo '{}'; fi ;;
exec*) if [ -e once ]; then echo '{"status":'; else touch once; echo '${JSON.stringify(progress)}'; fi ;;
esac`);
		const { code } = await runCli(["launch", "kubernetes", "--namespace=n", "--claim=data", ...line], { env });
		const [id = ""] = readdirSync(join(folder, "runs"));
		expect(code).toBe(0);
		const read = (...path: string[]) => JSON.parse(readFileSync(join(folder, ...path), "utf8"));
		expect(read("runs", id, "progress.json")).toEqual(progress);
		expect([read("then.json").status, read("runs", id, "state.json").status]).toEqual(["running", "solved"]);
		const calls = linesOf(readFileSync(join(folder, "calls"), "utf8")).filter((call) => call.startsWith("exec"));
		expect(new Set(calls)).toEqual(
			new Set([`exec p-0 --container=stickslip --namespace=n -- cat /data/runs/${id}/progress.json`]),
		);
		expect(calls.length).toBeLessThan(8);
	});

	it.each<[string, string[], number, string]>([
		["with a checkpoint in its volume", ["--claim=data", ...line], 75, "stopped"],
		["without one", ["--image=own", "--", "solve", "/srv/pile.hdf5"], 1, "cancelled"],
		["as one of a JobSet", ["--jobset", "--claim=data", ...line], 75, "stopped"],
	])("takes the end of its time as a stop: %s", async (_, words, expected, status) => {
		const over = `{"status":{"conditions":[{"type":"Failed","status":"True","reason":"DeadlineExceeded"}]}}`;
		const { folder, env } = played(`case "$1 $2" in
apply*) cat > /dev/null ;;
"get pods") echo '{"items":[]}' ;;
"get jobs") echo '{"items":[${over}]}' ;;
"get jobset"*) echo '${over.replace("DeadlineExceeded", "FailJobSetFailurePolicyAction")}' ;;
get*) echo '${over}' ;;
esac`);
		const { code, err } = await runCli(["launch", "kubernetes", "--time=1s", ...words], { env });
		const [id = ""] = readdirSync(join(folder, "runs"));
		expect([code, err.includes("has not recorded how")]).toEqual([expected, false]);
		expect(err).toContain("stickslip: the time limit of the job was reached\n");
		const state = JSON.parse(readFileSync(join(folder, "runs", id, "state.json"), "utf8"));
		expect(state).toMatchObject({ status, exitCode: expected });
		expect(linesOf(readFileSync(join(folder, "calls"), "utf8")).at(-1)).toMatch(/^delete secret\/stickslip-pile-/);
	});

	it("leaves a detached run the key that its pods need", async () => {
		const { folder, env } = played(`case "$1" in apply) cat > /dev/null ;; *) echo '{}' ;; esac`);
		const { code, err } = await runCli(["launch", "kubernetes", "--claim=data", ...line], {
			env,
			started: (child) => {
				child.stderr?.on("data", (part: Buffer) => {
					if (part.includes("Ctrl-C stops")) child.kill("SIGQUIT");
				});
			},
		});
		const [id = ""] = readdirSync(join(folder, "runs"));
		expect([code, err.includes("detached")]).toEqual([0, true]);
		expect(readFileSync(join(folder, "calls"), "utf8")).not.toContain("delete");
		expect(JSON.parse(readFileSync(join(folder, "runs", id, "state.json"), "utf8")).status).toBe("waiting");
		expect(existsSync(join(folder, "runs", id, "key"))).toBe(true);
	});

	it("leaves nothing where the manifest is refused", async () => {
		const { folder, env } = played(`echo 'error: no configuration has been provided' >&2; exit 1`);
		const { code, out, err } = await runCli(["launch", "kubernetes", "--claim=data", ...line], { env });
		expect([code, out]).toEqual([2, ""]);
		expect(linesOf(err)).toEqual([
			expect.stringMatching(/^stickslip: launch kubernetes: kubectl: no configuration has been provided; check/),
		]);
		expect(readdirSync(join(folder, "runs"))).toEqual([]);
	});

	it.each<[string, string, RegExp]>([
		[
			"standard input",
			"--claim=data -- solve -",
			/-: is not available in pods; put the file into the volume of --claim/,
		],
		["a file without a volume", "-- solve pile.hdf5", /pile\.hdf5: is not available in pods without --claim; put it/],
		["a file beside the volume", "--claim=data -- solve a.hdf5 ../b.hdf5", /b\.hdf5: is not available in pods; put it/],
		["a file elsewhere", "--claim=data --dry-run -- solve /srv/a.hdf5", /a\.hdf5: is not available in pods; put it/],
	])("refuses in one line what no pod would have: %s", async (_, words, message) => {
		const { code, out, err } = await runHere(["launch", "kubernetes", ...words.split(" ")]);
		expect([code, out, linesOf(err)]).toEqual([2, "", [expect.stringMatching(message)]]);
	});

	it.each<[string, string, string]>([
		["a scene file without a volume", "-- simulate scene.json", "scene.json"],
		["a scene file elsewhere", "--claim=data -- simulate ../scene.json", "../scene.json"],
		["a service", "--claim=data -- serve", "serve"],
		["a run file without a volume", "-- simulate drum --output drum.h5", "--output"],
		["a run file beside the volume", "--claim=data -- simulate drum --output ../drum.h5", "--output"],
		["a table that is lost", "-- simulate drum --csv drum.csv", "--csv"],
		["a page that is lost", "-- simulate drum --report drum.html", "--report"],
		["problems that are lost", "-- simulate drum --dump-problems hard", "--dump-folder"],
		["a picture elsewhere", "--claim=data -- simulate drum -o d.h5 --picture /d.svg", "--picture"],
		["an answer without a volume", "--image=own -- solve /srv/a.hdf5 --output a.hdf5", "--output"],
		["capsules without a volume", "--image=own -- solve /srv/a.hdf5 --capsule capsules", "--capsule"],
		["a study without a volume", "-- study strong spheres:100 -o study", "--output"],
		["a scene that is only written", "--claim=data -- simulate drum --write-scene drum.json", "--write-scene"],
	])("refuses in one line %s", async (_, words, place) => {
		const { code, out, err } = await runHere(["launch", "kubernetes", "--dry-run", ...words.split(" ")]);
		expect([code, out, linesOf(err)]).toEqual([2, "", [expect.stringContaining(`: launch: ${place}: `)]]);
	});

	it.each([
		["simulate drum --bodies 20 --output drum.h5 --csv out/drum.csv"],
		["simulate scene.json --output /data/out/drum.h5"],
		["study strong incline:friction=0.3 scenes/own.json -o study"],
	])("renders what runs in the volume's folder: %s", async (text) => {
		const line = text.split(" ");
		const { code, out, err } = await runHere(["launch", "kubernetes", "--claim=data", "--dry-run", "--", ...line]);
		expect(code, err).toBe(0);
		const [, , job] = parseAllDocuments(out).map((document): unknown => document.toJS());
		const { spec } = (job as JobDocument).spec.template;
		expect(spec.containers[0].args.slice(-line.length)).toEqual(line);
		expect([spec.containers[0].workingDir, spec.volumes[0]]).toEqual([
			"/data",
			{ name: "data", persistentVolumeClaim: { claimName: "data" } },
		]);
	});

	it("takes files of the volume by their full name, and those of an image that was named", async () => {
		for (const words of [
			"--claim=data --dry-run -- solve /data/in/a.hdf5",
			"--image=own --dry-run -- solve /srv/a.hdf5",
		]) {
			const { code, out } = await runHere(["launch", "kubernetes", ...words.split(" ")]);
			expect([code, linesOf(out)[0]]).toEqual([0, expect.stringMatching(/^# The Secret is the key of this run/)]);
		}
	});
});
