import { spawn } from "node:child_process";
import { once } from "node:events";
import {
	chmodSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	rmSync,
	statSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { openSocketFolder, removeFolder } from "./socket-folder.js";

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "stickslip-"));
	vi.stubEnv("TMPDIR", join(folder, "nowhere"));
});
afterEach(() => {
	vi.unstubAllEnvs();
	rmSync(folder, { recursive: true, force: true });
});

const openIn = (parent: string, more: Record<string, string> = {}) =>
	openSocketFolder(4, { XDG_RUNTIME_DIR: parent, ...more });

describe("a folder for sockets", () => {
	it("is its user's alone, and removed with its sockets", async () => {
		const made = await openIn(folder);
		expect(statSync(made!.path).mode & 0o777).toBe(0o700);
		expect(readdirSync(made!.path)).toEqual([]);
		writeFileSync(join(made!.path, "3"), "");
		made!.remove();
		expect(readdirSync(folder)).toEqual([]);
	});

	it("is in the folder for temporary files where there is no other", async () => {
		vi.stubEnv("TMPDIR", folder);
		const made = await openIn(join(folder, "nowhere"));
		expect(made!.path.startsWith(folder)).toBe(true);
		made!.remove();
	});

	it("is none where paths are too long, where others may change the folder above, and where nobody wants it", async () => {
		const long = join(folder, "x".repeat(100));
		const open = join(folder, "open", "below");
		mkdirSync(long);
		mkdirSync(open, { recursive: true });
		chmodSync(join(folder, "open"), 0o777);
		expect(await openIn(long)).toBeUndefined();
		expect(await openIn(open)).toBeUndefined();
		expect(await openIn(join(folder, "nowhere"))).toBeUndefined();
		expect(await openIn(folder, { STICKSLIP_CURVE: "always" })).toBeUndefined();
		// As in /tmp: nobody can remove the files of others.
		chmodSync(join(folder, "open"), 0o1777);
		const made = await openIn(open);
		made!.remove();
	});

	it("sweeps away what killed runs have left there, and nothing of a live one", async () => {
		const [live, dead, empty] = await Promise.all([openIn(folder), openIn(folder), openIn(folder)]);
		const listen = (path: string) =>
			`require("node:net").createServer().listen(${JSON.stringify(path)}, () => console.log("listens"))`;
		const processes = [live, dead].map((each) => spawn(process.execPath, ["-e", listen(join(each!.path, "0"))]));
		onTestFinished(() => processes.forEach((each) => void each.kill("SIGKILL")));
		await Promise.all(processes.map(({ stdout }) => once(stdout, "data")));
		const gone = once(processes[1]!, "exit");
		processes[1]!.kill("SIGKILL");
		await gone;
		const minutesAgo = Date.now() / 1000 - 300;
		for (const { path } of [live!, dead!, empty!]) utimesSync(path, minutesAgo, minutesAgo);
		const made = await openIn(folder);
		expect([live, dead, empty, made].map((each) => existsSync(each!.path))).toEqual([true, false, true, true]);
	});

	it("is not removed with what is not ours, nor through a link, nor any other folder", async () => {
		const made = await openIn(folder);
		writeFileSync(join(made!.path, "letter"), "");
		made!.remove();
		expect(readdirSync(made!.path)).toEqual(["letter"]);
		const other = join(folder, "other");
		mkdirSync(other, { mode: 0o700 });
		writeFileSync(join(other, "0"), "");
		removeFolder(other);
		const link = join(folder, "stickslip-sockets-link");
		symlinkSync(other, link);
		removeFolder(link);
		expect(existsSync(join(other, "0"))).toBe(true);
	});
});
