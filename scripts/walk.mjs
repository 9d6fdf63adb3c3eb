/**
 * `npm run docs:walk -- ARGUMENTS of stickslip`: runs the command and prints the files that it goes through, in the order in which a function of each is
 * called first: of this process, of the processes that it starts and of their threads, one after another. Counts how often the folder changes and
 * how often the package, which is what a reader does who follows it. Compiled files are instrumented as they are loaded; bundled programs are
 * replaced by what they are bundled of. Without arguments it walks three ways one after another: `solve --transport zeromq`, `launch ssh` and `resume`.
 * `--root FOLDER` walks another built copy of this repository, to compare with.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { main, root as own, setup } from "./lib/setup.mjs";

const hook = fileURLToPath(new URL("lib/walk-hook.mjs", import.meta.url));

/** Hosts are played by this machine: an `ssh` that runs what it is given here, and says which port it would forward. */
const SSH = `#!/bin/sh
while [ $# -gt 0 ]; do case $1 in -R) port=\${2##*:} ;; --) break ;; esac; shift; done
[ -z "$port" ] || echo "Allocated port $port for remote forward to 127.0.0.1:$port" >&2
exec sh -c "$3"
`;

main((args) => {
	const at = args.indexOf("--root");
	const root = at < 0 ? own : args[at + 1];
	const words = at < 0 ? args : args.toSpliced(at, 2);
	if (at < 0) setup();
	return words.length > 0 ? walk(root, words) : walkThree(root);
});

function walk(root, words, env = {}) {
	const folder = mkdtempSync(join(tmpdir(), "stickslip-walk-"));
	try {
		const { status } = stickslip(root, words, {
			...env,
			NODE_OPTIONS: `--import ${hook} --no-experimental-require-module`,
			STICKSLIP_WALK: folder,
			STICKSLIP_WALK_ROOT: root,
		});
		const walks = readdirSync(folder).map((name) => walkIn(join(folder, name), root));
		walks.sort((one, other) => one.began - other.began);
		print(walks);
		return status ?? 3;
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

function stickslip(root, words, env = {}) {
	return spawnSync(process.execPath, [join(root, "packages/cluster-runner/dist/main.js"), ...words], {
		stdio: ["ignore", "ignore", "inherit"],
		env: { ...process.env, ...env },
	});
}

function walkThree(root) {
	const folder = mkdtempSync(join(tmpdir(), "stickslip-walked-"));
	try {
		const [problem, runs] = [join(folder, "pile.hdf5"), join(folder, "runs")];
		stickslip(root, ["generate", "spheres", "--contacts", "300", "--output", problem]);
		const told = (words) =>
			console.log(`\n== ${words.join(" ").replaceAll(`${folder}/`, "").replaceAll(`${root}/`, "")}`);
		const solve = ["solve", problem, "--ranks", "2", "--transport", "zeromq"];
		told(solve);
		const codes = [walk(root, solve)];
		writeFileSync(join(folder, "ssh"), SSH, { mode: 0o755 });
		const env = { PATH: `${folder}${delimiter}${process.env.PATH}`, STICKSLIP_SSH: "", STICKSLIP_RUNS: runs };
		const hosts = [
			"--host",
			"a,b",
			"--program",
			join(root, "packages/cluster-runner"),
			"--remote-node",
			process.execPath,
		];
		const launch = ["launch", "ssh", ...hosts, "--ranks-per-node", "1", "--", "solve", problem];
		told(launch);
		codes.push(walk(root, launch, env));
		// As if its process had been lost before it could keep its report.
		const run = join(
			runs,
			readdirSync(runs).find((name) => !name.startsWith(".")),
		);
		rmSync(join(run, "report.jsonl"));
		const state = join(run, "state.json");
		writeFileSync(state, JSON.stringify({ ...JSON.parse(readFileSync(state, "utf8")), status: "failed" }));
		const resume = ["resume", "last"];
		told(resume);
		codes.push(walk(root, resume, env));
		return Math.max(...codes);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** What one thread went through. */
function walkIn(path, root) {
	const lines = readFileSync(path, "utf8").trim().split("\n");
	const [began = "0"] = lines[0].split(" ");
	const files = lines.map((line) =>
		relative(root, line.slice(line.indexOf(" ") + 1))
			.replace("/dist/", "/src/")
			.replace(/\.js$/, ".ts"),
	);
	return { began: Number(began), files };
}

function print(walks) {
	let [all, folders, packages] = [0, 0, 0];
	const seen = new Set();
	for (const { files } of walks) {
		// Of threads and processes that do the same the first is followed.
		const key = files.join("\n");
		if (seen.has(key)) continue;
		seen.add(key);
		console.log("");
		for (const [at, file] of files.entries()) {
			const before = files[at - 1];
			const isOther = before !== undefined && dirname(before) !== dirname(file);
			if (isOther) folders += 1;
			if (before !== undefined && packageOf(before) !== packageOf(file)) packages += 1;
			console.log(
				`${isOther || before === undefined ? dirname(file).padEnd(44) : " ".repeat(44)}  ${file.slice(dirname(file).length + 1)}`,
			);
		}
		all += files.length;
	}
	console.log(`\n${all} files, ${folders} changes of folder, ${packages} of package`);
}

function packageOf(file) {
	return file.split("/").slice(0, 2).join("/");
}
