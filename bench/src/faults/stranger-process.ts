/** A process of COUNT strangers on a host: it reads a line of ADDRESS:PORT..., and says what they came to when its standard input ends. */
import { createInterface } from "node:readline";
import { type Strangers, sendStrangers } from "@stickslip/cluster-runner/testing";

const count = Number(process.argv[2]);
let crowds: readonly Strangers[] = [];

console.log("here");
for await (const line of createInterface(process.stdin)) {
	const places = line.split(" ").filter((place) => place !== "");
	const each = Math.ceil(count / Math.max(1, places.length));
	crowds = places.map((place) => {
		const [, host = "", port = ""] = /^(.*):(\d+)$/.exec(place) ?? [];
		return sendStrangers({ host: host.replace(/^\[|\]$/g, ""), port: Number(port), count: each });
	});
}
const sum = (name: "connected" | "sentAway") => crowds.reduce((all, crowd) => all + crowd[name], 0);
for (const crowd of crowds) crowd.stop();
if (crowds.length > 0) console.log(`${sum("connected")} connections, ${sum("sentAway")} sent away`);
process.exit(0);
