/** Siconos where it is installed: siconos.c compiled against it, run on one core, its lines read. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** What one configuration did at one tolerance, as siconos.c prints it. */
export interface Attempt {
	readonly config: string;
	readonly tolerance: number;
	/** limit: no answer in time; slower: cut short against the best so far; wrong: an answer that is not one; crash. */
	readonly outcome: "solved" | "wrong" | "limit" | "slower" | "crash";
	readonly seconds?: number;
	readonly secondsFirst?: number;
	readonly iterations?: number;
	readonly repeats?: number;
	readonly info?: number;
	/** Its own tolerance over the wanted one. */
	readonly strictness?: number;
	/** The reaction of a solved one. */
	readonly file?: string;
}

export interface Limits {
	readonly limitSeconds: number;
	readonly budgetSeconds: number;
	readonly config?: string;
}

/** The C source, found from dist/, where this file runs, and from src/ alike. */
const source = fileURLToPath(new URL("../../src/siconos/siconos.c", import.meta.url));
const include = "/usr/include/siconos";

/** Compiles siconos.c into the folder; returns the program, or the reason why there is none. */
export function build(folder: string): Built {
	return buildProgram(source, join(folder, "siconos"));
}

type Built = { readonly program: string } | { readonly absent: string };

/** Compiles a program against Siconos. */
export function buildProgram(source: string, program: string): Built {
	if (!existsSync(include)) {
		return { absent: `no ${include}; on Debian: apt install libsiconos-numerics-dev gcc` };
	}
	const includes = [include, `${include}/numerics`, "/usr/include/suitesparse"].flatMap((path) => ["-isystem", path]);
	const flags = ["-O2", "-std=gnu11", ...includes, source, "-o", program, "-lsiconos_numerics", "-lm"];
	const { status, stderr, error } = spawnSync("gcc", flags, { encoding: "utf8" });
	if (error !== undefined)
		return { absent: "no gcc to compile its side of the bench with; on Debian: apt install gcc" };
	if (status !== 0) return { absent: `its side of the bench does not compile: ${stderr.split("\n")[0] ?? ""}` };
	return { program };
}

/** The last core, away from what the system likes to run on the first; nothing where there is no taskset. */
export function pinned(command: readonly string[]): [string, string[]] {
	const core = String(availableParallelism() - 1);
	const words = spawnSync("taskset", ["-c", core, "true"]).status === 0 ? ["taskset", "-c", core, ...command] : command;
	return [words[0] ?? "", words.slice(1)];
}

/** All configurations (or one) on a problem file at the tolerances, loose to strict. Answers stay in the folder. */
export async function attempts(
	program: string,
	problem: string,
	folder: string,
	tolerances: readonly number[],
	limits: Limits,
): Promise<Attempt[]> {
	const options = tolerances.flatMap((tolerance) => ["--tolerance", String(tolerance)]);
	options.push("--limit", String(limits.limitSeconds), "--budget", String(limits.budgetSeconds));
	if (limits.config !== undefined) options.push("--config", limits.config, "--all");
	const [command, words] = pinned([program, problem, folder, ...options]);
	// One thread each side: the BLAS below Siconos would start more.
	const env = { ...process.env, OPENBLAS_NUM_THREADS: "1", OMP_NUM_THREADS: "1" };
	const child = spawn(command, words, { env, stdio: ["ignore", "pipe", "inherit"] });
	const ended = new Promise<number | null>((resolve, reject) => child.on("close", resolve).on("error", reject));
	const found: Attempt[] = [];
	for await (const line of createInterface(child.stdout)) found.push(JSON.parse(line) as Attempt);
	const code = await ended;
	if (code !== 0) throw new Error(`siconos ended with ${code}`);
	return found;
}
