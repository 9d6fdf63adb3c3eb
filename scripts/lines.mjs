/**
 * `npm run lines [-- COMMIT ...]`: how many lines of program each package had at each commit (default: the last one), what is
 * shipped or run by itself apart from tests and their helpers. What the build makes counts where it is written.
 */
import { execFileSync } from "node:child_process";
import { main, root, StepError } from "./lib/setup.mjs";

main((args) => {
	const commits = args.length === 0 ? ["HEAD"] : args;
	const counts = commits.map(linesAt);
	const names = [...new Set(counts.flatMap((count) => Object.keys(count)))].sort();
	const rows = names.map((name) => [name, ...counts.flatMap((count) => count[name] ?? [0, 0])]);
	const sums = rows.reduce((sum, [, ...row]) => row.map((lines, at) => lines + (sum[at] ?? 0)), []);
	const header = ["lines", ...commits.flatMap((commit) => [`${commit.slice(0, 10)} sources`, "tests"])];
	for (const [name, ...cells] of [header, ...rows, ["all", ...sums]]) {
		console.log(name.padEnd(24) + cells.map((cell) => String(cell).padStart(20)).join(""));
	}
	return 0;
});

/** By package, or folder beside the packages: lines of sources, and of tests. */
function linesAt(commit) {
	const counts = {};
	for (const counted of git("grep", "-I", "-c", "", commit, "--", ":(top)").trim().split("\n")) {
		const [, path, lines] = /^[^:]*:(.*):(\d+)$/.exec(counted);
		if (!isProgram(path)) continue;
		const [name] = /^(?:packages\/)?[^/]+/.exec(path);
		counts[name] ??= [0, 0];
		counts[name][isTest(path) ? 1 : 0] += Number(lines);
	}
	return counts;
}

function isProgram(path) {
	return /\/.*\.(ts|mjs|js|sh)$/.test(path) && !path.includes("/generated/");
}

function isTest(path) {
	return path.endsWith(".test.ts") || /\/testing\//.test(path);
}

function git(...words) {
	try {
		return execFileSync("git", words, {
			cwd: root,
			encoding: "utf8",
			maxBuffer: 2 ** 26,
			stdio: ["ignore", "pipe", "ignore"],
		});
	} catch {
		throw new StepError(`git ${words.slice(0, 2).join(" ")} ... failed; name commits of this repo`);
	}
}
