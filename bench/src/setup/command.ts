/** The whole command, cold: `stickslip solve` of a file of 3,000 contacts, and how much of it is what, as a process of its own finds out. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { load } from "@stickslip/cluster-runner";
import { solve } from "@stickslip/core";
import { program } from "../launch/subject.js";

const CONTACTS = 3000;
/** In the order in which they come; whole is all of the command, and rest what is not told apart: parsing, printing, the end. */
export const COMMAND_PHASES = ["whole", "node", "modules", "read", "solve", "rest"] as const;
export type CommandTimes = Record<(typeof COMMAND_PHASES)[number], number>;

const child = fileURLToPath(new URL("child.js", import.meta.url));

function milliseconds(work: () => void): number {
	const start = performance.now();
	work();
	return performance.now() - start;
}

const run = (...args: string[]): string =>
	execFileSync(process.execPath, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });

/** Milliseconds of a process that reads and solves as the command does, by part. */
export async function partsOfCommand(path: string): Promise<Pick<CommandTimes, "read" | "solve">> {
	const start = performance.now();
	const { problem } = await load(path, basename(path));
	const read = performance.now();
	solve(problem, { tolerance: 1e-3 });
	return { read: read - start, solve: performance.now() - read };
}

/** The least of several runs, each part by itself: a machine that does other things only adds. */
export function commandTimes(runs: number): CommandTimes {
	const folder = mkdtempSync(join(tmpdir(), "stickslip-bench-"));
	const file = join(folder, "spheres.hdf5");
	const least = Object.fromEntries(COMMAND_PHASES.map((phase) => [phase, Number.POSITIVE_INFINITY])) as CommandTimes;
	const offer = (phase: keyof CommandTimes, time: number): void => {
		least[phase] = Math.min(least[phase], time);
	};
	try {
		run(program, "generate", "spheres", "--contacts", String(CONTACTS), "--seed", "3", "--output", file);
		for (let i = 0; i < runs; i += 1) {
			offer(
				"whole",
				milliseconds(() => run(program, "solve", file, "--tolerance", "1e-3", "--ranks", "1")),
			);
			offer(
				"node",
				milliseconds(() => run("--eval", "0")),
			);
			offer(
				"modules",
				milliseconds(() => run(program, "--version")),
			);
			const parts = JSON.parse(run(child, "command", file)) as Awaited<ReturnType<typeof partsOfCommand>>;
			for (const phase of ["read", "solve"] as const) offer(phase, parts[phase]);
		}
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
	least.modules -= least.node;
	least.rest = least.whole - least.node - least.modules - least.read - least.solve;
	return least;
}
