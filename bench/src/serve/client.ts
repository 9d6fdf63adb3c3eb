/**
 * A client process: CONNECTION PROBLEMS REQUESTS SECONDS UNDER_WAY local|curve|websocket. Sends the problems of the file in turn, so many at a time, until it has sent
 * so many or the seconds are over, and compares each answer with the known one. Prints what came of them as JSON.
 */
import { readFileSync } from "node:fs";
import { connect } from "@stickslip/client";
import { readProblems } from "./problems.js";

const [connection = "", file = "", requests, seconds, underWay, transport] = process.argv.slice(2);
const known = readProblems(file);
const { local, ...details } = JSON.parse(readFileSync(connection, "utf8"));
const client = await connect(transport === "local" ? { ...details, local } : details, {
	transport: transport === "websocket" ? "websocket" : "zeromq",
	retry: 120,
});
const until = performance.now() + 1000 * Number(seconds);
const counts = { sent: 0, right: 0, wrong: 0, failed: 0 };

async function work(): Promise<void> {
	while (counts.sent < Number(requests) && performance.now() < until) {
		const { problem, reaction, hash } = known[counts.sent % known.length]!;
		counts.sent += 1;
		try {
			const answer = await client.solve(problem);
			const isRight = answer.report.hash === hash && reaction.every((value, k) => value === answer.reaction[k]);
			counts[isRight ? "right" : "wrong"] += 1;
		} catch (error) {
			counts.failed += 1;
			console.error(String(error));
		}
	}
}

await Promise.all(Array.from({ length: Number(underWay) }, work));
await client.close();
console.log(JSON.stringify(counts));
