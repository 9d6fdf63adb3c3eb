/** Another revision of this repository in a temporary folder, built. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { InputError } from "@stickslip/core";
import type { Revision } from "./compare.js";

/** The repository that this bench is of. */
export const root = fileURLToPath(new URL("../../..", import.meta.url));

export interface Checkout extends Revision {
	dispose(): void;
}

/** Throws an InputError for a revision that is not known, and an Error for one that is not built. */
export function checkout(revision: string): Checkout {
	const name = shortNameOf(root, revision);
	const folder = mkdtempSync(join(tmpdir(), "stickslip-against-"));
	const dispose = () => rmSync(folder, { recursive: true, force: true });
	try {
		execFileSync("git", ["clone", "--quiet", "--shared", "--no-checkout", root, folder]);
		execFileSync("git", ["checkout", "--quiet", "--detach", name], { cwd: folder });
		const { status, stderr, stdout } = spawnSync("npm", ["run", "build"], { cwd: folder, encoding: "utf8" });
		if (status !== 0) throw new Error(`${name} was not built: ${`${stdout}${stderr}`.trim().split("\n").at(-1)}`);
		return { name, root: folder, dispose };
	} catch (error) {
		dispose();
		throw error;
	}
}

/** A copy that is there and built, so that a comparison may be made in several runs. */
export function builtCheckout(folder: string): Checkout {
	return { name: shortNameOf(folder, "HEAD"), root: folder, dispose: () => {} };
}

function shortNameOf(cwd: string, revision: string): string {
	try {
		const words = ["rev-parse", "--short", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`];
		return execFileSync("git", words, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
	} catch {
		throw new InputError(
			"bench",
			"--against",
			`${revision} is not a revision of the repository in ${cwd}`,
			"name a commit or a tag",
		);
	}
}
