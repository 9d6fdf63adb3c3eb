/** `launch ssh` with a fake ssh: a damaged copy of the program on a host is noticed and replaced before anything is started there. */
import { spawnSync } from "node:child_process";
import {
	chmodSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	statSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runCli, testFolder } from "../../../testing/run-cli.js";
import { runHere } from "../../../testing/run-here.js";

/** A host with a home folder of its own, reached by a program that does here what ssh does there; its port is the hub's own. */
function played(home: string): string {
	const ssh = join(home, "ssh");
	const script = [
		"#!/bin/sh",
		`for word; do [ "$before" = -R ] && port=\${word##*:}; before=$word; done`,
		'[ -z "$port" ] || echo "Allocated port $port for remote forward to 127.0.0.1:$port" >&2',
		`cd ${home} && exec sh -c "$word"`,
	];
	writeFileSync(ssh, `${script.join("\n")}\n`);
	chmodSync(ssh, 0o755);
	return ssh;
}

it("a damaged copy of the program on a host is replaced before it is used", async (context) => {
	if (spawnSync("npm", ["--version"]).status !== 0) context.skip("needs npm, which packs the program");
	const folder = testFolder();
	const [front, home] = [join(folder, "front"), join(folder, "host")];
	for (const path of [front, home]) mkdirSync(path);
	const problem = join(folder, "pile.hdf5");
	await runHere(["generate", "planks", "--contacts", "20", "--output", problem]);
	const env = { HOME: front, STICKSLIP_RUNS: join(folder, "runs"), STICKSLIP_SSH: played(home) };
	const words = ["launch", "ssh", "--host", "a", "--ranks-per-node", "2", "--", "solve", problem, "--json"];
	const launched = () => runCli(words, { env, seconds: 200 });

	const first = await launched();
	expect(first.code, first.err).toBe(0);
	const cache = join(home, ".cache/stickslip");
	const [name = "", ...others] = readdirSync(cache);
	expect(others).toEqual([]);
	const program = join(cache, name, "node_modules/@stickslip/cluster-runner/dist/bundled/process.js");
	const whole = readFileSync(program, "utf8");
	const { mtime, size } = statSync(program);
	writeFileSync(program, "/".repeat(size));
	utimesSync(program, mtime, mtime);

	const second = await launched();
	expect([second.code, JSON.parse(second.out).hash], second.err).toEqual([0, JSON.parse(first.out).hash]);
	expect(readFileSync(program, "utf8") === whole).toBe(true);
	expect([readdirSync(cache), existsSync(join(front, ".cache/stickslip", `${name}.sha256`))]).toEqual([[name], true]);
});
