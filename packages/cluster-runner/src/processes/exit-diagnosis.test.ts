/** The diagnosis of a process that ended, from its output and that of its launcher. */
import type { ChildProcess } from "node:child_process";
import { describe, expect, it } from "vitest";
import { diagnoseExit } from "./exit-diagnosis.js";

const child = {} as ChildProcess;
const killed = { code: null, signal: "SIGKILL" } as const;
const exit = (code: number) => ({ code, signal: null });

describe("the diagnosis of an exit", () => {
	it("on a process of its own is its end", () => {
		const of = (output: string, end: typeof killed | ReturnType<typeof exit>) =>
			diagnoseExit({ process: 2, child, output }, end, []);
		expect(of("", killed)).toEqual({ process: 2, reason: "was lost (killed by SIGKILL)" });
		expect(of("", exit(7))).toEqual({ process: 2, reason: "was lost (exit code 7)" });
		const crash = "node:internal/modules\n\nError: Cannot find module 'x'\n    at f (y:1)\n\nNode.js v20.20.2\n";
		expect(of(crash, exit(1)).reason).toBe("was lost (exit code 1: Error: Cannot find module 'x')");
		expect(of("spawn mpirun ENOENT", { code: null, signal: null } as never).reason).toBe(
			"was lost (exit code unknown: spawn mpirun ENOENT)",
		);
	});

	it("on a launcher names the rank that it names: Open MPI by number, MPICH by process id", () => {
		const of = (output: string) => diagnoseExit({ process: undefined, child, output }, exit(137), [41, undefined, 43]);
		const open = "mpirun noticed that process rank 2 with PID 0 on node n exited on signal 9 (Killed).";
		expect(of(open)).toEqual({ process: 2, reason: "was lost (killed by SIGKILL)" });
		const mpich =
			"=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES\n=   PID 43 RUNNING AT n\n=   EXIT CODE: 11\n=   CLEANING UP";
		expect(of(mpich)).toEqual({ process: 2, reason: "was lost (killed by SIGSEGV)" });
		expect(of(mpich.replace("43", "99"))).toMatchObject({ process: -1 });
		expect(of("There are not enough slots\n-----\n")).toEqual({
			process: -1,
			reason: "mpirun ended before its ranks did (exit code 137: There are not enough slots)",
		});
	});
});
