/** One case with the packages of one revision, in a process of its own: tells its hash when it is ready, and a number each time it is asked. */
import { cases, packagesIn } from "./cases.js";

const [, , root = "", name = "", size = "1"] = process.argv;

export interface RevisionMessage {
	readonly ready?: true;
	readonly hash?: string;
	readonly value?: number;
	readonly error?: string;
}

/** Whoever asked may be gone. */
const tell = (message: RevisionMessage) => process.send!(message, () => {});

try {
	const found = cases.find((each) => each.name === name);
	if (found === undefined) throw new Error(`there is no case ${name}`);
	const opened = await found.open(packagesIn(root), Number(size));
	process.on("message", async (word) => {
		try {
			if (word === "sample") tell({ value: await opened.sample() });
			else await opened.close?.();
		} catch (error) {
			tell({ error: String(error) });
		}
		if (word !== "sample") process.disconnect();
	});
	tell({ ready: true, ...(opened.hash !== undefined && { hash: opened.hash }) });
} catch (error) {
	tell({ error: error instanceof Error ? error.message : String(error) });
	process.disconnect();
}
