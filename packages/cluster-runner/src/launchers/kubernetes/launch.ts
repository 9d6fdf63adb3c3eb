/** `launch kubernetes`: pods of an Indexed Job or a JobSet, by kubectl; this terminal follows the output of pod 0. */
import { randomBytes } from "node:crypto";
import { posix } from "node:path";
import { InputError } from "@stickslip/core";
import type { ExitCode, Terminal } from "../../cli/command.js";
import { beginRun, reportPlacement, reportRun } from "../../launch/begin.js";
import { follow } from "../../launch/follow.js";
import type { LaunchRequest } from "../../launch/launch-request.js";
import type { Launching } from "../../launch/plan.js";
import { runTool, toolError } from "../../processes/tool.js";
import { jobInputs, jobOutputs } from "../../requests/job-files.js";
import { type Run, removeSecret, secretOf } from "../../runs/folder.js";
import { hasEnded } from "../../runs/run-status.js";
import { changeState, readState, type SchedulerJob } from "../../runs/state.js";
import { kubernetesJob } from "./job.js";
import { DATA, manifest, nameOf } from "./manifest.js";
import type { Kubectl } from "./pod-progress.js";
import { yamlDocuments } from "./yaml.js";

const SECRET_BYTES = 32;

const KEY_COMMENT =
	"# The Secret is the key of this run, generated anew each time: whoever has it can join the run. Do not share or commit it.";

export const launchKubernetes: Launching = {
	describe(request, run) {
		requireFiles(request);
		return [KEY_COMMENT, textOf(request, run, randomBytes(SECRET_BYTES).toString("hex"))].join("\n");
	},

	async start(request, terminal) {
		requireFiles(request);
		const kubectl = { pass: [...request.pass, ...namespaceWords(request)] };
		const what = `${request.jobset ? "jobset" : "job"}/${nameOf(request.run?.id ?? "")}`;
		if (request.run !== undefined) await clear(kubectl, what);
		const run = await beginRun(request, undefined, async (run) => {
			await apply(kubectl, textOf(request, run, secretOf(run.folder)));
			return jobOf(request, run);
		});
		return await followJob(request, run, kubectl, terminal);
	},
};

export function textOf(request: LaunchRequest, { id }: Run, key: string): string {
	const { nodes = 1, ranksPerNode = 1 } = request;
	return yamlDocuments(manifest(request, { name: nameOf(id), id, nodes, ranksPerNode, key }));
}

function namespaceWords({ options: { namespace } }: LaunchRequest): string[] {
	return namespace === undefined ? [] : [`--namespace=${namespace}`];
}

/** Pods can read their volume, which outlives them with --claim only, and the files of a custom image; they can write to the volume. */
function requireFiles(request: LaunchRequest): void {
	const {
		options: { claim, image },
		refuse,
	} = request;
	const service = "use the Deployment of deploy/kubernetes/service.yaml";
	for (const file of jobInputs(request) ?? refuse("serve", "a service is not a Job", service)) {
		if (file === "-")
			refuse("-", "is not available in pods", "put the file into the volume of --claim, and give its path there");
		const isInVolume = isInData(file);
		if (isInVolume ? claim !== undefined : image !== undefined) continue;
		const remedy = `put it into a persistent volume, give --claim NAME, and give its path there (mounted at ${DATA})`;
		const problem = isInVolume ? "is not available in pods without --claim" : "is not available in pods";
		refuse(file, problem, isInVolume ? remedy : `${remedy}; or give an image that contains it with --image`);
	}
	for (const { option, path } of jobOutputs(request)) {
		if (!isInData(path)) {
			refuse(option, `${path} is outside the volume of pods`, `give a path below ${DATA}, where --claim is mounted`);
		}
		if (claim === undefined) {
			refuse(option, `${path} would be deleted with its pod`, "add --claim NAME, a persistent volume that keeps it");
		}
	}
}

/** Relative paths start at the volume's folder. */
function isInData(path: string): boolean {
	return posix.resolve(DATA, path).startsWith(`${DATA}/`);
}

function jobOf({ jobset, options: { namespace } }: LaunchRequest, { id }: Run): SchedulerJob {
	const kind = jobset ? "jobset" : "job";
	return { scheduler: "kubernetes", id: `${kind}/${nameOf(id)}`, ...(namespace !== undefined && { namespace }) };
}

async function apply({ pass }: Kubectl, text: string): Promise<void> {
	const answer = await runTool("kubectl", ["apply", ...pass, "--filename=-"], { input: text, isUnbroken: true });
	if (answer.code === 0) return;
	const problem = answer.isMissing ? "is not on the path" : toolError(answer);
	const remedy = answer.isMissing
		? "install it, or apply what --dry-run prints"
		: "check kubectl config and what --dry-run prints";
	throw new InputError("launch kubernetes", "kubectl", problem, remedy);
}

/** The pods of a job cannot be changed: the old job is deleted before the new one is created. */
async function clear({ pass }: Kubectl, what: string): Promise<void> {
	const answer = await runTool("kubectl", ["delete", what, ...pass, "--ignore-not-found", "--wait=true"], {
		milliseconds: 180_000,
	});
	if (answer.code === 0) return;
	const problem = answer.isMissing ? "is not on the path" : toolError(answer);
	throw new InputError("resume", "kubectl", problem, "check kubectl config");
}

async function followJob(request: LaunchRequest, run: Run, kubectl: Kubectl, terminal: Terminal): Promise<ExitCode> {
	const name = nameOf(run.id);
	const job = jobOf(request, run);
	const { id } = job;
	changeState(run.folder, { status: "waiting", job });
	reportRun(run, request.runs, terminal);
	const { nodes = 1, ranksPerNode = 1 } = request;
	reportPlacement(request, { where: "kubernetes", nodes, ranksPerNode, between: "zeromq" }, terminal);
	terminal.err(`stickslip: ${id} of Kubernetes`);
	if (request.detach) return 0;
	const { folder } = run;
	const isKept = request.options.claim !== undefined;
	const code = await follow(run, kubernetesJob(kubectl, { folder, id, name, isKept }, terminal), terminal);
	// A detached run continues, and restarted pods need its key.
	if (!hasEnded(readState(folder).status)) return code;
	if (code !== 75) removeSecret(folder);
	// Also for a stopped run: resume creates the job again, with its key.
	await runTool("kubectl", ["delete", `secret/${name}`, ...kubectl.pass, "--ignore-not-found", "--wait=false"]);
	return code;
}
