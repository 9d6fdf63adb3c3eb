/** A process of COUNT strangers [of a KIND] on a host: it reads a line of ADDRESS:PORT..., and says what they came to when its standard input ends. */
import { createInterface } from "node:readline";
import { STRANGER_KINDS, type Strangers, sendStrangers } from "../testing.js";

const [, , count, kind] = process.argv;
const kinds = STRANGER_KINDS.filter((each) => kind === undefined || each === kind);
let crowds: readonly Strangers[] = [];

console.log("here");
for await (const line of createInterface(process.stdin)) {
	const places = line.split(" ").filter((place) => place !== "");
	const each = Math.ceil(Number(count) / Math.max(1, places.length));
	crowds = places.map((place) => {
		const [, host = "", port = ""] = /^(.*):(\d+)$/.exec(place) ?? [];
		return sendStrangers({ host: host.replace(/^\[|\]$/g, ""), port: Number(port), count: each, kinds });
	});
}
const sum = (name: "connected" | "sentAway") => crowds.reduce((all, crowd) => all + crowd[name], 0);
for (const crowd of crowds) crowd.stop();
if (crowds.length > 0) console.log(`${sum("connected")} connections, ${sum("sentAway")} sent away`);
process.exit(0);
