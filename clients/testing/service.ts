/** What tests of clients in other languages need: a service of their own, and a problem as raw arrays whose answer is known. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { assembleRigid, generate, type Problem, solve } from "@stickslip/core";
import { type Bed, type Running, until } from "../../packages/cluster-runner/src/testing/index.js";

const program = fileURLToPath(new URL("../../packages/cluster-runner/bin/stickslip.mjs", import.meta.url));

export interface TestService {
	readonly process: Running;
	/** Of its ZeroMQ socket. */
	readonly address: string;
	/** The connection file of its client. */
	readonly file: string;
}

/** A service with keys of its own; `address` is that of one that was there before, and has its keys. `more` are other words of its line. */
export async function startService(
	bed: Bed,
	address = "tcp://127.0.0.1:0",
	...more: readonly string[]
): Promise<TestService> {
	const other = more.includes("--websocket") ? more : ["--websocket", "none", ...more];
	const words = ["serve", "--listen", address, "--keys", join(bed.folder, "keys"), "--json", ...other];
	const running = bed.start(process.execPath, [program, ...words]);
	await until("the service is up", () => running.out().includes("\n") || running.child.exitCode !== null, {
		seconds: 30,
	});
	if (!running.out().includes("\n")) throw new Error(`the service did not start: ${running.err()}`);
	const { zeromq, clients } = JSON.parse(running.out()) as { zeromq: string; clients: { default: string } };
	return { process: running, address: zeromq, file: clients.default };
}

/** Writes the arrays of a problem with a formed W to a folder, and the hash of its answer. */
export function storeProblem(folder: string, contacts: number): Problem {
	const { rigid, q, mu } = generate("spheres", { contacts, seed: 3 });
	const problem: Problem = { name: "stored", contacts: mu.length, q, mu, W: assembleRigid(rigid!) };
	const { rowStart, column, values } = problem.W!;
	mkdirSync(folder, { recursive: true });
	const arrays = { "q.f64": q, "mu.f64": mu, "rowStart.i32": rowStart, "column.i32": column, "values.f64": values };
	for (const [name, { buffer, byteOffset, byteLength }] of Object.entries(arrays)) {
		writeFileSync(join(folder, name), new Uint8Array(buffer, byteOffset, byteLength));
	}
	writeFileSync(join(folder, "hash"), solve(problem).report.hash);
	return problem;
}
