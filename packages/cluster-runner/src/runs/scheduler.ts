/** Cancels a job of a scheduler, by the scheduler's command. */
import { spawnSync } from "node:child_process";
import { InputError } from "@stickslip/core";
import { codeOf } from "../base/errors.js";
import { oneLine } from "../base/format.js";
import type { SchedulerJob } from "./state.js";

const PATIENCE_MS = 30_000;

/**
 * The command that cancels it. A running job of Kubernetes is asked to end, and has its grace period for a checkpoint; what was created for it is deleted
 * with it, also the run's key.
 */
export function cancelWords({ scheduler, id, namespace }: SchedulerJob): readonly [string, ...string[]] {
	if (scheduler === "slurm") return ["scancel", id];
	const where = namespace === undefined ? [] : ["--namespace", namespace];
	const [kind = "", name] = id.split("/");
	// A JobSet makes and removes its service itself.
	const kinds = kind === "jobset" ? ["secret"] : ["service", "secret"];
	const others = name === undefined ? [] : kinds.map((other) => `${other}/${name}`);
	return ["kubectl", "delete", id, ...others, "--ignore-not-found", "--wait=false", ...where];
}

export function cancelJob(job: SchedulerJob): void {
	const [program, ...words] = cancelWords(job);
	const refuse = (problem: string): never => {
		throw new InputError(program, job.id, problem, `try "${[program, ...words].join(" ")}" yourself`);
	};
	const { error, status, stderr } = spawnSync(program, words, { encoding: "utf8", timeout: PATIENCE_MS });
	if (codeOf(error) === "ENOENT") refuse("is not installed on this machine");
	if (error !== undefined) refuse(`does not answer (${codeOf(error) ?? error.message})`);
	if (status !== 0) refuse(oneLine(stderr).trim() || `ended with exit code ${status}`);
}
