/** Solves that failed, as capsules: each can be solved again elsewhere, from the same start. */
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { SceneSolver } from "@stickslip/mechanics";
import { messageOf } from "../base/errors.js";
import { oneLine } from "../base/format.js";
import { type CapsuleTarget, writeCapsule } from "../capsule/index.js";
import { load } from "../files/load.js";

/** `folder` has their problems, and is removed afterwards. If a capsule cannot be written, a line says so; the run does not fail. */
export async function keepFailures(folder: string, target: CapsuleTarget, solver: SceneSolver): Promise<void> {
	if (!existsSync(folder)) return;
	const names = readdirSync(folder).filter((name) => name.endsWith(".hdf5") && !name.startsWith("."));
	for (const name of names.sort()) {
		if (target.folder === undefined) break;
		try {
			const loaded = await load(join(folder, name), name.replace(/\.hdf5$/, ""));
			const hasStart = (loaded.problem.guesses?.length ?? 0) > 0;
			const options = { ...solver, ...(hasStart && { start: "guess" as const }) };
			const reason = new TextDecoder().decode(loaded.info.description?.bytes);
			const ended = { failure: { rank: -1, reason } };
			const path = await writeCapsule({ folder: target.folder, loaded, options, ended, line: target.line });
			target.print(`the failure is saved in ${path}; stickslip solve ${path} repeats it`);
		} catch (error) {
			target.print(`the failure could not be saved: ${oneLine(messageOf(error))}`);
		}
	}
	rmSync(folder, { recursive: true, force: true });
}
