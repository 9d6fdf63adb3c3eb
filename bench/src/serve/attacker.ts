/**
 * A process that means harm: KIND CONNECTION COUNT SEED. `malformed` sends so many malformed messages, half over each transport; `connections` holds so many that
 * are silent, half open or slow, half at each port, until its standard input ends. Says when it begins, and then what came of it.
 */
import { readFileSync } from "node:fs";
import { sendMalformed, sendStrangers } from "../testing.js";

const [kind, connection = "", count, seed] = process.argv.slice(2);
const details = JSON.parse(readFileSync(connection, "utf8"));
const half = Math.ceil(Number(count) / 2);
const inputEnd = new Promise((resolve) => process.stdin.on("end", resolve).resume());
const transports = ["zeromq", "websocket"] as const;
const PER_SECOND = 500;

/** Of ZeroMQ and of WebSocket those that hold a connection, and say little or nothing. */
const QUIET = {
	zeromq: ["silent", "half-greeting", "large-part", "wrong-key"],
	websocket: ["ws-silent", "ws-half-request", "ws-slow-request", "ws-no-hello", "ws-slow-message"],
} as const;

console.log("here");
if (kind === "malformed") {
	const settings = { details, count: half, seed: Number(seed), perSecond: PER_SECOND };
	const reports = await Promise.all(transports.map((transport) => sendMalformed({ ...settings, transport })));
	const connections = reports.reduce((all, report) => all + report.connections, 0);
	console.log(`${reports.reduce((all, { sent }) => all + sent, 0)} sent over ${connections} connections`);
} else {
	const crowds = transports.map((transport) => {
		const port = Number(/:(\d+)$/.exec(details[transport])?.[1]);
		return sendStrangers({ port, count: half, kinds: QUIET[transport], seconds: 300 });
	});
	await inputEnd;
	for (const crowd of crowds) crowd.stop();
	const sum = (name: "connected" | "sentAway") => crowds.reduce((all, crowd) => all + crowd[name], 0);
	console.log(`${sum("connected")} came, ${sum("sentAway")} sent away`);
}
process.exit(0);
