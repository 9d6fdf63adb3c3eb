/** A job in Kubernetes as a follower sees it: its conditions, and the output of pod 0 and of its replacements. */
import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { jsonIn } from "../../base/errors.js";
import { startProcess, streamsOf } from "../../base/start-process.js";
import type { Terminal } from "../../cli/command.js";
import type { Job, JobStatus } from "../../launch/follow.js";
import { runTool } from "../../processes/tool.js";
import { isRecord, type JsonRecord } from "../../records/check.js";
import { stopRequest } from "../../records/stop.js";
import { changeState } from "../../runs/state.js";
import { INDEX_LABEL, JOBSET_LABEL, RUN_LABEL } from "./manifest.js";
import { type Kubectl, PodProgress } from "./pod-progress.js";

export interface Followed {
	/** Of the run, here. */
	readonly folder: string;
	/** kind/name. */
	readonly id: string;
	readonly name: string;
	/** Its checkpoints outlive its pods. */
	readonly isKept: boolean;
}

const TIME_OVER = "DeadlineExceeded";

export function kubernetesJob(kubectl: Kubectl, followed: Followed, terminal: Terminal): Job {
	const { folder, id, name, isKept } = followed;
	const pods = new FirstPods(kubectl, name, terminal);
	const podProgress = new PodProgress(kubectl, folder);
	let [isStopped, text] = [false, ""];
	// A JobSet reports that one of its jobs has failed, and that job the reason.
	const isTimeOver = async () => {
		if (text.includes(TIME_OVER)) return true;
		if (!id.startsWith("jobset/") || !text.startsWith("Failed")) return false;
		const words = ["get", "jobs", `--selector=${JOBSET_LABEL}=${name}`, ...kubectl.pass, "--output=json"];
		const jobs = list(record(jsonIn((await runTool("kubectl", words)).out)).items);
		return jobs.some((job) => jobStatus(job, "").text.includes(TIME_OVER));
	};
	return {
		scheduler: "Kubernetes",
		id,
		isElsewhere: true,
		async poll() {
			await pods.look();
			const answer = await runTool("kubectl", ["get", id, ...kubectl.pass, "--output=json"]);
			if (answer.code !== 0) return { job: /not found/i.test(answer.err) ? "ended" : "unknown", text: "" };
			const status = jobStatus(record(jsonIn(answer.out)), pods.text);
			text = status.text;
			return status;
		},
		// Its pods get SIGTERM and their time of grace; what was made can be looked at, and resumed.
		async cancel() {
			isStopped = true;
			await runTool("kubectl", ["patch", id, ...kubectl.pass, "--type=merge", '--patch={"spec":{"suspend":true}}']);
		},
		pump: () => podProgress.pump(pods.running),
		async leave() {
			await podProgress.finish();
			changeState(folder, { status: "waiting" });
		},
		async exitCode() {
			await Promise.all([pods.finish(), podProgress.finish()]);
			const code = pods.exitCode;
			if (code === 0 || code === 2) return code;
			const isLate = await isTimeOver();
			if (isLate) terminal.err("stickslip: the time limit of the job was reached");
			if (code !== 75 && !isLate && !isStopped && stopRequest(folder) === undefined) return code;
			// A pod that ends with 1 when it is stopped has no checkpoint, and without a claim checkpoints end with their pod.
			if (isKept && code !== 1) return 75;
			changeState(folder, { status: "cancelled" });
			return 1;
		},
	};
}

/** The status of a Job or a JobSet, from its conditions. */
export function jobStatus(job: JsonRecord, podText: string): JobStatus {
	const conditions = list(record(job.status).conditions).filter(({ status }) => status === "True");
	const over = conditions.find(
		({ type }) => type === "Complete" || type === "Completed" || type === "Failed" || type === "Suspended",
	);
	if (over === undefined) return { job: "active", text: podText };
	const reason = typeof over.reason === "string" ? `, ${over.reason}` : "";
	return { job: "ended", text: `${String(over.type)}${reason}` };
}

/** The status of a pod: its phase, why it waits, and how it ended. */
export interface PodStatus {
	readonly name: string;
	readonly phase: string;
	readonly reason: string;
	readonly exitCode: number | undefined;
}

/** The newest of a list of pods. */
export function newestPod(pods: JsonRecord): PodStatus | undefined {
	const created = (pod: JsonRecord) => String(record(pod.metadata).creationTimestamp);
	const pod = list(pods.items)
		.sort((one, other) => (created(one) < created(other) ? -1 : 1))
		.at(-1);
	if (pod === undefined) return undefined;
	const status = record(pod.status);
	const state = record(list(status.containerStatuses)[0]?.state);
	const code = record(state.terminated).exitCode;
	const reason = record(state.waiting).reason ?? status.reason;
	return {
		name: String(record(pod.metadata).name),
		phase: String(status.phase),
		reason: typeof reason === "string" ? reason : "",
		exitCode: typeof code === "number" ? code : undefined,
	};
}

/** The pods that have been number 0, one after another. */
class FirstPods {
	readonly #kubectl: Kubectl;
	readonly #selector: string;
	readonly #terminal: Terminal;
	#now: PodStatus | undefined;
	#logs: { readonly pod: string; readonly child: ChildProcess; readonly ended: Promise<void> } | undefined;

	constructor(kubectl: Kubectl, name: string, terminal: Terminal) {
		this.#kubectl = kubectl;
		this.#selector = `${RUN_LABEL}=${name},${INDEX_LABEL}=0`;
		this.#terminal = terminal;
		process.on("exit", () => this.#logs?.child.kill("SIGKILL"));
	}

	get text(): string {
		const { phase = "no pod yet", reason = "" } = this.#now ?? {};
		return reason === "" ? phase : `${phase}, ${reason}`;
	}

	/** The name of the one that runs. */
	get running(): string | undefined {
		return this.#now?.phase === "Running" ? this.#now.name : undefined;
	}

	get exitCode(): number | undefined {
		return this.#now?.exitCode;
	}

	async look(): Promise<void> {
		const words = ["get", "pods", `--selector=${this.#selector}`, ...this.#kubectl.pass, "--output=json"];
		const answer = await runTool("kubectl", words);
		const pod = answer.code === 0 ? newestPod(record(jsonIn(answer.out))) : undefined;
		if (pod === undefined) return;
		this.#now = pod;
		if (pod.phase !== "Pending" && this.#logs?.pod !== pod.name) this.#follow(pod.name);
	}

	/** Output and messages come as one stream; messages begin with our name. */
	#follow(pod: string): void {
		const words = ["logs", "--follow", `pod/${pod}`, ...this.#kubectl.pass];
		const child = startProcess("kubectl", words, { stdio: ["ignore", "pipe", "ignore"] });
		const [input] = streamsOf(child);
		// It is found again and followed.
		if (input === undefined) return void child.on("error", () => {});
		const lines = createInterface({ input });
		lines.on("line", (line) => (line.startsWith("stickslip: ") ? this.#terminal.err(line) : this.#terminal.out(line)));
		const ended = new Promise<void>((resolve) => {
			child.on("error", () => resolve());
			lines.on("close", resolve);
		});
		this.#logs = { pod, child, ended };
	}

	/** The rest of the output, for a while. */
	async finish(): Promise<void> {
		let limit: NodeJS.Timeout | undefined;
		const late = new Promise<void>((resolve) => {
			limit = setTimeout(resolve, 5000);
		});
		await Promise.race([this.#logs?.ended ?? Promise.resolve(), late]);
		clearTimeout(limit);
		this.#logs?.child.kill("SIGKILL");
	}
}

function record(value: unknown): JsonRecord {
	return isRecord(value) ? value : {};
}

function list(value: unknown): JsonRecord[] {
	return Array.isArray(value) ? value.filter(isRecord) : [];
}
