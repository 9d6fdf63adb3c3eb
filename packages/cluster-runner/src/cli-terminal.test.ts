/** A terminal that takes nothing for a while: Ctrl-S, or a connection of ssh that hangs. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { soon } from "../testing/processes.js";
import { runCli, testFolder } from "../testing/run-cli.js";
import { quoted } from "./base/quote.js";

const program = fileURLToPath(new URL("../bin/stickslip.mjs", import.meta.url));
/** Simulates a terminal, and returns the exit code of what runs on it. */
const hasScript = spawnSync("script", ["-qfec", "true", "/dev/null"]).status === 0;
const CTRL_S = "\x13";
const CTRL_Q = "\x11";
const CTRL_C = "\x03";

it.skipIf(!hasScript)("keeps no run from its work (needs script of util-linux)", async () => {
	const [folder, runs] = [testFolder(), testFolder()];
	const pile = join(folder, "pile.hdf5");
	await runCli(["generate", "planks", "--contacts", "1000", "--output", pile]);
	// Other methods than this one end as stalled, in half a minute.
	const endless = ["--method", "pqn-diagonal", "--tolerance", "1e-300", "--max-iterations", "1e9"];
	const options = ["--ranks", "2", "--transport", "zeromq", "--checkpoint", "60", "--runs", runs];
	const words = [process.execPath, program, "solve", pile, ...endless, ...options];
	// Without `exec` a shell that stays gets the Ctrl-C as well, and its exit code is 130: dash, where $SHELL is not set.
	const line = `exec ${words.map(quoted).join(" ")}`;
	const child = spawn("script", ["-qfec", line, "/dev/null"], {
		stdio: ["pipe", "pipe", "ignore"],
		env: { ...process.env, TERM: "xterm" },
	});
	onTestFinished(() => void child.kill("SIGKILL"));
	const ended = new Promise<number | null>((resolve) => child.on("exit", resolve));
	let said = "";
	child.stdout.on("data", (part: Buffer) => {
		said += part.toString();
	});
	const passing = () => said.split("\x1b[K").length;
	expect(await soon(() => passing() > 3), said).toBe(true);
	child.stdin.write(CTRL_S);
	const updated = () => {
		const file = join(runs, readdirSync(runs)[0] ?? "none", "state.json");
		return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).updated : "";
	};
	for (let beat = 0; beat < 2; beat += 1) {
		const before = updated();
		expect(await soon(() => updated() !== before), "a sign of life").toBe(true);
	}
	const shown = passing();
	child.stdin.write(CTRL_Q);
	expect(await soon(() => passing() > shown + 3), "shown again").toBe(true);
	child.stdin.write(CTRL_C);
	expect(await ended, said).toBe(75);
});
