/** Checks that standard output can be written to, before a solve that may take hours. */
import { fstatSync, statfsSync, writeSync } from "node:fs";
import { codeOf } from "../base/errors.js";

const OUT = 1;

/** The system's error code; undefined if it can be written to. */
export function whyUnwritable(): string | undefined {
	try {
		// A plain stat of a pipe would spoil the loading of modules: comm/src/base/unread.ts says how.
		const kind = fstatSync(OUT, { bigint: true });
		if (kind.isCharacterDevice()) writeSync(OUT, new Uint8Array(0));
		if (!kind.isFile()) return undefined;
		const { blocks, bavail } = statfsSync(`/proc/self/fd/${OUT}`);
		return blocks > 0 && bavail <= 0 ? "ENOSPC" : undefined;
	} catch (error) {
		const code = codeOf(error);
		return code === "ENOSPC" || code === "EDQUOT" || code === "EROFS" ? code : undefined;
	}
}
