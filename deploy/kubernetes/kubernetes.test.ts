/**
 * Manifests against Kubernetes' published schemas, twice: as validators (values, formats, what has to be there) and as types (names that nobody knows). For a
 * JobSet no package has a schema: the Job in it is checked as a Job, and its own few fields against types written down here from its API's documentation.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Deployment } from "kubernetes-models/apps/v1/Deployment";
import { Job } from "kubernetes-models/batch/v1/Job";
import { PersistentVolumeClaim } from "kubernetes-models/v1/PersistentVolumeClaim";
import { Secret } from "kubernetes-models/v1/Secret";
import { Service } from "kubernetes-models/v1/Service";
import { describe, expect, it, onTestFinished } from "vitest";
import { parseAllDocuments } from "yaml";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("../..", import.meta.url));
const program = join(root, "packages", "cluster-runner", "bin", "stickslip.mjs");
const validators = { Deployment, Job, PersistentVolumeClaim, Secret, Service };
/** Of the API that each kind is in; v1 by default. */
const groups: Readonly<Record<string, string>> = { Deployment: "apps/v1", Job: "batch/v1" };

interface Manifest {
	readonly kind: string;
	readonly [name: string]: unknown;
}

/** jobset.sigs.k8s.io, API v1alpha2. */
const jobSetTypes = `
interface JobSet {
	apiVersion: "jobset.x-k8s.io/v1alpha2";
	kind: "JobSet";
	metadata: NonNullable<IJob["metadata"]>;
	spec: {
		network: { enableDNSHostnames?: boolean; subdomain?: string; publishNotReadyAddresses?: boolean };
		failurePolicy: {
			maxRestarts?: number;
			rules?: { name: string; action: "FailJobSet" | "RestartJobSet" | "RestartJobSetAndIgnoreMaxRestarts"; onJobFailureReasons?: (
				"BackoffLimitExceeded" | "DeadlineExceeded" | "FailedIndexes" | "MaxFailedIndexesExceeded" | "PodFailurePolicy")[] }[];
		};
		replicatedJobs: { name: string; replicas?: number; template: { spec: NonNullable<IJob["spec"]> } }[];
	};
}`;

function documents(text: string): Manifest[] {
	return parseAllDocuments(text).map((document) => {
		expect([document.errors, document.warnings]).toEqual([[], []]);
		return document.toJS();
	});
}

/** What the validators say; empty for a good one. */
function invalid(manifest: Manifest): string {
	const { kind } = manifest;
	if (kind === "JobSet") return jobsOf(manifest).map(invalid).join("");
	const Model = Object.entries(validators).find(([name]) => name === kind)?.[1];
	if (Model === undefined) return `there is no validator of ${kind}`;
	try {
		new Model(JSON.parse(JSON.stringify(manifest))).validate();
		return "";
	} catch (error) {
		return String(error);
	}
}

function jobsOf(jobSet: Manifest): Manifest[] {
	const { spec } = JSON.parse(JSON.stringify(jobSet));
	return spec.replicatedJobs.map(({ name, template }: { name: string; template: { spec: object } }) => {
		return { apiVersion: "batch/v1", kind: "Job", metadata: { name }, ...template };
	});
}

/** What the compiler says of manifests as literals of their types. */
function mistyped(manifests: readonly Manifest[]): string {
	const out = join(root, "out");
	mkdirSync(out, { recursive: true });
	const folder = mkdtempSync(join(out, "manifests-"));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	const imports = Object.keys(validators).map((kind) => {
		return `import type { I${kind} } from "kubernetes-models/${groups[kind] ?? "v1"}/${kind}";`;
	});
	const literals = manifests.map((manifest, index) => {
		return `export const m${index}: ${manifest.kind === "JobSet" ? "" : "I"}${manifest.kind} = ${JSON.stringify(manifest)};`;
	});
	writeFileSync(join(folder, "manifests.ts"), [...imports, jobSetTypes, ...literals].join("\n"));
	const tsc = join(createRequire(import.meta.url).resolve("typescript/package.json"), "..", "bin", "tsc");
	const options = [
		"--ignoreConfig",
		"--noEmit",
		"--strict",
		"--module",
		"nodenext",
		"--target",
		"es2022",
		"--types",
		"",
	];
	return spawnSync(process.execPath, [tsc, ...options, join(folder, "manifests.ts")], {
		encoding: "utf8",
		timeout: 240_000,
	}).stdout;
}

function printed(...words: readonly string[]): string {
	return execFileSync(
		process.execPath,
		[program, "launch", "kubernetes", "--dry-run", ...words, "--", "solve", "/problems/pile.hdf5"],
		{
			encoding: "utf8",
			timeout: 240_000,
		},
	);
}

/** The text of a generated file, from the script that writes it. */
async function generated(): Promise<[string, string][]> {
	const { files, manifest }: { files: object; manifest(name: string): string } = await import("./generate.mjs");
	return Object.keys(files).map((name) => [name, manifest(name)]);
}

describe("the checks themselves", () => {
	const [job = { kind: "" }] = documents(readFileSync(join(here, "job.yaml"), "utf8")).filter(
		({ kind }) => kind === "Job",
	);
	const text = JSON.stringify(job);
	const spoilt = (from: string, to: string): Manifest => JSON.parse(text.replace(from, to));

	it("find a wrong value and a missing one", () => {
		expect(invalid(job)).toBe("");
		expect(invalid(spoilt('"completions":4', '"completions":"4"'))).toMatch(/completions must be integer/);
		expect(invalid(spoilt('"restartPolicy":"Never"', '"restartPolicy":"never"'))).toMatch(/restartPolicy/);
		expect(invalid(spoilt('"name":"stickslip",', ""))).toMatch(/name/);
	});

	it("find a name that nobody knows", () => {
		expect(mistyped([spoilt('"parallelism"', '"paralelism"')])).toMatch(/paralelism/);
		expect(mistyped([{ ...job, kind: "JobSet" }])).not.toBe("");
	});
});

interface Security {
	readonly [name: string]: unknown;
}
interface PodSpec {
	readonly [name: string]: unknown;
	readonly securityContext?: Security;
	readonly containers: readonly { readonly [name: string]: unknown; readonly securityContext?: Security }[];
	readonly volumes?: readonly object[];
}

/** What the "restricted" level of Kubernetes' Pod Security Standards, with the "baseline" that it contains, has against a pod. */
function unrestricted({ securityContext: pod = {}, containers, volumes = [], ...spec }: PodSpec): string[] {
	const kinds = [
		"configMap",
		"csi",
		"downwardAPI",
		"emptyDir",
		"ephemeral",
		"persistentVolumeClaim",
		"projected",
		"secret",
	];
	const of = (own: Security | undefined, name: string) => own?.[name] ?? pod[name];
	const isSafeProfile = (profile: unknown) =>
		["RuntimeDefault", "Localhost"].includes(String((profile as { type?: string } | undefined)?.type));
	const found: readonly (readonly [string, boolean])[] = [
		...["hostNetwork", "hostPID", "hostIPC"].map((name) => [name, spec[name] === true] as const),
		...["initContainers", "ephemeralContainers"].map((name) => [name, spec[name] !== undefined] as const),
		...["sysctls", "windowsOptions", "seLinuxOptions", "appArmorProfile"].map((name) => [name, name in pod] as const),
		...volumes.flatMap((volume) =>
			Object.keys(volume).map((kind) => [`volume ${kind}`, kind !== "name" && !kinds.includes(kind)] as const),
		),
		...containers.flatMap(({ securityContext: own, ports }) => {
			const { drop, add = [] } = (own?.capabilities ?? {}) as { drop?: string[]; add?: string[] };
			return [
				["privileged", own?.privileged === true],
				["procMount", ![undefined, "Default"].includes(own?.procMount as undefined)],
				["ports", ports !== undefined],
				["seLinuxOptions of a container", own?.seLinuxOptions !== undefined],
				["allowPrivilegeEscalation", own?.allowPrivilegeEscalation !== false],
				["runAsNonRoot", of(own, "runAsNonRoot") !== true],
				["runAsUser", of(own, "runAsUser") === 0],
				["seccompProfile", !isSafeProfile(of(own, "seccompProfile"))],
				["capabilities", !drop?.includes("ALL") || add.some((name) => name !== "NET_BIND_SERVICE")],
			] as const;
		}),
	];
	return found.filter(([, isFound]) => isFound).map(([name]) => name);
}

/** The pods of manifests of any kind that has some. */
function podsIn(manifests: readonly Manifest[]): PodSpec[] {
	const jobs = manifests.flatMap((each) => (each.kind === "JobSet" ? jobsOf(each) : [each]));
	return jobs.flatMap(({ spec }) => {
		const { template } = (spec ?? {}) as { template?: { spec: PodSpec } };
		return template === undefined ? [] : [template.spec];
	});
}

describe("pods", () => {
	const texts = ["job.yaml", "jobset.yaml", "service.yaml"].map((name) => readFileSync(join(here, name), "utf8"));
	texts.push(
		printed("--image", "lab/x:1"),
		printed("--image", "lab/x:1", "--jobset", "--memory", "1G", "--claim", "c"),
	);

	it("pass the restricted level of Pod Security, with a root that nobody writes to", () => {
		const pods = texts.flatMap((text) => podsIn(documents(text)));
		expect(pods.map(unrestricted)).toEqual([[], [], [], [], []]);
		for (const { containers } of pods)
			for (const { securityContext } of containers) expect(securityContext?.readOnlyRootFilesystem).toBe(true);
	});

	it("would not pass without one of its words", () => {
		const [pod] = podsIn(documents(texts[0] ?? ""));
		const without = (from: string, to: string) => unrestricted(JSON.parse(JSON.stringify(pod).replace(from, to)));
		expect(without('"allowPrivilegeEscalation":false', '"privileged":true')).toEqual([
			"privileged",
			"allowPrivilegeEscalation",
		]);
		expect(without('"drop":["ALL"]', '"add":["SYS_PTRACE"]')).toEqual(["capabilities"]);
		expect(without('"RuntimeDefault"', '"Unconfined"')).toEqual(["seccompProfile"]);
		expect(without('"runAsNonRoot":true', '"runAsUser":0')).toEqual(["runAsNonRoot"]);
		expect(without('"emptyDir"', '"hostPath"')).toEqual(["volume hostPath"]);
	});
});

describe("manifests", () => {
	it("of this folder are what the command prints", async () => {
		for (const [name, text] of await generated()) expect(readFileSync(join(here, name), "utf8"), name).toBe(text);
	});

	it("of this folder are valid", () => {
		const all = ["job.yaml", "jobset.yaml", "claim.yaml", "service.yaml"].flatMap((name) =>
			documents(readFileSync(join(here, name), "utf8")),
		);
		expect(all.map(({ kind }) => kind)).toEqual([
			"Secret",
			"Service",
			"Job",
			"Secret",
			"JobSet",
			"PersistentVolumeClaim",
			"Service",
			"Deployment",
		]);
		expect(all.map(invalid).join("")).toBe("");
		expect(mistyped(all)).toBe("");
	});

	it("of other options are valid", () => {
		const size = ["--nodes", "2", "--ranks-per-node", "3"];
		const some = [
			["--image", "lab.example/stickslip:1"],
			[
				...size,
				"--claim",
				"data",
				"--image",
				"lab.example/stickslip:1",
				"--time",
				"90m",
				"--memory",
				"1536M",
				"--metrics",
				"0.0.0.0:9464",
				"--namespace",
				"lab",
				"--no-capsule",
			],
			[
				...size,
				"--jobset",
				"--image",
				"lab.example/stickslip:1",
				"--listen",
				"10.0.0.0/8",
				"--wait",
				"30",
				"--time",
				"2h",
			],
		];
		const all = some.flatMap((words) => documents(printed(...words)));
		expect(all.map(invalid).join("")).toBe("");
		expect(mistyped(all)).toBe("");
	});
});
