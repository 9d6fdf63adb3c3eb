/** What a client and a rank that are killed cost: the place of the client, and the requests that the rank was at. */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { connect, ServiceError } from "@stickslip/client";
import { generate } from "@stickslip/core";
import { Bed, pause, until } from "../testing.js";
import { row, type ServeRow } from "./row.js";
import { type ServiceProcess, startServiceProcess } from "./service.js";

const PLACES = 16;
const FREE_SECONDS_MAX = 1;
const PATIENCE_SECONDS = 30;
const script = fileURLToPath(new URL("../../dist/serve/greedy-client.js", import.meta.url));

/** A client has all of its places taken, by solves without an end, and is killed: until when another process of the same client is let in. */
export async function killClient(words: readonly string[], rounds: number): Promise<ServeRow[]> {
	const bed = new Bed();
	try {
		const service = await startServiceProcess(bed, ["one"], [...words, "--limit-requests", String(PLACES)]);
		const rows: ServeRow[] = [];
		for (const transport of ["zeromq", "websocket"] as const) {
			const seconds: number[] = [];
			for (let round = 0; round < rounds; round += 1) seconds.push(await freedIn(bed, service, transport));
			const most = Math.max(...seconds);
			const limit = { text: `at most ${FREE_SECONDS_MAX}`, isHeld: most <= FREE_SECONDS_MAX };
			rows.push(
				row("kill-client", `${transport}: seconds until its places are free, least of ${rounds}`, Math.min(...seconds)),
			);
			rows.push(row("kill-client", `${transport}: the most`, most, limit));
		}
		return rows;
	} finally {
		await bed.close();
	}
}

async function freedIn(bed: Bed, service: ServiceProcess, transport: "zeromq" | "websocket"): Promise<number> {
	const connection = service.clients.one!;
	const greedy = bed.start(process.execPath, [script, connection, String(PLACES), transport]);
	const client = await connect(connection, { transport });
	const problem = generate("spheres", { contacts: 10 });
	/** Answered; or why not: too-many where there is no place, deadline where there is one behind solves without an end. */
	const outcome = () =>
		client.solve(problem, { deadline: 0.5 }).then(
			() => "answered",
			(error: unknown) => {
				if (error instanceof ServiceError) return error.code;
				throw error;
			},
		);
	const limit = { seconds: PATIENCE_SECONDS };
	try {
		await until("all places are taken", () => greedy.out().includes("taken"), limit);
		const before = await outcome();
		if (before !== "too-many") throw new Error(`there is no limit on requests: ${before}`);
		const killed = performance.now();
		greedy.signal("SIGKILL");
		await until("a place is free", async () => (await outcome()) === "answered", { ...limit, every: 0.005 });
		return (performance.now() - killed) / 1000;
	} finally {
		greedy.signal("SIGKILL");
		await client.close();
	}
}

/** While clients are at it: the process of a rank is killed, some times. Whether their requests are answered, they know. */
export async function killRanks(service: ServiceProcess, kills: number, secondsBetween: number): Promise<ServeRow[]> {
	let killed = 0;
	for (let k = 0; k < kills; k += 1) {
		await pause(secondsBetween);
		const victim = rankProcesses(service).at(-1);
		if (victim === undefined) continue;
		process.kill(victim, "SIGKILL");
		killed += 1;
	}
	return [row("kill-rank", "ranks that were killed", killed, { text: `all of ${kills}`, isHeld: killed === kills })];
}

function rankProcesses(service: ServiceProcess): number[] {
	return service.pids().filter((pid) => {
		try {
			return /process\.js/.test(readFileSync(`/proc/${pid}/cmdline`, "latin1"));
		} catch {
			// It has ended meanwhile.
			return false;
		}
	});
}
