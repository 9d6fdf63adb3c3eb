/** A thread of the bench `pool` that has its problems already: it solves them when it is told to, and says when it has. */
import { parentPort, workerData } from "node:worker_threads";
import { solve } from "@stickslip/core";
import { OPTIONS, problemsOf } from "./problems.js";

const { kind, count, part, parts } = workerData as { kind: string; count: number; part: number; parts: number };
const own = problemsOf(kind, count).filter((_, at) => at % parts === part);
parentPort?.on("message", () => {
	for (const problem of own) solve(problem, OPTIONS);
	parentPort?.postMessage("done");
});
parentPort?.postMessage("ready");
