/** A temporary folder for data from or for a pipe. It is removed afterwards, also after a signal or a crash. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeStaleFolders, removingOnSignals, temporaryFolderPrefix, track, untrack } from "./unfinished.js";

const NAME = "stickslip";

export async function withTemporaryFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
	return await removingOnSignals(async () => {
		removeStaleFolders(tmpdir(), NAME);
		const folder = mkdtempSync(join(tmpdir(), temporaryFolderPrefix(NAME)));
		track(folder);
		try {
			return await use(folder);
		} finally {
			rmSync(folder, { recursive: true, force: true });
			untrack(folder);
		}
	});
}
