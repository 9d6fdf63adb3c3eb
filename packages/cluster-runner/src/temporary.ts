/** A folder for what has to be a file on its way through a pipe. It is gone afterwards, also after Ctrl-C. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Exit codes of programs that a signal ends: 128 and its number. */
const signals = { SIGINT: 130, SIGTERM: 143 } as const;

export async function withTemporaryFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
	const folder = mkdtempSync(join(tmpdir(), "stickslip-"));
	const remove = () => rmSync(folder, { recursive: true, force: true });
	const stop = (signal: NodeJS.Signals) => {
		remove();
		process.exit(signal === "SIGTERM" ? signals.SIGTERM : signals.SIGINT);
	};
	for (const signal of Object.keys(signals)) process.on(signal, stop);
	try {
		return await use(folder);
	} finally {
		for (const signal of Object.keys(signals)) process.off(signal, stop);
		remove();
	}
}
