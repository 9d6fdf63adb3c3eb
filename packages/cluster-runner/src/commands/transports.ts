/** The checks of `doctor` for ranks: cores and pinning, what each transport requires, and a solve on two ranks over each. */
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { cores, findMpi, findMpirun } from "@stickslip/comm";
import type { Problem } from "@stickslip/core";
import { messageOf } from "../base/errors.js";
import { counted, duration, small } from "../base/format.js";
import { isJoined, TRANSPORTS, type Transport, transports } from "../base/transports.js";
import { solveRanks } from "../solve/solve-ranks.js";
import type { Finding } from "./doctor.js";

/** A problem and its answer. */
export interface Known {
	readonly problem: Problem;
	readonly answer: readonly number[];
}

/** On a sound machine a trial takes less than a second. */
const PATIENCE_SECONDS = 20;
const PIN_MS_MAX = 10_000;

export function coresFinding(): Finding {
	const available = cores();
	const found = `${available.length} usable; ${canPin() ? "ranks are pinned to them" : "ranks cannot be pinned"}`;
	return { what: "cores", state: "ok", found, remedy: "" };
}

/** Tried in a process of its own, since a thread pinned to one core no longer sees the others. */
function canPin(): boolean {
	const code = `const { cores, pin } = await import(${JSON.stringify(import.meta.resolve("@stickslip/comm"))}); process.exit(pin(cores()[0]) ? 0 : 1);`;
	const { status } = spawnSync(process.execPath, ["--input-type=module", "--eval", code], { timeout: PIN_MS_MAX });
	return status === 0;
}

export async function transportFindings(known: Known): Promise<Finding[]> {
	const findings: Finding[] = [];
	for (const name of TRANSPORTS) {
		const { wire, needsMpi } = transports[name];
		// A joined transport works if its parts do.
		if (isJoined(name)) continue;
		if (needsMpi) findings.push(await mpi(name, known));
		else findings.push(await trial(name, wire === "zeromq" ? zeromqVersion() : "", known));
	}
	return findings;
}

function zeromqVersion(): string {
	const { version }: { version: string } = createRequire(import.meta.url)("zeromq/package.json");
	return `npm package ${version}`;
}

/** MPI belongs to the site: it is not an error if it is missing. */
async function mpi(what: Transport, known: Known): Promise<Finding> {
	try {
		const library = findMpi();
		if (library === undefined) {
			return {
				what,
				state: "ok",
				found: "not installed",
				remedy: `needed for --transport ${what} only: openmpi-bin or mpich`,
			};
		}
		const name = `${library.kind} ${library.version}`;
		if (findMpirun(library.kind) !== undefined) return await trial(what, name, known);
		return {
			what,
			state: "optional",
			found: `${name}, no mpirun of it on the path`,
			remedy: `--transport ${what} needs it`,
		};
	} catch (error) {
		const found = messageOf(error);
		return { what, state: "optional", found: found, remedy: `--transport ${what} does not work` };
	}
}

async function trial(transport: Transport, of: string, { problem, answer }: Known): Promise<Finding> {
	const what = transport;
	const remedy = `--transport ${transport} does not work; use another one`;
	const prefix = of === "" ? "" : `${of}; `;
	const startedAt = performance.now();
	try {
		const options = { ranks: 2, transport, tolerance: 1e-10, patience: PATIENCE_SECONDS } as const;
		const { reaction, report } = await solveRanks(problem, options);
		const off = answer.reduce((most, value, index) => Math.max(most, Math.abs((reaction[index] ?? NaN) - value)), 0);
		const right = report.status === "solved" && off < 1e-8;
		const seconds = (performance.now() - startedAt) / 1000;
		const found = `${prefix}${counted(2, "rank")}: ${report.status}, off by ${small(off)}, in ${duration(seconds)} with its start`;
		return { what, state: right ? "ok" : "slower", found, remedy: right ? "" : remedy };
	} catch (error) {
		const found = `${prefix}fails (${messageOf(error)})`;
		return { what, state: "slower", found, remedy };
	}
}
