/**
 * A job of Kubernetes without Kubernetes: the pods of a manifest as processes on the nodes of a cluster, each with exactly its command, environment,
 * folder and volume, in a root of its own. Names are known late, and a pod that fails comes again as the Job's policy says.
 */
import { randomUUID } from "node:crypto";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseAllDocuments } from "yaml";
import type { Ended, Running } from "./bed.js";
import { type Cluster, type Launched, type LaunchOptions, launched } from "./cluster.js";
import { expanded } from "./expanded.js";
import { pause } from "./wait.js";

const program = fileURLToPath(new URL("../../bin/stickslip.mjs", import.meta.url));
const checkout = fileURLToPath(new URL("../../../..", import.meta.url)).replace(/\/$/, "");
/** Delay before a pod is replaced; Kubernetes waits longer. */
const AGAIN_SECONDS = 0.5;
const POD_SECONDS = 300;

/** The fields of a manifest that are used here, as plain data. */
interface Container {
	readonly command: readonly string[];
	readonly args: readonly string[];
	readonly workingDir: string;
	readonly env: readonly {
		readonly name: string;
		readonly value?: string;
		readonly valueFrom?: { readonly secretKeyRef?: { readonly key: string }; readonly fieldRef?: object };
	}[];
	readonly volumeMounts: readonly { readonly mountPath: string }[];
	readonly securityContext?: { readonly readOnlyRootFilesystem?: boolean };
}
interface Job {
	readonly metadata: { readonly name: string };
	readonly spec: {
		readonly completions: number;
		readonly backoffLimit: number;
		readonly podFailurePolicy: {
			readonly rules: readonly {
				readonly action: string;
				readonly onExitCodes?: { readonly values: readonly number[] };
			}[];
		};
		readonly template: { readonly spec: { readonly subdomain: string; readonly containers: readonly Container[] } };
	};
}
interface Secret {
	readonly stringData: Readonly<Record<string, string>>;
}

export interface PlayOptions {
	/** The volume's folder here, which all pods see. */
	readonly volume: string;
	/** Seconds until a pod's name can be looked up, by index. Default 0. */
	readonly named?: readonly number[];
	/** Seconds until a pod starts, by index. Default 0. */
	readonly started?: readonly number[];
}

export interface PlayedJob {
	/** The pod that has this index now. */
	pod(index: number): Running | undefined;
	/** How often pods were replaced. */
	readonly failures: number;
	/** When the job is complete or has failed: how its pod 0 ended the last time. */
	readonly ended: Promise<Ended & { readonly job: "complete" | "failed" }>;
}

export interface PodOptions extends LaunchOptions, Omit<PlayOptions, "volume"> {}

export interface LaunchedPods extends Launched {
	readonly job: PlayedJob;
	/** Another Job of the same manifest and volume, as `resume` creates it. */
	again(): PlayedJob;
}

/** `stickslip launch kubernetes --dry-run -- COMMAND`, and its job simulated; the line's first operand is a file, which is copied to the volume. */
export async function launchPods(
	cluster: Cluster,
	[command = "", file = "", ...options]: readonly string[],
	{ nodes, ranksPerNode, words = [], named = [], started = [] }: PodOptions,
): Promise<LaunchedPods> {
	const volume = cluster.runsFolder();
	copyFileSync(file, join(volume, basename(file)));
	const counts = ["--nodes", String(nodes), "--ranks-per-node", String(ranksPerNode), "--claim", "data", "--dry-run"];
	const line = [command, basename(file), ...options];
	const { code, out, err } = await (await cluster.type(["launch", "kubernetes", ...counts, ...words, "--", ...line]))
		.ended;
	if (code !== 0) throw new Error(`launch kubernetes --dry-run: ${err}`);
	const documents = parseAllDocuments(out).map((document): unknown => document.toJS());
	const job = playJob(cluster, documents, { volume, named, started });
	const signal = (name: NodeJS.Signals) => job.pod(0)?.signal(name);
	const output = () => job.pod(0)?.err() ?? "";
	const again = () => playJob(cluster, documents, { volume });
	return { ...launched({ ended: job.ended, signal, err: output }, join(volume, "runs")), job, again };
}

/** Simulates the Indexed Job among the documents of a manifest. */
export function playJob(cluster: Cluster, documents: readonly unknown[], options: PlayOptions): PlayedJob {
	const job = ofKind<Job>(documents, "Job");
	const secret = ofKind<Secret>(documents, "Secret");
	return new Player(cluster, job, secret, options);
}

function ofKind<Wanted>(documents: readonly unknown[], kind: string): Wanted {
	const found = documents.find((each) => (each as { readonly kind?: string } | null)?.kind === kind);
	if (found === undefined) throw new Error(`the manifest has no ${kind}`);
	return found as Wanted;
}

class Player implements PlayedJob {
	readonly ended: PlayedJob["ended"];
	failures = 0;
	readonly #cluster: Cluster;
	readonly #job: Job;
	readonly #secret: Secret;
	readonly #uid = randomUUID();
	readonly #options: PlayOptions;
	readonly #pods: (Running | undefined)[] = [];
	readonly #bin: string;
	#hasFailed = false;

	constructor(cluster: Cluster, job: Job, secret: Secret, options: PlayOptions) {
		this.#cluster = cluster;
		this.#job = job;
		this.#secret = secret;
		this.#options = options;
		this.#bin = join(cluster.bed.folder, "pod-bin");
		mkdirSync(this.#bin, { recursive: true });
		const entry = join(this.#bin, "stickslip");
		writeFileSync(entry, `#!/bin/sh\nexec ${process.execPath} ${program} "$@"\n`);
		chmodSync(entry, 0o755);
		this.ended = this.#play();
	}

	pod(index: number): Running | undefined {
		return this.#pods[index];
	}

	async #play(): PlayedJob["ended"] {
		const { completions } = this.#job.spec;
		const indices = Array.from({ length: completions }, (_, index) => index);
		const names = this.#name(indices);
		const ends = await Promise.all(indices.map((index) => this.#index(index)));
		await names;
		const [first] = ends;
		if (first === undefined) throw new Error("a job without pods");
		return { ...first, job: this.#hasFailed ? "failed" : "complete" };
	}

	/** Makes the pods' names known, each in its time. */
	async #name(indices: readonly number[]): Promise<void> {
		const { metadata, spec } = this.#job;
		const known: Record<string, string> = {};
		const { network, nodes } = this.#cluster;
		network.setNames(known);
		await Promise.all(
			indices.map(async (index) => {
				await pause(this.#options.named?.[index] ?? 0);
				known[`${metadata.name}-${index}.${spec.template.spec.subdomain}`] = nodes[index]?.address ?? "";
				network.setNames(known);
			}),
		);
	}

	/** One index until it is complete, or the job has failed. */
	async #index(index: number): Promise<Ended> {
		await pause(this.#options.started?.[index] ?? 0);
		for (;;) {
			const pod = this.#start(index);
			this.#pods[index] = pod;
			const ended = await pod.ended;
			if (ended.code === 0 || this.#hasFailed) return ended;
			this.failures += 1;
			const { podFailurePolicy, backoffLimit } = this.#job.spec;
			const final = podFailurePolicy.rules.find(({ action }) => action === "FailJob")?.onExitCodes?.values ?? [];
			if ((ended.code !== null && final.includes(ended.code)) || this.failures > backoffLimit) {
				this.#fail();
				return ended;
			}
			await pause(AGAIN_SECONDS);
			if (this.#hasFailed) return ended;
		}
	}

	#fail(): void {
		this.#hasFailed = true;
		for (const pod of this.#pods) pod?.signal("SIGTERM");
	}

	#start(index: number): Running {
		const [container] = this.#job.spec.template.spec.containers;
		const node = this.#cluster.nodes[index];
		if (container === undefined || node === undefined) throw new Error(`there is no node for pod ${index}`);
		const root = mkdtempSync(join(this.#cluster.bed.folder, `pod-${index}-`));
		const { command, args, workingDir, volumeMounts, securityContext } = container;
		const mountPath = volumeMounts[0]?.mountPath ?? "/data";
		const isReadOnly = securityContext?.readOnlyRootFilesystem === true ? "ro" : "rw";
		const places = [root, this.#options.volume, mountPath, workingDir, this.#bin, isReadOnly, checkout];
		const none = Object.fromEntries(Object.keys(process.env).map((name) => [name, undefined]));
		const own = this.#environment(index);
		const words = [...command, ...args].map((word) => expanded(word, own));
		const env = {
			...none,
			PATH: `/pod-bin:${process.env.PATH ?? ""}`,
			HOME: mountPath,
			...own,
		};
		return node.start("sh", ["-c", ownRoot, "sh", ...places, ...words], { env, seconds: POD_SECONDS });
	}

	#environment(index: number): Record<string, string> {
		const [container] = this.#job.spec.template.spec.containers;
		const given = (container?.env ?? []).map(({ name, value, valueFrom }): [string, string] => {
			// The one field that is asked for is the id of the Job.
			if (valueFrom?.fieldRef !== undefined) return [name, this.#uid];
			return [name, value ?? this.#secret.stringData[valueFrom?.secretKeyRef?.key ?? ""] ?? ""];
		});
		// Each value may name the variables before it.
		const env: Record<string, string> = { JOB_COMPLETION_INDEX: String(index) };
		for (const [name, value] of given) env[name] = expanded(value, env);
		return env;
	}
}

/**
 * A root with the content of this machine's, the volume at its mount path, and an empty /tmp, on a file system in memory that only this process and its
 * children see. If the pod's root is read-only, everything but those two is. A checkout in /tmp, as in CI, stays visible.
 */
const ownRoot = `
	root=$1 volume=$2 path=$3 folder=$4 bin=$5 access=$6 checkout=$7; shift 7
	mount -t tmpfs tmpfs "$root" || exit 125
	mkdir -p "$root/pod-bin" "$root$path"
	for entry in /*; do
		if [ -L "$entry" ]; then cp -P "$entry" "$root/"
		elif [ -d "$entry" ] && [ "$entry" != /tmp ]; then
			mkdir -p "$root$entry" && mount --rbind "$entry" "$root$entry" || exit 125
			case $entry in /dev|/proc|/sys) ;; *) mount -o "remount,bind,$access" "$root$entry" || exit 125 ;; esac
		fi
	done
	mkdir -p "$root/tmp" && mount -t tmpfs -o mode=1777 tmpfs "$root/tmp" || exit 125
	case $checkout in /tmp/*) mkdir -p "$root$checkout" && mount --bind "$checkout" "$root$checkout" || exit 125 ;; esac
	mount --bind "$bin" "$root/pod-bin" && mount --bind "$volume" "$root$path" || exit 125
	mount -o "remount,$access" "$root" || exit 125
	exec chroot "$root" sh -c 'cd "$1" && shift && exec "$@"' sh "$folder" "$@"
`;
