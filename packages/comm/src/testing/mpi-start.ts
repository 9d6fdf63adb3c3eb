/** Starts processes under mpirun for tests, and ends them with the test, whatever happens. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MpiKind } from "../mpi/launched.js";
import { findMpi } from "../mpi/library.js";
import { findMpirun, type Mpirun, mpirunCall } from "../mpi/mpirun.js";
import { COLLECTING } from "./memory.js";
import type { Outcome, Run } from "./outcome.js";

/** The launcher of a kind whose library is there too, or why tests on it cannot run. */
export function installed(kind: MpiKind): Mpirun | { readonly absent: string } {
	const advice = `on Debian: apt install ${kind === "openmpi" ? "openmpi-bin" : "mpich"}`;
	try {
		findMpi({ PATH: process.env.PATH, STICKSLIP_MPI: kind });
	} catch (error) {
		return { absent: error instanceof Error ? error.message : String(error) };
	}
	return findMpirun(kind) ?? { absent: `no mpirun of ${kind} is on the path; ${advice}` };
}

export interface Started {
	readonly child: ChildProcess;
	/** Resolves with what mpirun and its ranks printed, once all are gone. */
	readonly ended: Promise<{ readonly code: number | null; readonly output: string }>;
	/** Ends mpirun, which ends its ranks. */
	end(): Promise<void>;
}

export function startMpi(mpirun: Mpirun, ranks: number, program: readonly string[], more = {}): Started {
	const given = { ...process.env, ...more };
	const { command, args, env } = mpirunCall(mpirun, ranks, [process.execPath, COLLECTING, ...program], given);
	const child = spawn(command, args, { env, stdio: ["ignore", "pipe", "pipe"] });
	let output = "";
	const keep = (chunk: Buffer) => {
		output += chunk.toString();
	};
	child.stdout.on("data", keep);
	child.stderr.on("data", keep);
	const ended = once(child, "close").then(([code]) => ({ code: code as number | null, output }));
	const end = async () => {
		if (child.exitCode !== null || child.signalCode !== null) return;
		child.kill("SIGTERM");
		// A launcher that does not listen is not waited for: its ranks notice that it is gone.
		const timer = setTimeout(() => child.kill("SIGKILL"), 5000);
		await ended;
		clearTimeout(timer);
	};
	return { child, ended, end };
}

/** Runs conformance programs, one after the other: outcomes by run and rank. A rank that left none has what was printed instead. */
export async function runMpi(
	mpirun: Mpirun,
	file: string,
	runs: readonly Run[],
	{ seconds, processes, env }: { readonly seconds: number; readonly processes: number; readonly env?: object },
): Promise<Outcome[][]> {
	const folder = mkdtempSync(join(tmpdir(), "stickslip-mpi-"));
	writeFileSync(join(folder, "runs.json"), JSON.stringify(runs));
	const started = startMpi(mpirun, processes, [file, folder], env);
	const timer = setTimeout(() => started.end(), 1000 * seconds);
	try {
		const { code, output } = await started.ended;
		const silent: Outcome = { ok: false, message: `no outcome; mpirun ended with ${code}: ${output}` };
		const left = Array.from({ length: runs[0]?.size ?? 0 }, (_, rank) => {
			const path = join(folder, `outcomes-${rank}.json`);
			return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Outcome[]) : [];
		});
		return runs.map((_, index) => left.map((outcomes) => outcomes[index] ?? silent));
	} finally {
		clearTimeout(timer);
		await started.end();
		rmSync(folder, { recursive: true, force: true });
	}
}
