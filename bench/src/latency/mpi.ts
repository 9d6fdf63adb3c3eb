/**
 * Two ranks over the MPI that is installed: the communicator of this program, called from JavaScript, against the same operations in C. Each side is a run
 * of its own under mpirun, since ranks that wait for their turn inside MPI would spin; the runs take turns.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findMpi, findMpirun, type MpiKind, type Mpirun, mpirunCall } from "@stickslip/comm";
import { type Times, timesOf } from "../kernels/windows.js";

export interface MpiEffort {
	readonly rounds: number;
	readonly windowMs: number;
}

/** Times are nanoseconds. */
export interface MpiRow {
	readonly what: string;
	readonly bytes: number;
	readonly ours: Times;
	/** Absent where there is no compiler for this MPI. */
	readonly c?: Times;
}

/** Runs of each side, at most; each has its share of the windows. */
const RUNS_MAX = 5;
const RUN_SECONDS_MAX = 60;
/** A window is measured in so many parts, which are windows of their own: on a busy machine only short ones are undisturbed. */
const PARTS = 20;

/** Found from dist/, where this file runs, and from src/ alike. */
const source = fileURLToPath(new URL("../../src/latency/mpi.c", import.meta.url));
const rankFile = fileURLToPath(new URL("../../dist/latency/mpi-rank.js", import.meta.url));

/** The rows of one kind of MPI, and why there is no C beside them, or nothing at all. */
export async function mpiLatency(
	kind: MpiKind,
	{ rounds, windowMs }: MpiEffort,
): Promise<{
	readonly rows: readonly MpiRow[];
	readonly absent?: string;
}> {
	const mpirun = installed(kind);
	if (typeof mpirun === "string") return { rows: [], absent: mpirun };
	const folder = mkdtempSync(join(tmpdir(), "stickslip-latency-"));
	try {
		const built = compile(kind, folder);
		const runs = Math.min(RUNS_MAX, rounds);
		const args = [String(PARTS * Math.ceil(rounds / runs)), String(windowMs / PARTS)];
		const ours = new Map<string, number[]>();
		const c = new Map<string, number[]>();
		for (let run = 0; run < runs; run += 1) {
			await gather(mpirun, [process.execPath, rankFile, "latency-rank", ...args], ours);
			if (typeof built !== "string") await gather(mpirun, [built.program, ...args], c);
		}
		const rows = [...ours].map(([key, all]): MpiRow => {
			const [what = "", bytes] = key.split(" ");
			const row = { what: what.replace("-", " "), bytes: Number(bytes), ours: timesOf(all) };
			const theirs = c.get(key);
			return theirs === undefined ? row : { ...row, c: timesOf(theirs) };
		});
		return typeof built === "string" ? { rows, absent: built } : { rows };
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

function installed(kind: MpiKind): Mpirun | string {
	const advice = `on Debian: apt install ${kind === "openmpi" ? "openmpi-bin" : "mpich"}`;
	try {
		findMpi({ PATH: process.env.PATH, STICKSLIP_MPI: kind });
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
	return findMpirun(kind) ?? `no mpirun of ${kind} is on the path; ${advice}`;
}

function compile(kind: MpiKind, folder: string): { readonly program: string } | string {
	const program = join(folder, "mpi");
	const compiler = `mpicc.${kind}`;
	const { status, stderr, error } = spawnSync(compiler, ["-O2", source, "-o", program], { encoding: "utf8" });
	if (error !== undefined)
		return `no ${compiler}; on Debian: apt install ${kind === "openmpi" ? "libopenmpi-dev" : "libmpich-dev"}`;
	if (status !== 0) return `${compiler} does not compile mpi.c: ${stderr.split("\n")[0] ?? ""}`;
	return { program };
}

/** Adds a run's windows, by kind and bytes. */
async function gather(mpirun: Mpirun, program: readonly string[], into: Map<string, number[]>): Promise<void> {
	const { command, args, env } = mpirunCall(mpirun, 2, program);
	const child = spawn(command, args, { env, stdio: ["ignore", "pipe", "inherit"] });
	const timer = setTimeout(() => child.kill("SIGTERM"), 1000 * RUN_SECONDS_MAX);
	let output = "";
	child.stdout.on("data", (chunk: Buffer) => {
		output += chunk.toString();
	});
	const [code] = (await once(child, "close")) as [number | null];
	clearTimeout(timer);
	if (code !== 0) throw new Error(`${command} ended with ${code}; its error is above`);
	for (const text of output.split("\n")) {
		const [, key, nanoseconds] = /^(\S+ \d+) ([\d.]+)$/.exec(text) ?? [];
		if (key === undefined) continue;
		into.set(key, [...(into.get(key) ?? []), Number(nanoseconds)]);
	}
}
