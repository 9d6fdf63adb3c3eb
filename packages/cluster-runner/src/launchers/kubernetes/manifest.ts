/**
 * A run as Kubernetes objects, as plain data: an Indexed Job or a JobSet whose pods run the line by `stickslip node`, a headless service that names them,
 * and a secret with the run's key. Pod 0 keeps the run; the others find it by name, and join again when it is replaced.
 */
import { version } from "@stickslip/core";
import type { LaunchRequest } from "../../launch/launch-request.js";
import { WAIT_SECONDS } from "../../placement/placement.js";
import { kubernetesMemory } from "../../placement/quantities.js";
import { PORT } from "../../processes/rendezvous/node-identity.js";
import { GROUP_VARIABLE } from "../../records/own.js";
import { JOB_VARIABLE } from "./job-change.js";
import type { Data } from "./yaml.js";

/** The volume with the line's files and the runs. */
export const DATA = "/data";
/** Where pods keep runs. */
export const RUNS = `${DATA}/runs`;
export const CONTAINER = "stickslip";
/** From SIGTERM until a pod is killed: a checkpoint has to be written in it. */
const GRACE_SECONDS = 60;
/** The user of the image. */
const USER = 10001;
/** Labels pods are found by. */
export const RUN_LABEL = "stickslip-run";
export const INDEX_LABEL = "batch.kubernetes.io/job-completion-index";
/** Of the jobs of a JobSet. */
export const JOBSET_LABEL = "jobset.sigs.k8s.io/jobset-name";
/** The label of pods with the uid of their Job. */
const UID_LABEL = "batch.kubernetes.io/controller-uid";

export interface Pods {
	/** The name of all objects; see nameOf. */
	readonly name: string;
	readonly id: string;
	readonly nodes: number;
	readonly ranksPerNode: number;
	/** The run's secret. */
	readonly key: string;
}

/** A DNS label that leaves room for the numbers of pods. An id begins with its time, and a name with a letter. */
export function nameOf(id: string): string {
	return `stickslip-${id.replace(/^\d+-\d+-/, "")}`;
}

export function manifest(request: LaunchRequest, pods: Pods): Data[] {
	const { name, key } = pods;
	const { namespace } = request.options;
	const metadata = { name, ...(namespace !== undefined && { namespace }), labels: labelsOf(name) };
	const secret = { apiVersion: "v1", kind: "Secret", metadata, type: "Opaque", stringData: { key } };
	if (request.jobset) return [secret, jobSet(request, pods, metadata)];
	const service = {
		apiVersion: "v1",
		kind: "Service",
		metadata,
		// Pods have to find each other before all of them are ready.
		spec: { clusterIP: "None", publishNotReadyAddresses: true, selector: { [RUN_LABEL]: name } },
	};
	const spec = jobSpec(request, pods, `${name}-0.${name}`);
	return [secret, service, { apiVersion: "batch/v1", kind: "Job", metadata, spec }];
}

function labelsOf(name: string): { readonly [label: string]: Data } {
	return { "app.kubernetes.io/name": "stickslip", [RUN_LABEL]: name };
}

/** It makes the headless service itself. */
function jobSet(request: LaunchRequest, pods: Pods, metadata: Data): Data {
	const { name } = pods;
	const spec = jobSpec(request, pods, `${name}-nodes-0-0.${name}`);
	return {
		apiVersion: "jobset.x-k8s.io/v1alpha2",
		kind: "JobSet",
		metadata,
		spec: {
			network: { enableDNSHostnames: true, subdomain: name, publishNotReadyAddresses: true },
			failurePolicy: {
				maxRestarts: request.restarts,
				// Without a rule a JobSet restarts after any failure, also after one that would only be repeated.
				rules: [{ name: "over", action: "FailJobSet", onJobFailureReasons: ["PodFailurePolicy", "DeadlineExceeded"] }],
			},
			replicatedJobs: [{ name: "nodes", replicas: 1, template: { spec } }],
		},
	};
}

function jobSpec(request: LaunchRequest, pods: Pods, host: string): Data {
	const { nodes, name } = pods;
	return {
		completionMode: "Indexed",
		completions: nodes,
		parallelism: nodes,
		backoffLimit: request.restarts * nodes,
		activeDeadlineSeconds: request.seconds,
		podFailurePolicy: {
			rules: [
				// A node that is drained or lost costs no restart: its pod is replaced, and the run continues from its checkpoint.
				{ action: "Ignore", onPodConditions: [{ type: "DisruptionTarget", status: "True" }] },
				// Unsolved, refused, or stopped on request: another attempt would end in the same way.
				{ action: "FailJob", onExitCodes: { containerName: CONTAINER, operator: "In", values: [1, 2, 75] } },
			],
		},
		template: {
			metadata: { labels: labelsOf(name) },
			spec: {
				...(request.jobset ? {} : { subdomain: name }),
				restartPolicy: "Never",
				terminationGracePeriodSeconds: GRACE_SECONDS,
				// Together with the container's own settings, what the "restricted" level of Pod Security requires.
				securityContext: {
					...{ runAsNonRoot: true, runAsUser: USER, runAsGroup: USER, fsGroup: USER },
					// A volume with many runs is not gone through at every start of a pod.
					fsGroupChangePolicy: "OnRootMismatch",
					seccompProfile: { type: "RuntimeDefault" },
				},
				automountServiceAccountToken: false,
				containers: [container(request, pods, host)],
				volumes: [
					{ name: "data", ...volumeOf(request) },
					{ name: "tmp", emptyDir: {} },
				],
			},
		},
	};
}

function volumeOf({ options: { claim } }: LaunchRequest): { readonly [name: string]: Data } {
	return claim === undefined ? { emptyDir: {} } : { persistentVolumeClaim: { claimName: claim } };
}

function container(request: LaunchRequest, { id, nodes, ranksPerNode, name }: Pods, host: string): Data {
	const memory = request.memory === undefined ? undefined : kubernetesMemory(request.memory);
	return {
		name: CONTAINER,
		image: request.options.image ?? `stickslip:${version}`,
		command: ["stickslip"],
		args: nodeWords(request, ranksPerNode).map(literal),
		workingDir: DATA,
		env: [
			{ name: "STICKSLIP_NODES", value: String(nodes) },
			{ name: "STICKSLIP_RENDEZVOUS", value: `${host}:${PORT}` },
			{ name: "STICKSLIP_KEY", valueFrom: { secretKeyRef: { name, key: "key" } } },
			{ name: "STICKSLIP_RUNS", value: RUNS },
			{ name: "STICKSLIP_RUN", value: literal(`${RUNS}/${id}`) },
			{ name: GROUP_VARIABLE, value: String(USER) },
			{ name: JOB_VARIABLE, valueFrom: { fieldRef: { fieldPath: `metadata.labels['${UID_LABEL}']` } } },
			...(request.listen === undefined ? [] : [{ name: "STICKSLIP_LISTEN", value: literal(request.listen) }]),
			...(request.metrics === undefined ? [] : [{ name: "STICKSLIP_METRICS", value: literal(request.metrics) }]),
		],
		resources: {
			requests: { cpu: String(ranksPerNode), memory },
			limits: { memory },
		},
		securityContext: {
			allowPrivilegeEscalation: false,
			capabilities: { drop: ["ALL"] },
			readOnlyRootFilesystem: true,
		},
		volumeMounts: [
			{ name: "data", mountPath: DATA },
			{ name: "tmp", mountPath: "/tmp" },
		],
	};
}

/** Kubernetes puts variables into arguments and values: $(NAME), and $$ for one dollar. */
function literal(text: string): string {
	return text.replaceAll("$", "$$$$");
}

/** What each pod runs. */
function nodeWords(request: LaunchRequest, ranksPerNode: number): string[] {
	return [
		...["node", "--ranks-per-node", String(ranksPerNode), "--wait", String(request.wait ?? WAIT_SECONDS.node)],
		...["--checkpoint", String(request.checkpoint), "--restarts", String(request.restarts)],
		...(request.capsule ? [] : ["--no-capsule"]),
		...["--", ...request.line],
	];
}
