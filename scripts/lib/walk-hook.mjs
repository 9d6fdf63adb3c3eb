/** Loaded into every process of a walk (scripts/walk.mjs): has each compiled file of ours tell when a function of it is called for the first time. */
import { appendFileSync } from "node:fs";
import { register } from "node:module";
import { join } from "node:path";
import { threadId } from "node:worker_threads";

const { STICKSLIP_WALK: folder, STICKSLIP_WALK_ROOT: root } = process.env;
if (folder !== undefined && root !== undefined) {
	const path = join(folder, `${process.pid}-${threadId}`);
	const seen = new Set();
	globalThis.stickslipWalk = (file) => {
		if (seen.has(file)) return;
		seen.add(file);
		appendFileSync(path, `${performance.timeOrigin + performance.now()} ${file}\n`);
	};
	register("./walk-loader.mjs", import.meta.url, { data: { root } });
}
