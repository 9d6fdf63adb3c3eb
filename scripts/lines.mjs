/**
 * `npm run lines [-- [--of PACKAGE] COMMIT ...]`: how many lines of program each package had at each commit (default: the last one), what is
 * shipped or run by itself apart from tests and their helpers. What the build makes counts where it is written. Of one package each folder is
 * counted, and then those alone that were there at the first commit.
 */
import { execFileSync } from "node:child_process";
import { main, root, StepError } from "./lib/setup.mjs";

main((args) => {
	const isOfOne = args[0] === "--of";
	const [name, ...given] = isOfOne ? args.slice(1) : ["", ...args];
	const commits = given.length === 0 ? ["HEAD"] : given;
	const groupOf = isOfOne ? folderIn(`packages/${name}/src/`) : packageOf;
	const counts = commits.map((commit) => linesAt(commit, groupOf));
	print(commits, counts);
	if (!isOfOne) return 0;
	console.log(`\nof the folders at ${commits[0].slice(0, 10)} alone:`);
	const known = counts.map((count) => Object.fromEntries(Object.entries(count).filter(([each]) => each in counts[0])));
	print(commits, known);
	return 0;
});

function print(commits, counts) {
	const names = [...new Set(counts.flatMap((count) => Object.keys(count)))].sort();
	const rows = names.map((name) => [name, ...counts.flatMap((count) => count[name] ?? [0, 0])]);
	const sums = rows.reduce((sum, [, ...row]) => row.map((lines, at) => lines + (sum[at] ?? 0)), []);
	const header = ["lines", ...commits.flatMap((commit) => [`${commit.slice(0, 10)} sources`, "tests"])];
	for (const [name, ...cells] of [header, ...rows, ["all", ...sums]]) {
		console.log(name.padEnd(24) + cells.map((cell) => String(cell).padStart(20)).join(""));
	}
}

function packageOf(path) {
	return /^(?:packages\/)?[^/]+/.exec(path)[0];
}

/** The first folder below `sources`; undefined for files elsewhere. */
function folderIn(sources) {
	return (path) => {
		if (!path.startsWith(sources)) return undefined;
		const [folder, ...rest] = path.slice(sources.length).split("/");
		return rest.length > 0 ? folder : "(files beside them)";
	};
}

/** By package, or folder beside the packages, or by folder of one: lines of sources, and of tests. */
function linesAt(commit, groupOf) {
	const counts = {};
	for (const counted of git("grep", "-I", "-c", "", commit, "--", ":(top)").trim().split("\n")) {
		const [, path, lines] = /^[^:]*:(.*):(\d+)$/.exec(counted);
		if (!isProgram(path)) continue;
		const name = groupOf(path);
		if (name === undefined) continue;
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
